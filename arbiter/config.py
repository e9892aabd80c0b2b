"""The tournament file: TOML, read strictly into frozen models.

Every duration is a text with a unit in the file ("10s") and an integer number of microseconds in the models.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    field_validator,
    model_validator,
)

from arbiter import config_problems
from arbiter.durations import format_duration, parse_duration
from arbiter.policy import Consequence, FaultPolicy
from sixtysix.rules.ruleset import RuleSet, rule_set
from sixtysix.timecontrol import TimeControl

TEMPLATE = """\
# A tournament of bots. Start it with: arbiter run tournament.toml
# Durations are texts with a unit: "250us", "50ms", "10s", "2m", "1h".

[tournament]
name = "tournament"              # letters, digits, ".", "_" and "-"
rules = "schnapsen"              # `arbiter rules` lists them; or a table: { base = "schnapsen", target = 5 }
matches_per_pair = 20            # even: each bot deals first equally often
concurrency = 2                  # matches at once
deal_limit = 100                 # a match that lasts longer is drawn
out = "runs/tournament"          # results, effective configuration and the bots' logs go here

[server]
listen = "127.0.0.1:0"           # host:port; port 0 takes a free one

[time]
ready = "10s"                    # from the offer of a match to the bot's "ready"
decision = "1s"                  # the most that one decision may take
bank = "30s"                     # thinking time for a whole match
increment = "50ms"               # added to the bank after each decision
lag = "20ms"                     # network time per decision that is not charged, at most

[faults]
illegal = "deal"                 # an illegal action forfeits the "deal" or the "match"
late = "deal"                    # so does a late one
limit = 3                        # this many faults in a match forfeit the match
reconnect = "10s"                # a lost connection may be resumed for so long

# One table for each bot. The arbiter starts those that have a command; {python} is the Python it runs on.
[[bots]]
name = "random"
command = ["{python}", "-m", "example_bots.random_bot"]

[[bots]]
name = "greedy"
command = ["{python}", "-m", "example_bots.greedy_bot"]

[[bots]]
name = "counting"
command = ["{python}", "-m", "example_bots.counting_bot"]
# env = { DEPTH = "3" }          # added to its environment
# cwd = "bots/counting"          # where it is started
# concurrency = 1                # the most matches it plays at once

