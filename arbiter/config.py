"""The tournament file: TOML, read strictly into frozen models.

Every duration is a text with a unit in the file ("10s") and an integer number of microseconds in the models.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from arbiter import config_problems, database
from arbiter.config_values import (
    Address,
    Duration,
    FilePath,
    ForfeitOf,
    Memory,
    Name,
    PositiveDuration,
    Rules,
    Text,
    is_loopback,
)
from arbiter.policy import Consequence, FaultPolicy
from arbiter.store_errors import StoreError
from sixtysix.rules.ruleset import RuleSet, rule_set
from sixtysix.timecontrol import TimeControl

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HASH = re.compile("[0-9a-f]{64}")
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
    rules: Rules = "schnapsen"
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
    """Where bots connect, and how.

    Attributes:
        listen: "host:port"; port 0 takes a free one.
        tls_cert, tls_key: PEM files of the certificate, with the intermediate ones after it, and of its key.
        client_ca: PEM file of the authorities one of which must have signed the certificate of each client.
        plaintext: connections from other machines without TLS are wanted.
        tokens: file of the hashes of tokens; see `arbiter.tokens`.
        reflection: tell clients the protocol's description.
        tournament_service: answer questions about the tournament, without a token.
        hello_us, commands_per_second, burst, connections: see `arbiter.limits.Limits`.
    """

    listen: Address = "127.0.0.1:0"
    tls_cert: FilePath | None = None
    tls_key: FilePath | None = None
    client_ca: FilePath | None = None
    plaintext: bool = False
    tokens: FilePath | None = None
    reflection: bool = True
    tournament_service: bool = True
    hello_us: PositiveDuration = Field(default=10_000_000, alias="hello")
    commands_per_second: int = Field(default=2_000, ge=1, le=1_000_000)
    burst: int = Field(default=4_000, ge=100, le=1_000_000)
    connections: int = Field(default=2_048, ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _is_encrypted_where_others_listen(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("expected tls_cert and tls_key together, found one of them")
        if self.tls_cert is None and self.client_ca is not None:
            raise ValueError("client_ca needs tls_cert and tls_key: without TLS nobody shows a certificate")
        if self.tls_cert is not None and self.plaintext:
            raise ValueError("expected tls_cert and tls_key, or plaintext = true, found both")
        if self.tls_cert is None and not self.plaintext and not is_loopback(self.listen):
            raise ValueError(
                f"listen = {json.dumps(self.listen)} is reached from other machines: expected tls_cert and tls_key, "
                "or plaintext = true if everybody on the way may read tokens and cards"
            )
        return self


class StoreSection(_Section):
    """Where results go instead of a file in `out`: `url` is that of a database, without a password."""

    url: str

    # Of the whole section: the message of a single key would quote the URL with its password.
    @model_validator(mode="after")
    def _is_a_database(self) -> Self:
        if "://" not in self.url:
            raise ValueError(f"expected the URL of a database, {database.EXPECTED}")
        try:
            database.address(self.url)
        except StoreError as error:
            raise ValueError(str(error)) from None
        return self


class WebSection(_Section):
    """A page that shows the tournament while it is played.

    Attributes:
        listen: "host:port"; port 0 takes a free one.
        public: others may reach it, without TLS.
        viewers: so many may watch at once.
    """

    listen: Address
    public: bool = False
    viewers: int = Field(default=200, ge=1, le=10_000)

    @model_validator(mode="after")
    def _is_public_where_others_look(self) -> Self:
        if not self.public and not is_loopback(self.listen):
            raise ValueError(
                f"listen = {json.dumps(self.listen)} is reached from other machines: expected public = true if "
                "everybody there may look (there is no TLS)"
            )
        return self


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
    """One bot: started by the arbiter (`command`) or awaited, known by a token.

    Attributes:
        name: unique in the tournament.
        command: program and arguments; "{python}" is expanded by the launcher.
        token_env: environment variable of the arbiter that holds the token by which the bot is known.
        token_hash: instead, the SHA-256 of the token; without any of the three the token is in `server.tokens`.
        env: added to the environment of the command.
        cwd: working directory of the command, relative to where the arbiter is started.
        concurrency: the most matches it plays at once; None leaves it to the bot.
        memory: the most memory for data, in bytes, of each process of the command; None for no limit.
        vouched: a remote bot that is trusted not to remember the first half of a duplicate in the second.
    """

    name: Name
    command: tuple[Text, ...] | None = Field(default=None, strict=False, min_length=1)
    token_env: str | None = None
    token_hash: str | None = None
    env: dict[str, str] = Field(default={})
    cwd: FilePath | None = None
    concurrency: int | None = Field(default=None, ge=1, le=10_000)
    memory: Memory | None = None
    vouched: bool = False

    @field_validator("token_env")
    @classmethod
    def _is_variable(cls, value: str | None) -> str | None:
        if value is not None and not _VARIABLE.fullmatch(value):
            raise ValueError('expected the name of an environment variable, such as "GUEST_TOKEN"')
        return value

    @field_validator("token_hash")
    @classmethod
    def _is_hash(cls, value: str | None) -> str | None:
        if value is not None and not _HASH.fullmatch(value):
            raise ValueError("expected the 64 hexadecimal digits that `arbiter token` shows")
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
        ways = {"command": self.command, "token_env": self.token_env, "token_hash": self.token_hash}
        found = [key for key, value in ways.items() if value is not None]
        if len(found) > 1:
            raise ValueError(f"expected one of {', '.join(ways)}, found {' and '.join(found)}")
        if self.command is None and (self.env or self.cwd is not None or self.memory is not None):
            raise ValueError("env, cwd and memory are for bots with a command")
        if self.command is not None and self.vouched:
            raise ValueError("vouched is for bots that are awaited: local bots get a process for each half")
        return self


class TournamentConfig(_Section):
    """A whole tournament file with all defaults filled in."""

    tournament: TournamentSection
    server: ServerSection = ServerSection()
    store: StoreSection | None = None
    web: WebSection | None = None
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
            for key, value in (("name", bot.name), ("token_env", bot.token_env), ("token_hash", bot.token_hash)):
                if value is None:
                    continue
                first = seen.setdefault((key, value), index)
                if first != index:
                    raise ValueError(f'bots[{first}] and bots[{index}] have the same {key} "{value}"')
        return bots

    @field_validator("bots")
    @classmethod
    def _have_a_way_in(cls, bots: tuple[BotSection, ...], info: ValidationInfo) -> tuple[BotSection, ...]:
        server = info.data.get("server")
        if server is not None and server.tokens is None:
            for index, bot in enumerate(bots):
                if bot.command is None and bot.token_env is None and bot.token_hash is None:
                    raise ValueError(
                        f"bots[{index}]: expected command, token_env or token_hash, or tokens in [server], found none"
                    )
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
    "store": StoreSection,
    "web": WebSection,
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
