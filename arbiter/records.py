"""Deal records of a tournament, with all that is needed to replay them and to check the shuffles."""

from collections.abc import Iterator

from arbiter.results import DealResult
from arbiter.reveal import Reveal
from arbiter.store import Store
from arbiter.stored import StoredMatch
from arbiter.views import Json
from sixtysix.rules import Card, DealRecord


def attempt_id(match_id: str, attempt: int) -> str:
    """Return what names one attempt at a match: the match, such as ``003-07``; played again, ``003-07#2``."""
    return match_id if attempt == 1 else f"{match_id}#{attempt}"


def record_json(stored: StoredMatch, deal: DealResult, tournament_id: str, cards: str) -> Json:
    """Return one deal of a match as a record.

    The members of a deal record, and: `tournament` (its id), `match`, `deal` (its number), `cards` (what the deck
    follows from: `pairing` of `Dealer.deck`), `bots` (seat 0, seat 1), `void`, `result` (what the replay of the record
    prints), `times` (per action: charged microseconds), `clock` (as `DealResult.clock`), `salt`, `commitment` and, if
    a fault ended the deal, `forfeit` (seat, fault, detail). The id is that of the attempt and the number, such as
    ``003-07/4``.

    Args:
        stored: the match.
        deal: one of its deals.
        tournament_id: of the tournament.
        cards: key of the decks of the match, as `ScheduledMatch.cards`.
    """
    match = stored.result
    written: Json = deal.record
    identity = f"{attempt_id(match.match_id, stored.attempt)}/{deal.number}"
    record: Json = {
        **written,
        "id": identity,
        "tournament": tournament_id,
        "match": match.match_id,
        "deal": deal.number,
        "cards": attempt_id(cards, stored.attempt),
        "bots": list(match.bots),
        "void": match.void,
        "result": {"id": identity, **deal.result},
        "times": [charged for _, _, _, charged in deal.clock[: len(written["actions"])]],
        "clock": [list(charge) for charge in deal.clock],
        "salt": deal.salt,
        "commitment": deal.commitment,
    }
    if deal.forfeit is not None:
        forfeit = deal.forfeit
        record["forfeit"] = {"seat": forfeit.seat, "fault": forfeit.fault, "detail": forfeit.detail}
    return record


def match_records(stored: StoredMatch, tournament_id: str, cards: str) -> list[Json]:
    """Return the records of one attempt at a match; see `record_json`."""
    return [record_json(stored, deal, tournament_id, cards) for deal in stored.result.deals]


def records(store: Store, match_id: str | None = None) -> Iterator[Json]:
    """Yield the records of all matches that ended, void ones included, or of one match.

    Those that share their cards with a match that has not ended are left out.

    Raises:
        MatchStateError: there is no such match, it has not ended, or its cards may still be played in another one.
    """
    reveal = Reveal(store)
    if match_id is not None:
        reveal.match(store, match_id)
    for stored in store.attempts(match_id):
        if reveal.shows(stored):
            yield from match_records(stored, store.tournament.id, reveal.cards(stored.result.match_id))


def deck_of(record: DealRecord) -> tuple[Card, ...]:
    """Return the order of the pack before dealing: `Deal.from_deck` of it gives the cards of the record.

    Together with the salt this is what the commitment of the deal commits to.
    """
    rules = record.rules
    deck: list[Card] = []
    held = 0
    for number, size in enumerate((*rules.packets, 0)):
        if number == rules.turn_up_after:
            deck.append(record.turn_up)
        for seat in (1 - record.dealer, record.dealer):
            deck += record.hands[seat][held : held + size]
        held += size
    # On top of the talon lies the turn-up, which is in its place already.
    return (*deck, *record.talon[1 if rules.turn_up_on_top else 0 :])