# A bot without a command is awaited: it connects with the token found in this environment variable.
# [[bots]]
# name = "guest"
# token_env = "GUEST_TOKEN"
"""

_NAME = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,64}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_RESERVED_PREFIX = "SIXTYSIX_"
_CONSEQUENCES = {"deal": Consequence.FORFEIT_DEAL, "match": Consequence.FORFEIT_MATCH}


class ConfigError(Exception):
    """The tournament file cannot be used.

    Attributes:
        problems: one line for each, naming the file, the place in it and what is valid there.
    """

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def _positive_duration(value: object) -> int:
    duration_us = parse_duration(value)
    if duration_us == 0:
        raise ValueError("expected a duration longer than 0")
    return duration_us


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError('expected 1 to 64 letters, digits, ".", "_" or "-", with a letter or digit among them')
    return value


def _listen(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not _HOST.fullmatch(host) or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError('expected host:port with a port from 0 to 65535, such as "127.0.0.1:0" or "[::1]:6600"')
    return value


def _text(value: str) -> str:
    if not value or "\0" in value:
        raise ValueError("expected a text that is not empty and has no NUL character")
    return value


def _path(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("expected a path as text")
    return Path(value)


def _rules(value: object) -> object:
    if not isinstance(value, str | dict):
        raise ValueError('expected the name of a rule set, or a table such as { base = "schnapsen", target = 5 }')
    rule_set(value)
    return value


Duration = Annotated[int, BeforeValidator(parse_duration), PlainSerializer(format_duration)]
PositiveDuration = Annotated[int, BeforeValidator(_positive_duration), PlainSerializer(format_duration)]
Name = Annotated[str, AfterValidator(_name)]
Text = Annotated[str, AfterValidator(_text)]
FilePath = Annotated[Path, BeforeValidator(_path)]
ForfeitOf = Literal["deal", "match"]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class TournamentSection(_Section):
    """What is played.

    Attributes:
        name: of the tournament; the name of the file by default.
        rules: name of a rule set, or a table with `base` and fields to change.
        matches_per_pair: even.
        concurrency: matches at once.
        deal_limit: a match is drawn after this many deals.
        duplicate: every two matches of a pair share their cards, with the seats changed.
        out: directory of the results, relative to where the arbiter is started; "runs/<name>" by default.
    """

    name: Name
    rules: Annotated[str | dict[str, Any], BeforeValidator(_rules)] = "schnapsen"
    matches_per_pair: int = Field(default=20, ge=2, le=1_000_000)
    concurrency: int = Field(default=2, ge=1, le=10_000)
    deal_limit: int = Field(default=100, ge=1, le=1_000_000)
    duplicate: bool = False
    out: FilePath

    @field_validator("matches_per_pair")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("expected an even number, so that each bot deals first equally often")
        return value


class ServerSection(_Section):
    """Where bots connect: `listen` is "host:port", port 0 takes a free one."""

    listen: Annotated[str, AfterValidator(_listen)] = "127.0.0.1:0"


class TimeSection(_Section):
    """The time control; see `sixtysix.timecontrol.TimeControl`."""

    ready_us: PositiveDuration = Field(default=10_000_000, alias="ready")
    decision_us: PositiveDuration = Field(default=1_000_000, alias="decision")
    bank_us: PositiveDuration = Field(default=30_000_000, alias="bank")
    increment_us: Duration = Field(default=50_000, alias="increment")
    lag_us: Duration = Field(default=20_000, alias="lag")


class FaultsSection(_Section):
    """What follows from faults; see `arbiter.policy.FaultPolicy`."""

    illegal: ForfeitOf = "deal"
    late: ForfeitOf = "deal"
    limit: int = Field(default=3, ge=1, le=1_000_000)
    reconnect_us: Duration = Field(default=10_000_000, alias="reconnect")
    withdraw: int = Field(default=3, ge=1, le=1_000_000)


class BotSection(_Section):
    """One bot: started by the arbiter (`command`) or awaited (`token_env`).

    Attributes:
        name: unique in the tournament.
        command: program and arguments; "{python}" is expanded by the launcher.
        token_env: environment variable of the arbiter that holds the token by which the bot is known.
        env: added to the environment of the command.
        cwd: working directory of the command, relative to where the arbiter is started.
        concurrency: the most matches it plays at once; None leaves it to the bot.
        vouched: a remote bot that is trusted not to remember the first half of a duplicate in the second.
    """

    name: Name
    command: tuple[Text, ...] | None = Field(default=None, strict=False, min_length=1)
    token_env: str | None = None
    env: dict[str, str] = Field(default={})
    cwd: FilePath | None = None
    concurrency: int | None = Field(default=None, ge=1, le=10_000)
    vouched: bool = False

    @field_validator("token_env")
    @classmethod
    def _is_variable(cls, value: str) -> str:
        if not _VARIABLE.fullmatch(value):
            raise ValueError('expected the name of an environment variable, such as "GUEST_TOKEN"')
        return value

    @field_validator("env")
    @classmethod
    def _is_environment(cls, env: dict[str, str]) -> dict[str, str]:
        for name, value in env.items():
            if not _VARIABLE.fullmatch(name):
                raise ValueError(f"{json.dumps(name)} is not the name of an environment variable")
            if name.startswith(_RESERVED_PREFIX):
                raise ValueError(f"{name}: names that begin with {_RESERVED_PREFIX} are set by the arbiter")
            if "\0" in value:
                raise ValueError(f"the value of {name} has a NUL character")
        return env

    @model_validator(mode="after")
    def _is_local_or_remote(self) -> Self:
        if self.command is None and self.token_env is None:
            raise ValueError("expected command or token_env, found neither")
        if self.command is not None and self.token_env is not None:
            raise ValueError("expected command or token_env, found both")
        if self.command is None and (self.env or self.cwd is not None):
            raise ValueError("env and cwd are for bots with a command")
        if self.command is not None and self.vouched:
            raise ValueError("vouched is for bots that are awaited: local bots get a process for each half")
        return self


class TournamentConfig(_Section):
    """A whole tournament file with all defaults filled in."""

    tournament: TournamentSection
    server: ServerSection = ServerSection()
    time: TimeSection = TimeSection()
    faults: FaultsSection = FaultsSection()
    bots: tuple[BotSection, ...] = Field(strict=False)

    @field_validator("bots")
    @classmethod
    def _are_distinct(cls, bots: tuple[BotSection, ...]) -> tuple[BotSection, ...]:
        if len(bots) < 2:
            raise ValueError(f"expected at least 2 bots, found {len(bots)}")
        seen: dict[tuple[str, str], int] = {}
        for index, bot in enumerate(bots):
            for key, value in (("name", bot.name), ("token_env", bot.token_env)):
                if value is None:
                    continue
                first = seen.setdefault((key, value), index)
                if first != index:
                    raise ValueError(f'bots[{first}] and bots[{index}] have the same {key} "{value}"')
        return bots

    @model_validator(mode="after")
    def _duplicates_are_vouched_for(self) -> Self:
        if self.tournament.duplicate:
            for index, bot in enumerate(self.bots):
                if bot.command is None and not bot.vouched:
                    raise ValueError(
                        f"tournament.duplicate: bots[{index}] {json.dumps(bot.name)} is awaited, and a bot that "
                        "remembers the first half of a duplicate holds its opponent's cards in the second; "
                        "set vouched = true for it if you trust its author"
                    )
        return self

    def rule_set(self) -> RuleSet:
        """Return the rule set that is played."""
        return rule_set(self.tournament.rules)

    def time_control(self) -> TimeControl:
        """Return the time control of every match."""
        time = self.time
        return TimeControl(time.ready_us, time.decision_us, time.bank_us, time.increment_us, time.lag_us)

    def fault_policy(self) -> FaultPolicy:
        """Return what follows from faults."""
        faults = self.faults
        return FaultPolicy(_CONSEQUENCES[faults.illegal], _CONSEQUENCES[faults.late], faults.limit, faults.reconnect_us)

    def to_toml_dict(self) -> dict[str, Any]:
        """Return the effective configuration as JSON values, in the form of the tournament file.

        Tokens are not in it, only the names of the variables that hold them.
        """
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


_SECTIONS: dict[str, type[BaseModel]] = {
    "tournament": TournamentSection,
    "server": ServerSection,
    "time": TimeSection,
    "faults": FaultsSection,
    "bots": BotSection,
}


def load(path: str | Path) -> TournamentConfig:
    """Read a tournament file.

    Raises:
        ConfigError: it cannot be read, is not TOML, or is not a valid tournament.
    """
    path = Path(path)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read: {error.strerror}"]) from error
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise ConfigError([f"{path}:{line}: not UTF-8 text"]) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([config_problems.describe_syntax(path, text, str(error))]) from error
    except (ValueError, RecursionError) as error:
        # Not syntax errors: a number of thousands of digits, or nesting beyond the parser's stack.
        raise ConfigError([f"{path}: not usable TOML: {error}"]) from error
    return parse(data, str(path), default_name=path.stem)


def parse(data: Mapping[str, Any], source: str, default_name: str | None = None) -> TournamentConfig:
    """Check a tournament that has been read, for instance an effective configuration.

    Args:
        data: in the form of the tournament file.
        source: what to call it in errors.
        default_name: name of the tournament if it gives none.

    Raises:
        ConfigError: it is not a valid tournament.
    """
    try:
        return TournamentConfig.model_validate(_with_names(data, default_name))
    except ValidationError as error:
        # The misspelt key comes before the complaint that the right one is missing.
        details = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
        raise ConfigError([f"{source}: {config_problems.describe(item, _valid_keys)}" for item in details]) from error


def _with_names(data: Mapping[str, Any], default_name: str | None) -> dict[str, Any]:
    """Return the data with the two defaults that depend on something else."""
    section = data.get("tournament", {})
    if not isinstance(section, dict):
        return dict(data)
    section = dict(section)
    if default_name is not None:
        section.setdefault("name", default_name)
    section.setdefault("out", f"runs/{section.get('name', '')}")
    return {**data, "tournament": section}


def _valid_keys(table: tuple[int | str, ...]) -> list[str]:
    model = _SECTIONS[str(table[0])] if table else TournamentConfig
    return [field.alias or name for name, field in model.model_fields.items()]
