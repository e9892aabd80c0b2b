"""What the page shows of a tournament, as one JSON value.

Only matches that count are in it, and of these the cards only where nobody can play them any more. The members:

`tournament`
    {name, rules, created, target, finished, scheduled, played, void, deals, decisions}; `rules` is the text for people,
    and `decisions` are those whose times are counted.
`bots`
    names, best first: all lists by bot below are in this order.
`standings`
    the members of `arbiter.results.Standing`.
`cross`
    cross[row][column]: the members of `arbiter.html_report.tally.Meeting`; null on the diagonal.
`endings`
    the members of `arbiter.html_report.endings.Endings`.
`times`
    {decisions, median_us, p95_us, p99_us, bins} of decisions that were not forced; `bins` is {bin: decisions} as in
    `arbiter.html_report.times.Times.bins`.
`ratings`
    as `arbiter ratings --json` prints them.
`progress`
    as `arbiter.html_report.progress.progress_json` returns it.
`matches`
    those that can be replayed, by id, in the form of `arbiter.html_report.replay`.
`left_out`
    {hidden, limit}: matches that are not in `matches`, since their cards can still be played, or for their number.
`texts`
    {ends, reasons}: why a match and why a deal ended, in words.
"""

from collections.abc import Sequence
from dataclasses import asdict

from arbiter import views
from arbiter.config import parse
from arbiter.html_report.progress import progress_json
from arbiter.html_report.replay import match_json, replay
from arbiter.html_report.tally import Meetings, Tally
from arbiter.match_report import DEAL_REASONS
from arbiter.rating_report import ratings_json
from arbiter.rating_sources import add_tournament
from arbiter.ratings.matches import Matches
from arbiter.ratings.table import rate
from arbiter.report import REASONS, rules_text
from arbiter.results import MatchSummary, Scoreboard, is_walkover
from arbiter.results import Tally as Counts
from arbiter.reveal import Reveal, is_finished
from arbiter.store import Store
from arbiter.times_report import timed_decisions
from arbiter.views import Json

MOST_MATCHES = 2000
"""Matches that can be replayed unless more are asked for. Each takes some 4 kB of the page."""


def report_data(store: Store, most_matches: int | None = MOST_MATCHES) -> Json:
    """Return what the page shows of a tournament, also while it is played.

    Memory grows with the matches that can be replayed, not with those of the tournament.

    Args:
        store: of the tournament.
        most_matches: those that can be replayed, spread evenly over the tournament; None for all.
    """
    tournament = store.tournament
    names = views.bot_names(tournament)
    control = parse(tournament.config, "the configuration in the store").time_control()
    board, meetings, tally = Scoreboard(names), Meetings(names), Tally(names)
    reveal = Reveal(store)
    fixed = sum(state == "fixed" for state in store.states().values())
    ended: list[MatchSummary] = []
    matches: list[Json] = []
    shown = hidden = 0
    for stored in store.attempts():
        match = stored.result
        summary = match.summary()
        board.add(summary)
        meetings.add(Counts.of(summary))
        if match.void:
            continue
        ended.append(summary)
        decisions = list(timed_decisions(match, control))
        deals = [replay(deal) for deal in match.deals]
        tally.add(match, deals, decisions)
        if not reveal.shows(stored):
            hidden += 1
            continue
        if most_matches is None or is_chosen(shown, fixed, most_matches):
            matches.append(match_json(match, deals, {(each.deal, each.index): each for each in decisions}))
        shown += 1
    return {
        **figures(store, board, meetings, tally, ended),
        "matches": matches,
        "left_out": {"hidden": hidden, "limit": shown - len(matches)},
    }


def figures(store: Store, board: Scoreboard, meetings: Meetings, tally: Tally, ended: Sequence[MatchSummary]) -> Json:
    """Return what the page shows but for the matches: all members except `matches` and `left_out`.

    Args:
        store: of the tournament.
        board: of all matches that have ended.
        meetings: of the same.
        tally: of the same, or of those whose deals have been looked at so far.
        ended: the matches; those that do not count are left out.
    """
    tournament = store.tournament
    config = parse(tournament.config, "the configuration in the store")
    rated = Matches()
    add_tournament(rated, store)
    standings = board.standings()
    order = [line.name for line in standings]
    return {
        "tournament": {
            "name": tournament.name,
            "rules": rules_text(views.rules_spec(tournament)),
            "created": tournament.created,
            "target": config.rule_set().target,
            "finished": is_finished(store),
            "scheduled": store.scheduled,
            "played": board.played,
            "void": board.void,
            "deals": sum(line.deals for line in standings) // 2,
            "decisions": tally.decisions,
        },
        "bots": order,
        "standings": [asdict(line) for line in standings],
        "cross": meetings.cross_json(order),
        "endings": tally.endings_json(order),
        "times": tally.times_json(order),
        "ratings": ratings_json(rate(rated)),
        "progress": progress_json(order, [match for match in ended if _was_tried(match)]),
        "texts": {"ends": REASONS, "reasons": DEAL_REASONS},
    }


def _was_tried(match: MatchSummary) -> bool:
    faults = sum(stats.faults for stats in match.seats)
    return not match.void and not is_walkover(match.reason, match.deals, faults)


def is_chosen(index: int, total: int, most: int) -> bool:
    """Is the match of this index, from 0, one of `most` that are spread evenly over `total`?"""
    return (index + 1) * most // max(total, most) > index * most // max(total, most)
