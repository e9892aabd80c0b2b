"""One match checked again from what was written down of it. Pure.

In this order: the cards of every deal, the replay, the match from deal to deal, the clocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arbiter.clock import SeatClock, is_free
from arbiter.config import TournamentConfig
from arbiter.dealing import Dealer, commitment
from arbiter.policy import Consequence, Fault
from arbiter.records import deck_of
from arbiter.results import DealResult, MatchResult, SeatStats, was_asked
from sixtysix.rules import (
    DealRecord,
    IllegalActionError,
    Match,
    NotationError,
    Outcome,
    RecordError,
    parse_action,
    parse_record,
)
from sixtysix.rules.record import outcome_json

_WRONG_ANSWERS = frozenset({Fault.LATE, Fault.ILLEGAL, Fault.MALFORMED})
_LONGEST_VALUE = 100


class Discrepancy(Exception):
    """Something that was written down is not as it must be.

    Attributes:
        where: the place, such as ``deal 003-07/4``.
        what: what is wrong there: what was expected, and what was found.
    """

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what


def difference(expected: object, found: object, path: str = "") -> str | None:
    """Return where two JSON values first differ, and how; None if they are equal."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in (*expected, *(key for key in found if key not in expected)):
            inner = f"{path}.{key}" if path else str(key)
            if key not in found:
                return f"{inner}: is missing"
            if key not in expected:
                return f"{inner}: does not belong here"
            told = difference(expected[key], found[key], inner)
            if told:
                return told
        return None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        return next((told for i, (one, two) in pairs if (told := difference(one, two, f"{path}[{i}]"))), None)
    # 1, 1.0 and true are equal in Python, but not the same in JSON.
    if expected == found and type(expected) is type(found):
        return None
    return expectation(path, expected, found)


def expectation(name: str, expected: object, found: object) -> str:
    """Return the sentence for a value that is not the expected one."""
    return f"{name}: expected {_short(expected)}, found {_short(found)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


@dataclass(frozen=True, slots=True)
class _Step:
    """A decision as the replay meets it: whose it is, whether it is free of charge, and the action if there is one."""

    seat: int
    free: bool
    action: str | None


@dataclass(frozen=True, slots=True)
class _Replayed:
    where: str
    deal: DealResult
    steps: tuple[_Step, ...]
    outcome: Outcome | None
    fault: Fault | None


