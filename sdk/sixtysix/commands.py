"""What the commands of ``python -m sixtysix`` do: replay deal records, play bots against each other."""

import json
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path
from time import monotonic, perf_counter

from sixtysix.loading import load_bot
from sixtysix.local import LocalResult
from sixtysix.rules import RuleSet, RuleSetError, parse_spec, replay_text, rule_set
from sixtysix.series import Series, Tally, play_series

DONE, USER_ERROR, INTERRUPTED, OUR_FAULT = 0, 1, 3, 4
"""Exit statuses."""

_SECONDS_BETWEEN_REPORTS = 2.0


class CommandError(Exception):
    """Bad input to a command; the message says what and where."""


def replay(file: str, *, trace: bool) -> int:
    """Print one JSON line for every record of a file, ``-`` for standard input; returns the exit status."""
    status = DONE
    for result in replay_text(read_text(file), trace=trace):
        print(json.dumps(result))
        if "error" in result:
            status = USER_ERROR
    return status


def read_text(file: str) -> str:
    """The text of a file, ``-`` for standard input; raises CommandError."""
    shown = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{shown} is not UTF-8 text: byte {error.start} is {data[error.start]:#04x}") from None
    except OSError as error:
        raise CommandError(f"cannot read {shown}: {error.strerror}") from None


def play(
    rules: str,
    names: tuple[str, str],
    *,
    matches: int,
    seed: int,
    deal_limit: int,
    jobs: int,
    pairs: bool,
    each: bool,
    as_json: bool,
) -> int:
    """Play matches between two bots and print what they won; returns the exit status.

    With `pairs`, every two matches share their cards. With `each`, every match is printed as a line of JSON when it
    ends, in place of the sum.

    Raises CommandError for a rule set and BotError for a bot that cannot be used. An interrupt ends the matches, and
    what was played until then is printed.
    """
    if pairs and matches % 2:
        raise CommandError(f"--matches: with --pairs expected an even number, found {matches}")
    series = Series(read_rule_set(rules), names, matches, seed, deal_limit, pairs)
    tally, status = Tally(pairs=[0] * 5 if pairs else None), DONE
    output = sys.stdout
    # A bot that prints must not spoil the report.
    with redirect_stdout(sys.stderr):
        bots = (load_bot(names[0]), load_bot(names[1]))
        for name, bot in zip(names, bots, strict=True):
            if bot.rule_sets and series.rules.name not in bot.rule_sets:
                raise CommandError(f"{name} plays only {', '.join(bot.rule_sets)}, not {series.rules.name}")
        started = perf_counter()
        progress = Progress(matches)
        with closing(play_series(series, bots, jobs)) as results:
            try:
                for result in results:
                    tally.add(result)
                    if each:
                        print(json.dumps(_match_json(result)), file=output, flush=True)
                    progress.update(tally.matches)
            except KeyboardInterrupt:
                status = INTERRUPTED
        seconds = perf_counter() - started
    if status == INTERRUPTED:
        print(f"interrupted after {tally.matches} of {matches} matches", file=sys.stderr)
    if each:
        return status
    if as_json:
        print(json.dumps(_as_json(series, tally, seconds)))
    else:
        print(_as_text(series, tally, seconds))
    return status


def read_rule_set(text: str) -> RuleSet:
    """The rule set of the option ``--rules``: a name, or a JSON object; raises CommandError."""
    try:
        return rule_set(parse_spec(text))
    except RuleSetError as error:
        raise CommandError(f"--rules: {error}") from None


class Progress:
    """A line on standard error now and then, if it is a terminal."""

    def __init__(self, matches: int) -> None:
        self._matches = matches
        self._shown = sys.stderr.isatty()
        self._started = self._last = monotonic()

    def update(self, played: int) -> None:
        """Report how far it is, unless the last report is recent."""
        now = monotonic()
        if self._shown and now - self._last >= _SECONDS_BETWEEN_REPORTS:
            self._last = now
            rate = played / (now - self._started)
            left = (self._matches - played) / rate
            print(f"{played} of {self._matches} matches, {rate:.0f}/s, {left:.0f} s left", file=sys.stderr)


def _match_json(result: LocalResult) -> dict[str, object]:
    return {
        "match": result.number,
        "winner": result.winner,
        "deals": result.deals,
        "game_points": result.game_points,
    }


def _as_json(series: Series, tally: Tally, seconds: float) -> dict[str, object]:
    pairs = {} if tally.pairs is None else {"pairs": tally.pairs}
    return {
        "rules": series.rules.spec(),
        "matches": tally.matches,
        "wins": tally.wins,
        "draws": tally.draws,
        "deals": tally.deals,
        "game_points": tally.game_points,
        "seconds": round(seconds, 3),
        "per_deal": tally.per_deal,
        "interval": tally.interval,
        **pairs,
    }


def _as_text(series: Series, tally: Tally, seconds: float) -> str:
    spec = series.rules.spec()
    rules = spec if isinstance(spec, str) else json.dumps(spec)
    lines = [f"{rules}: {tally.matches} matches, seed {series.seed}"]
    width = max(len("drawn"), *(len(name) for name in series.names))
    for label, won, points in zip(series.names, tally.wins, tally.game_points, strict=True):
        share = f" ({won / tally.matches:6.1%})" if tally.matches else ""
        lines.append(f"  {label:{width}}  {won:7} won{share}  {points:8} game points")
    lines.append(f"  {'drawn':{width}}  {tally.draws:7}")
    if tally.pairs is not None:
        counts = ",".join(map(str, tally.pairs))
        lines.append(f"  pairs LL,LD,WL+DD,WD,WW: {counts} (what that means: arbiter elo --pairs {counts})")
    if tally.per_deal is not None:
        interval = tally.interval
        sure = "" if interval is None else f" (95 %: {interval[0]:+.3f} to {interval[1]:+.3f})"
        lines.append(f"  game points per deal, {series.names[0]} minus {series.names[1]}: {tally.per_deal:+.3f}{sure}")
        lines.append(f"  {tally.deals} deals in {seconds:.1f} s, {tally.deals / seconds:.0f} deals/s")
    return "\n".join(lines)
