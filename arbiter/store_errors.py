"""What may go wrong with a store, told apart by what can be done about it."""


class StoreError(Exception):
    """The store cannot do what was asked; the message names the store or the match."""


class StoreNotFoundError(StoreError):
    """There is no such file, or no such tournament in the database."""


class StoreExistsError(StoreError):
    """There is a file or a tournament already where a new one should be made."""


class NotATournamentError(StoreError):
    """The file or database holds no tournament, or one in a form that this program cannot read."""


class StoreAwayError(StoreError):
    """The store cannot be used now, but perhaps in a moment: the same call may be tried again."""


class StoreLockedError(StoreAwayError):
    """Another process held the database for too long."""


class StoreFullError(StoreAwayError):
    """The disk is full."""


class HeldError(StoreError):
    """Another arbiter plays the tournament; the message says which."""


class MatchStateError(StoreError):
    """The match is unknown, or not in a state for this: not issued, fixed already, or not ended."""
