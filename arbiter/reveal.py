"""When the cards of a match may be seen: once nobody can play them any more."""

from arbiter import views
from arbiter.schedule import partners, round_robin
from arbiter.store import MatchStateError, Store
from arbiter.stored import StoredMatch


def is_finished(store: Store) -> bool:
    """Is every match of the schedule fixed? Before that, cards that follow from the secret may still be played.

    A match that is void can be played again when the tournament is resumed.
    """
    fixed = sum(state == "fixed" for state in store.states().values())
    return fixed == store.scheduled


class Reveal:
    """Which attempts at the matches of a store may be shown with their cards.

    The store shows what has ended. Where two matches share their cards, one of them is hidden until the other cannot
    get the same cards any more; what ends after this object was made stays hidden from it.

    Args:
        store: of the tournament.
    """

    def __init__(self, store: Store) -> None:
        # In most tournaments nothing is shared, and there is nothing to look up.
        settings = store.tournament.config["tournament"]
        shared = settings.get("duplicate", False)
        schedule = round_robin(views.bot_names(store.tournament), settings["matches_per_pair"], True) if shared else []
        self._partners = partners(schedule)
        self._cards = {match.match_id: match.cards for match in schedule if match.second_half}
        self._ended: dict[str, int] = {}
        self._fixed: set[str] = set()
        if shared:
            for match_id, (state, attempt) in store.progress().items():
                self._ended[match_id] = attempt - 1 if state == "issued" else attempt
                if state == "fixed":
                    self._fixed.add(match_id)

    def cards(self, match_id: str) -> str:
        """Return the key of the decks of a match, as `ScheduledMatch.cards`."""
        return self._cards.get(match_id, match_id)

    def shows(self, stored: StoredMatch) -> bool:
        """May this attempt be shown?"""
        return self.shows_attempt(stored.result.match_id, stored.attempt)

    def shows_attempt(self, match_id: str, attempt: int) -> bool:
        """May this attempt at a match, which has ended, be shown?"""
        partner = self._partners.get(match_id)
        # The n-th attempts of both have the same cards; a match that is fixed gets none any more.
        return partner is None or partner in self._fixed or self._ended.get(partner, 0) >= attempt

    def match(self, store: Store, match_id: str) -> StoredMatch:
        """Return a match that ended: as fixed or, if it only ever was void, the last attempt.

        Raises:
            MatchStateError: there is no such match, it has not ended, or its cards may still be played in another.
        """
        stored = store.attempt(match_id)
        if not self.shows(stored):
            raise MatchStateError(
                f"match {match_id} has the cards of {self._partners[match_id]}, and is shown when that has ended"
            )
        return stored
