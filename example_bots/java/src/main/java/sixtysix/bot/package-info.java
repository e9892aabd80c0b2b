/** The bot: which of the legal actions it takes, and the program around it. */
package sixtysix.bot;
