"""What happens at the table, in sentences: what others do, what closing means now, how deals and matches end."""

from sixtysix.bot import DealInfo, MatchInfo, MatchReport
from sixtysix.human.terminal import Look, printable
from sixtysix.rules import Card, Closing, Event, EventKind, Outcome, Reason, RuleSet, View
from sixtysix.rules.ruleset import ClosedUnclaimed, CloserFails, Measure, Unclaimed
from sixtysix.rules.scoring import Ending, claimed, unclaimed


class Story:
    """Tells one match to the person in one seat.

    Args:
        look: how cards are written.
        match: the match.
    """

    def __init__(self, look: Look, match: MatchInfo) -> None:
        self.look = look
        self.rules: RuleSet = match.rules
        self.seat = match.seat
        self.opponent = printable(match.opponent) or "the opponent"
        first = printable(match.opponent) or "The opponent"
        self._subjects = ("You", first) if match.seat == 0 else (first, "You")
        self._match = match
        self._closing_seat: int | None = None
        self._on_table = False

    def match_start(self) -> list[str]:
        """Who plays what, and by which clock."""
        lines = [
            f"{self.rules.title}: you against {self.opponent}, first to {points(self.rules.target, 'game point')}."
        ]
        control = self._match.time_control
        if control is not None:
            more = f", and {seconds(control.increment_us)} more after each" if control.increment_us else ""
            lines.append(
                f"You have {seconds(control.decision_us)} for a decision"
                f" and {seconds(control.bank_us)} for all of the match{more}."
            )
        return lines

    def deal_start(self, deal: DealInfo) -> list[str]:
        """Number, score and dealer."""
        self._closing_seat, self._on_table = None, False
        lines = [self.look.heading(f"Deal {deal.number}, {self.score(deal.own_score, deal.opponent_score)}")]
        if deal.carry:
            lines.append(f"The winner of this deal gets {points(deal.carry, 'game point')} on top.")
        return lines

    def score(self, own: int, other: int) -> str:
        """The match score; what is left to win, where people count down."""
        if not self.rules.score_down:
            return f"you {own} : {other} {self.opponent}"
        target = self.rules.target
        return f"to go: you {max(0, target - own)} : {max(0, target - other)} {self.opponent}"

    def event(self, event: Event) -> list[str]:
        """One thing that happened; nothing for what the person's own hand shows."""
        cards = [self.look.card(card) for card in event.cards]
        match event.kind:
            case EventKind.TURNED_UP:
                assert event.suit is not None
                trump = self.look.suit(event.suit)
                return [f"{self._starts(event.seat, 'deal')}. {cards[0]} is turned up: trump is {trump}."]
            case EventKind.PLAYED:
                verb = "answer with" if self._on_table else "lead"
                self._on_table = True
                return [f"{self._starts(event.seat, verb)} {cards[0]}."]
            case EventKind.TRICK:
                self._on_table = False
                return [f"{self._starts(event.seat, 'win')} the trick: {self._trick_points(event)}."]
            case EventKind.DREW:
                return [f"{self._starts(event.seat, 'draw')} {cards[0]}."] if cards else []
            case EventKind.EXCHANGED:
                return [f"{self._starts(event.seat, 'exchange')} {cards[0]} for {cards[1]}."]
            case EventKind.MARRIAGE:
                return [f"{self._starts(event.seat, 'declare')} {cards[0]} {cards[1]}, a marriage of {event.points}."]
            case EventKind.TRUMP_CHANGED:
                assert event.suit is not None
                return [f"{self._starts(event.seat, 'show')} {cards[0]}: trump is {self.look.suit(event.suit)} now."]
            case EventKind.CLOSED:
                self._closing_seat = event.seat
                return [f"{self._starts(event.seat, 'close')} the talon."]
            case EventKind.CLAIMED:
                return [f"{self._starts(event.seat, 'claim')}, with {points(event.points, 'point')}."]
            case EventKind.PASSED:
                return [f"{self._starts(event.seat, 'pass')}."]
        return []

    def closing(self, closing: Closing) -> str:
        """What it means that the talon is closed."""
        rules, closer, other = self.rules, closing.seat, 1 - closing.seat
        aim = f"{self._does(closer, 'need')} a claim of {rules.claim_points}"
        if rules.closer_fails is CloserFails.NO_PENALTY:
            return f"nobody draws; {aim}, and without any claim the deal is a draw"
        now = failed_close(rules, closing, closer_has_trick=False)
        later = failed_close(rules, closing, closer_has_trick=True)
        price = points(later, "game point")
        if now != later:
            price = f"{price} ({now} while {self.name(closer)} {self._verb(closer, 'have')} no trick)"
        tie = rules.closed_unclaimed is ClosedUnclaimed.TIE_AT_66
        unless = f" ({rules.claim_points} without a claim is a tie)" if tie else ""
        return f"nobody draws; {aim}, otherwise {self._does(other, 'get')} {price}{unless}"

    def claim(self, outcome: Outcome) -> str:
        """What a claim would bring now."""
        if outcome.winner is None:
            return "nobody would score"
        return f"{self.name(outcome.winner)} would get {points(outcome.game_points, 'game point')}"

    def outcome(self, outcome: Outcome) -> list[str]:
        """How a deal ended, why, and what it is worth."""
        winner = outcome.winner
        own, other = self.seat, 1 - self.seat
        if winner is None:
            lines = [f"Nobody scores: {self._why_nobody(outcome)}."]
            if outcome.carry:
                lines[0] += f" The next winner gets {points(outcome.carry, 'game point')} on top."
        else:
            lines = [f"{self._starts(winner, 'win')} the deal: {self._why(outcome, winner)}."]
            gained = outcome.score_change[winner]
            worth = f"{self._starts(winner, 'get')} {points(gained, 'game point')}"
            if gained != outcome.game_points:
                worth += f", {gained - outcome.game_points} of them carried over"
            loss = outcome.score_change[1 - winner]
            lines.append(f"{worth}; {self._does(1 - winner, 'lose')} {-loss}." if loss else f"{worth}.")
        lines.append(
            f"Card points: you {outcome.card_points[own]}, {self.opponent} {outcome.card_points[other]};"
            f" tricks: you {outcome.tricks[own]}, {self.opponent} {outcome.tricks[other]}."
        )
        return lines

    def match_end(self, report: MatchReport) -> list[str]:
        """Who has won the match, and why it ended if not by the score."""
        if report.reason == "void":
            text = "The match does not count"
        elif report.won is None:
            text = f"The match is drawn after {self._match.deal_limit} deals"
        else:
            text = "You win the match" if report.won else f"{self._subjects[1 - self.seat]} wins the match"
        lines = [self.look.heading(f"{text}, {self.score(report.own_score, report.opponent_score)}")]
        if report.detail:
            lines.append(printable(report.detail))
        return lines

    def cards(self, cards: tuple[Card, ...] | list[Card]) -> str:
        """Cards in a row."""
        return " ".join(self.look.card(card) for card in cards)

    def name(self, seat: int) -> str:
        """``you``, or the opponent's name."""
        return "you" if seat == self.seat else self.opponent

    def _trick_points(self, event: Event) -> str:
        plain = sum(self.rules.tables.points[card] for card in event.cards)
        bonus = f", {event.points - plain} of them for the last trick" if event.points != plain else ""
        return f"{points(event.points, 'point')}{bonus}"

    def _why(self, outcome: Outcome, winner: int) -> str:
        loser = 1 - winner
        match outcome.reason:
            case Reason.CLAIM:
                at_close = self.rules.closer_measure is Measure.AT_CLOSE and self._closing_seat == winner
                return f"the claim is right, and {self._behind(outcome, loser, at_close)}"
            case Reason.FALSE_CLAIM:
                return f"the claim is false, {self.rules.claim_points} points are needed"
            case Reason.FAILED_CLOSE:
                return f"{self.name(loser)} closed and did not make a correct claim"
            case Reason.CLOSER_BEATEN:
                return f"{self.name(loser)} closed, but {self.name(winner)} claimed first"
            case Reason.LAST_TRICK:
                if self.rules.unclaimed is Unclaimed.LAST_TRICK_FLAT:
                    return "nobody claimed, and the last trick decides"
                return f"the last trick decides, and {self._behind(outcome, loser, at_close=False)}"
            case Reason.HIGHER_TOTAL:
                return "nobody claimed, and the higher total decides"
            case _:
                return f"{self.name(loser)} forfeited it"

    def _why_nobody(self, outcome: Outcome) -> str:
        match outcome.reason:
            case Reason.BOTH_OVER_66:
                return f"the claim is right, but the other has more than {self.rules.claim_points} too"
            case Reason.TIE:
                return "a tie"
            case _:
                return "a draw"

    def _behind(self, outcome: Outcome, loser: int, at_close: bool) -> str:
        had = "had" if at_close else self._verb(loser, "have")
        when = " at the close" if at_close else ""
        least = self.rules.schneider_points
        share = {3: "no trick", 2: f"less than {least} points"}.get(outcome.game_points, f"{least} points or more")
        return f"{self.name(loser)} {had} {share}{when}"

    def _verb(self, seat: int, verb: str) -> str:
        if seat == self.seat:
            return verb
        first, space, rest = verb.partition(" ")
        third = "has" if first == "have" else first + ("es" if first.endswith("s") else "s")
        return third + space + rest

    def _does(self, seat: int, verb: str) -> str:
        return f"{self.name(seat)} {self._verb(seat, verb)}"

    def _starts(self, seat: int, verb: str) -> str:
        return f"{self._subjects[seat]} {self._verb(seat, verb)}"


def failed_close(rules: RuleSet, closing: Closing, *, closer_has_trick: bool) -> int:
    """Game points for the other player if the closer does not claim correctly."""
    tricks = list(closing.tricks)
    tricks[closing.seat] = int(closer_has_trick)
    end = Ending(rules, (0, 0), (tricks[0], tricks[1]), closing, 0)
    return unclaimed(end, 1 - closing.seat).game_points


def claim_now(view: View) -> Outcome:
    """What a claim of the seat of the view would bring."""
    own, other = view.own_card_points, view.opponent_card_points
    tricks, other_tricks = view.own_tricks, view.opponent_tricks
    if view.seat == 0:
        end = Ending(view.rules, (own, other), (tricks, other_tricks), view.closing, view.carry)
    else:
        end = Ending(view.rules, (other, own), (other_tricks, tricks), view.closing, view.carry)
    return claimed(end, view.seat)


def points(number: int, unit: str) -> str:
    """A number of points with its unit."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def seconds(us: int) -> str:
    """A time for people: tenths below 10 s."""
    return f"{us / 1e6:.1f} s" if us < 10_000_000 else f"{us / 1e6:.0f} s"
