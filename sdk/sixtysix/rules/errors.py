"""What can go wrong in the rules engine, told apart by whose fault it is."""


class RulesError(Exception):
    """Base of every error that the rules engine raises."""


class RuleSetError(RulesError, ValueError):
    """A rule set that does not exist or cannot be played; the message names the field."""


class NotationError(RulesError, ValueError):
    """A card, suit or action that cannot be read."""


class RecordError(RulesError, ValueError):
    """A deal record that is malformed; the message names the member."""


class IllegalActionError(RulesError):
    """An action that the rules forbid in this state, which is left untouched.

    The message names the rule, and it reveals no more than the acting player knows.
    """


class InvariantError(RulesError):
    """A state that no sequence of legal actions can reach: a fault of the engine or of its caller."""
