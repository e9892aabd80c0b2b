/** What a seat sees of a deal, and what a bot wants to ask about it. No rule set is known by its name. */
package sixtysix.game;