class MatchCheck:
    """Checks the matches of one tournament, each by itself.

    Args:
        config: of the tournament.
        tournament_id: of the tournament.
        secret: of the shuffles, if it is known; without it they are checked against the commitments alone.
    """

    def __init__(self, config: TournamentConfig, tournament_id: str, secret: bytes | None) -> None:
        self._rules = config.rule_set()
        self._control = config.time_control()
        self._policy = config.fault_policy()
        self._deal_limit = config.tournament.deal_limit
        self._tournament_id = tournament_id
        self._dealer = None if secret is None else Dealer(secret)

    def check(self, match: MatchResult, name: str, cards: str) -> int:
        """Check one attempt at a match and return how many decisions it had.

        Args:
            match: with its deals, which are numbered from 1.
            name: of the attempt, for the places of errors.
            cards: key of its decks.

        Raises:
            Discrepancy: the first thing that is wrong.
        """
        places = [f"deal {name}/{deal.number}" for deal in match.deals]
        pairs = list(zip(places, match.deals, strict=True))
        records = [self._check_cards(where, deal, cards) for where, deal in pairs]
        replays = [_replay(where, deal, record) for (where, deal), record in zip(pairs, records, strict=True)]
        self._check_match(f"match {name}", match, records, replays)
        return self._check_clocks(f"match {name}", match, replays)

    def _check_cards(self, where: str, deal: DealResult, cards: str) -> DealRecord:
        try:
            record = parse_record(deal.record)
        except RecordError as error:
            raise Discrepancy(where, f"not a deal record: {error}") from error
        if record.rules != self._rules:
            raise Discrepancy(where, expectation("rules", self._rules.spec(), deal.record["rules"]))
        deck, salt = deck_of(record), bytes.fromhex(deal.salt)
        bound = commitment(self._tournament_id, cards, deal.number, salt, deck).hex()
        if bound != deal.commitment:
            raise Discrepancy(
                where, f"the cards and the salt give the commitment {bound}, but committed to was {deal.commitment}"
            )
        if self._dealer is not None:
            right = self._dealer.deck(cards, deal.number, self._rules.deck)
            for place, (expected, found) in enumerate(zip(right, deck, strict=True)):
                if expected != found:
                    raise Discrepancy(where, expectation(f"card {place} of the shuffle", expected.text, found.text))
            right_salt = self._dealer.salt(cards, deal.number)
            if right_salt != salt:
                raise Discrepancy(where, expectation("salt", right_salt.hex(), deal.salt))
        # The same object for all deals: it keeps the tables of the engine.
        return replace(record, rules=self._rules)

    def _check_match(
        self, where: str, match: MatchResult, records: Sequence[DealRecord], replays: Sequence[_Replayed]
    ) -> None:
        table = Match(self._rules, match.first_dealer, self._deal_limit)
        faults = [0, 0]
        forfeited_by: int | None = None
        for record, replayed in zip(records, replays, strict=True):
            if table.over:
                raise Discrepancy(replayed.where, "the match was over before this deal")
            if forfeited_by is not None:
                raise Discrepancy(replayed.where, "the match was forfeited before this deal")
            for name, expected, found in (
                ("dealer", table.dealer, record.dealer),
                ("carry", table.carry, record.carry),
            ):
                if expected != found:
                    raise Discrepancy(replayed.where, expectation(name, expected, found))
            forfeit = replayed.deal.forfeit
            if forfeit is not None and replayed.fault is not None:
                what = self._policy.consequence(replayed.fault, faults[forfeit.seat], opponent_gone=False)
                faults[forfeit.seat] += 1
                if what is Consequence.FORFEIT_MATCH:
                    forfeited_by = forfeit.seat
            if replayed.outcome is not None:
                table.add(replayed.outcome)
            elif not match.void or replayed is not replays[-1]:
                raise Discrepancy(replayed.where, "the deal did not end")
        score = (table.score[0], table.score[1])
        if match.score != score:
            raise Discrepancy(where, expectation("score", list(score), list(match.score)))
        self._check_end(where, match, table, forfeited_by)
        if not match.void and match.deals:
            for seat in (0, 1):
                if match.seats[seat].faults != faults[seat]:
                    raise Discrepancy(
                        where, expectation(f"seats[{seat}].faults", faults[seat], match.seats[seat].faults)
                    )

    def _check_end(self, where: str, match: MatchResult, table: Match, forfeited_by: int | None) -> None:
        if match.void:
            if match.winner is not None:
                raise Discrepancy(where, expectation("winner of a void match", None, match.winner))
            return
        if not match.deals:
            # Not even begun: somebody was not ready, or was withdrawn.
            if match.reason != "forfeit":
                raise Discrepancy(where, expectation("reason of a match without deals", "forfeit", match.reason))
            if match.winner is None:
                raise Discrepancy(where, "a forfeited match has a winner, found none")
            if match.seats[match.winner].faults or match.seats[1 - match.winner].faults > 1:
                raise Discrepancy(where, "a match without deals is lost by one fault of the loser at most")
            return
        winner = table.winner if forfeited_by is None else 1 - forfeited_by
        if forfeited_by is not None:
            reason = "forfeit"
        elif not table.over:
            raise Discrepancy(where, f"the match was not over after {table.deals} deals with {table.score}")
        else:
            reason = "deal_limit" if winner is None else "target"
        if match.reason != reason:
            raise Discrepancy(where, expectation("reason", reason, match.reason))
        if match.winner != winner:
            raise Discrepancy(where, expectation("winner", winner, match.winner))

    def _check_clocks(self, where: str, match: MatchResult, replays: Sequence[_Replayed]) -> int:
        clocks = (SeatClock(self._control), SeatClock(self._control))
        used: tuple[list[int], list[int]] = ([], [])
        answered = 0
        for replayed in replays:
            if len(replayed.deal.clock) != len(replayed.steps):
                raise Discrepancy(
                    replayed.where, expectation("entries of clock", len(replayed.steps), len(replayed.deal.clock))
                )
            for index, (step, times) in enumerate(zip(replayed.steps, replayed.deal.clock, strict=True)):
                if not was_asked(step.action, times):
                    continue
                answered += 1
                net_us = self._settle(replayed.where, f"clock[{index}]", step, times, replayed, clocks[step.seat])
                if not step.free:
                    used[step.seat].append(net_us)
        # What the arbiter itself broke off was perhaps not written down; nothing follows from it.
        for seat in () if match.void else (0, 1):
            stats, own = match.seats[seat], used[seat]
            recount = SeatStats(len(own), sum(own), max(own, default=0), stats.faults)
            for name in ("decisions", "total_us", "worst_us"):
                expected, found = getattr(recount, name), getattr(stats, name)
                if expected != found:
                    raise Discrepancy(where, expectation(f"seats[{seat}].{name}", expected, found))
        return answered

    def _settle(
        self,
        where: str,
        entry: str,
        step: _Step,
        times: tuple[int, int, int, int],
        replayed: _Replayed,
        clock: SeatClock,
    ) -> int:
        """Charge one decision again and return what it took, allowance and stall taken off."""
        elapsed_us, allowance_us, stall_us, charged_us = times
        if allowance_us > self._control.lag_us:
            raise Discrepancy(
                where, f"{entry}: expected an allowance of at most {self._control.lag_us} us, found {allowance_us}"
            )
        if stall_us > elapsed_us:
            raise Discrepancy(where, f"{entry}: a stall of {stall_us} us within {elapsed_us} us")
        limit_us = clock.limit_us(0, step.free)
        charge = clock.charge(elapsed_us, allowance_us, stall_us, step.free)
        net_us = max(0, elapsed_us - allowance_us - stall_us)
        if charge.charged_us != charged_us:
            raise Discrepancy(where, expectation(f"{entry}: charged us", charge.charged_us, charged_us))
        if step.action is None and replayed.fault is Fault.LATE:
            if net_us < limit_us:
                raise Discrepancy(where, f"{entry}: forfeited as late after {net_us} us, but the limit was {limit_us}")
        elif charge.late:
            raise Discrepancy(where, f"{entry}: took {net_us} us, but the limit was {limit_us}: it was late")
        return net_us


