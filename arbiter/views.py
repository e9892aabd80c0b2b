"""What readers ask of a store: its standings and its matches, as values that can be written as JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from arbiter.pairs import CLASSES, PairCount, count_pairs
from arbiter.results import MatchSummary, Scoreboard
from arbiter.schedule import round_robin
from arbiter.store import Store, TournamentRow

Json = dict[str, Any]
RulesSpec = str | dict[str, Any]


def bot_names(tournament: TournamentRow) -> list[str]:
    """Return the names of the bots, in the organiser's order."""
    return [bot["name"] for bot in tournament.config["bots"]]


def rules_spec(tournament: TournamentRow) -> RulesSpec:
    """Return the rules as configured: a name, or a table with `base`."""
    spec: RulesSpec = tournament.config["tournament"]["rules"]
    return spec


def scoreboard(store: Store) -> Scoreboard:
    """Return the standings as they are in the store now."""
    board = Scoreboard(bot_names(store.tournament))
    for tally in store.tallies():
        board.add_tally(tally)
    return board


def standings_json(tournament: TournamentRow, scheduled: int, board: Scoreboard) -> Json:
    """Return the standings of a tournament.

    Args:
        tournament: for its name and rules.
        scheduled: matches planned in all.
        board: the results.
    """
    return {
        "tournament": tournament.name,
        "rules": rules_spec(tournament),
        "scheduled": scheduled,
        "played": board.played,
        "void": board.void,
        "standings": [asdict(line) for line in board.standings()],
    }


def is_duplicate(tournament: TournamentRow) -> bool:
    """Does every two matches of a pair share their cards?"""
    return bool(tournament.config["tournament"].get("duplicate", False))


def pair_counts(store: Store) -> list[PairCount]:
    """Return the pairs of a tournament with duplicates as they are in the store now."""
    per_pair = store.tournament.config["tournament"]["matches_per_pair"]
    schedule = round_robin(bot_names(store.tournament), per_pair, duplicate=True)
    attempts = {match_id: attempt for match_id, (_, attempt) in store.progress().items()}
    return count_pairs(schedule, attempts, store.summaries())


def pairs_json(pairs: Iterable[PairCount]) -> list[Json]:
    """Return each line as ``{bots, counts: {LL, LD, WL+DD, WD, WW}, single}``."""
    return [
        {"bots": list(pair.bots), "counts": dict(zip(CLASSES, pair.counts, strict=True)), "single": pair.single}
        for pair in pairs
    ]


def cross_table_json(board: Scoreboard) -> Json:
    """Return ``{bot: {opponent: {won, drawn, lost}}}``."""
    return {
        name: {opponent: asdict(result) for opponent, result in row.items()}
        for name, row in board.cross_table().items()
    }


def match_json(match: MatchSummary) -> Json:
    """Return a match without its deals: the members of `MatchSummary`, its id as `match`, and `void`."""
    values = asdict(match)
    return {"match": values.pop("match_id"), **values, "void": match.void}
