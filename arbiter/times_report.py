"""The clocks of one match, decision by decision: the evidence for a disputed forfeit. No I/O."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from rich.console import RenderableType
from rich.text import Text

from arbiter.clock import SeatClock, is_free
from arbiter.report import add_figures, add_texts, new_table, printable, rules_text
from arbiter.results import DealResult, MatchResult, was_asked
from arbiter.views import Json
from sixtysix.rules import RuleSet, parse_action, parse_record
from sixtysix.timecontrol import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedDecision:
    """One decision that a bot was asked for.

    Attributes:
        deal: number of the deal.
        index: of the action in the record of the deal.
        seat: who was asked.
        action: the answer; None for one that was late or wrong, which is not in the record.
        elapsed_us: from the writing of the decision to the arrival of the answer, or to the moment of giving up.
        allowance_us: network time that was not charged.
        stall_us: how long the arbiter itself stood still meanwhile, not charged.
        charged_us: taken from the bank.
        limit_us: what could have been charged: the cap, or what was left in the bank.
        bank_us: what was left in the bank afterwards, with the increment.
        forced: one legal action, and so free of charge.
        late: beyond the limit.
        note: what is to be said about it, for people; may be empty.
    """

    deal: int
    index: int
    seat: int
    action: str | None
    elapsed_us: int
    allowance_us: int
    stall_us: int
    charged_us: int
    limit_us: int
    bank_us: int
    forced: bool
    late: bool
    note: str

    @property
    def net_us(self) -> int:
        """Return what the bot itself took."""
        return max(0, self.elapsed_us - self.allowance_us - self.stall_us)


def timed_decisions(match: MatchResult, control: TimeControl) -> Iterator[TimedDecision]:
    """Replay a match with its clocks.

    Yields every decision that was asked for and answered, or not in time, in the order of play; one that was broken
    off because its bot was gone has no time.

    Args:
        match: with its deals.
        control: the time control of the match.
    """
    clocks = (SeatClock(control), SeatClock(control))
    for deal in match.deals:
        yield from _decisions_of(deal, clocks)


def _decisions_of(result: DealResult, clocks: tuple[SeatClock, SeatClock]) -> Iterator[TimedDecision]:
    record = parse_record(result.record)
    deal = record.deal()
    for index, times in enumerate(result.clock):
        token = record.actions[index] if index < len(record.actions) else None
        action = None if token is None else parse_action(token)
        if was_asked(token, times):
            seat = deal.turn
            clock = clocks[seat]
            elapsed_us, allowance_us, stall_us, charged_us = times
            forced = is_free(deal)
            limit_us = clock.limit_us(0, forced)
            bank_before_us = clock.bank_us
            charge = clock.charge(elapsed_us, allowance_us, stall_us, forced)
            notes = []
            if charge.late:
                net_us = elapsed_us - allowance_us - stall_us
                by_cap = forced or clock.control.decision_us <= bank_before_us
                what = "the cap was" if by_cap else "the bank held"
                notes.append(f"late: {_ms(net_us)} ms, {what} {_ms(limit_us)} ms")
            elif action is None and result.forfeit is not None:
                notes.append(f"{result.forfeit.fault}: {printable(result.forfeit.detail)}")
            if forced:
                notes.append("forced")
            yield TimedDecision(
                deal=result.number,
                index=index,
                seat=seat,
                action=None if action is None else action.pretty,
                elapsed_us=elapsed_us,
                allowance_us=allowance_us,
                stall_us=stall_us,
                charged_us=charged_us,
                limit_us=limit_us,
                bank_us=clock.bank_us,
                forced=forced,
                late=charge.late,
                note=", ".join(notes),
            )
        if action is not None:
            deal.apply(action)


def times_json(match: MatchResult, control: TimeControl) -> Json:
    """Return the clocks of a match: its id, its bots, the time control, and the members of each `TimedDecision`."""
    return {
        "match": match.match_id,
        "bots": list(match.bots),
        "time": asdict(control),
        "decisions": [asdict(decision) for decision in timed_decisions(match, control)],
    }


def times_report(match: MatchResult, rules: RuleSet, control: TimeControl) -> Iterator[RenderableType]:
    """Yield the parts of the report of the clocks of a match."""
    first, second = match.bots
    yield Text(f"Match {match.match_id}: {first} – {second}, {rules_text(rules.spec())}")
    yield Text(
        f"Bank {control.bank_us / 1e6:g} s, increment {control.increment_us / 1e6:g} s, at most "
        f"{control.decision_us / 1e6:g} s for a decision, allowance at most {control.lag_us / 1e6:g} s"
    )
    yield Text("All times in milliseconds; charged = elapsed - allowance - stall")
    yield Text("")
    table = new_table()
    add_figures(table, "deal", "no.")
    add_texts(table, "bot", "action")
    add_figures(table, "elapsed", "allowance", "stall", "charged", "bank after")
    add_texts(table, "")
    for decision in timed_decisions(match, control):
        table.add_row(
            str(decision.deal),
            str(decision.index + 1),
            match.bots[decision.seat],
            decision.action or "–",
            _ms(decision.elapsed_us),
            _ms(decision.allowance_us),
            _ms(decision.stall_us),
            _ms(decision.charged_us),
            _ms(decision.bank_us),
            decision.note,
        )
    yield table
    for deal in match.deals:
        if deal.forfeit is not None:
            forfeit = deal.forfeit
            name = match.bots[forfeit.seat]
            yield Text("")
            yield Text(f"Deal {deal.number}: {name} forfeits ({forfeit.fault}): {printable(forfeit.detail)}")


def _ms(microseconds: int) -> str:
    return f"{microseconds / 1000:.3f}"