def _replay(where: str, deal: DealResult, record: DealRecord) -> _Replayed:
    state = record.deal()
    steps: list[_Step] = []
    for index, token in enumerate(record.actions):
        step = _Step(state.turn, is_free(state), token)
        try:
            action = parse_action(token)
            state.apply(action)
        except (NotationError, IllegalActionError) as error:
            raise Discrepancy(where, f"actions[{index}] {_short(token)}: {error}") from error
        if action.text != token:
            raise Discrepancy(where, expectation(f"actions[{index}]", action.text, token))
        steps.append(step)
    fault: Fault | None = None
    if deal.forfeit is not None:
        fault = _fault(where, deal)
        if state.over:
            raise Discrepancy(where, "forfeit: the deal was over already")
        if fault in _WRONG_ANSWERS:
            if deal.forfeit.seat != state.turn:
                raise Discrepancy(where, expectation("forfeit.seat: the seat on turn", state.turn, deal.forfeit.seat))
            steps.append(_Step(state.turn, is_free(state), None))
        state.forfeit(deal.forfeit.seat)
    told = difference(outcome_json(state), deal.result, "result")
    if told:
        raise Discrepancy(where, told)
    return _Replayed(where, deal, tuple(steps), state.outcome, fault)


def _fault(where: str, deal: DealResult) -> Fault:
    assert deal.forfeit is not None
    try:
        return Fault(deal.forfeit.fault)
    except ValueError as error:
        raise Discrepancy(where, f"forfeit.fault: unknown fault {_short(deal.forfeit.fault)}") from error
