"""Deal records of a tournament, with all that is needed to replay them and to check the shuffles."""

from collections.abc import Iterator

from arbiter.results import MatchResult
from arbiter.store import Store, StoredDeal
from arbiter.views import Json
from sixtysix.rules import Card, DealRecord


def attempt_id(match_id: str, attempt: int) -> str:
    """Return what names one attempt at a match: the match, such as ``003-07``; played again, ``003-07#2``."""
    return match_id if attempt == 1 else f"{match_id}#{attempt}"


def record_json(stored: StoredDeal) -> Json:
    """Return one deal as a record.

    The members of a deal record, and: `match`, `deal` (its number), `bots` (seat 0, seat 1), `void`, `result` (what
    the replay of the record prints), `times` (per action: charged microseconds), `clock` (as `DealResult.clock`),
    `salt`, `commitment` and, if a fault ended the deal, `forfeit` (seat, fault, detail). The id is that of the attempt
    and the number, such as ``003-07/4``.
    """
    deal = stored.deal
    written: Json = deal.record
    identity = f"{attempt_id(stored.match_id, stored.attempt)}/{deal.number}"
    record: Json = {
        **written,
        "id": identity,
        "match": stored.match_id,
        "deal": deal.number,
        "bots": list(stored.bots),
        "void": stored.void,
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


def records(store: Store, match_id: str | None = None) -> Iterator[Json]:
    """Yield the records of all matches that ended, void ones included, or of one match.

    Raises:
        MatchStateError: there is no such match, or it has not ended.
    """
    if match_id is not None:
        store.match(match_id)
    for stored in store.deals(match_id):
        yield record_json(stored)


def records_of(store: Store, match: MatchResult) -> list[Json]:
    """Return the records of a match as `Store.match` gives it: without those of its other attempts."""
    if not match.deals:
        return []
    same = [stored for stored in store.deals(match.match_id) if stored.void == match.void]
    return [record_json(stored) for stored in same if stored.attempt == same[-1].attempt]


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
