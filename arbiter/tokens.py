"""Tokens: the secrets by which bots are known, and the file that keeps the hashes of them.

A token has 256 random bits, so its SHA-256 tells nobody anything, and nothing slower is needed to guard it.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arbiter.config import BotSection, TournamentConfig
from arbiter.config_values import NAME, NAME_EXPECTED

DEFAULT_FILE = Path("tokens.toml")
_HEADER = "# Hashes of the tokens of bots, written by `arbiter token`. The tokens themselves are nowhere.\n"
_PREFIX = "s66-"
_HASH = re.compile("[0-9a-f]{64}")
_SECOND = "~2"


class TokenError(Exception):
    """A token or a file of tokens cannot be used: the organiser's mistake; the message says what and where."""


def second_key(name: str) -> str:
    """Return the key of the process that plays the second halves of a bot's duplicate matches."""
    return name + _SECOND


def bot_name(key: str) -> str:
    """Return the name of the bot with this key."""
    return key.removesuffix(_SECOND)


def new_token() -> str:
    """Return a fresh token of 256 random bits, in printable ASCII characters."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the SHA-256 of a token in hexadecimal digits."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def find_key(token: str, hashes: Mapping[str, str]) -> str | None:
    """Return whose token it is, in a time that does not depend on the token; None if it is nobody's."""
    given = hash_token(token)
    found = [key for key, known in hashes.items() if hmac.compare_digest(known, given)]
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of the file.

    Attributes:
        hash: see `hash_token`.
        created: when, in ISO 8601.
    """

    hash: str
    created: str


def read_file(path: Path) -> dict[str, Entry]:
    """Return the entries of a file by the names of the bots; raises TokenError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TokenError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TokenError(f"{path}: not a file of tokens: {error}") from error
    entries = {}
    for name, entry in data.items():
        found = entry.get("hash") if isinstance(entry, dict) else None
        if not isinstance(found, str) or not _HASH.fullmatch(found):
            raise TokenError(f"{path}: {json.dumps(name)}: expected a table with hash = 64 hexadecimal digits")
        entries[name] = Entry(found, str(entry.get("created", "")))
    return entries


def add(path: Path, name: str) -> str:
    """Make a token for a bot, put its hash into the file, which need not exist, and return it; raises TokenError."""
    if not NAME.fullmatch(name):
        raise TokenError(f"{json.dumps(name)}: {NAME_EXPECTED}")
    entries = read_file(path) if path.exists() else {}
    if name in entries:
        raise TokenError(f"{path}: {name} has a token already; revoke it first")
    token = new_token()
    entries[name] = Entry(hash_token(token), datetime.now(UTC).isoformat(timespec="seconds"))
    _write_file(path, entries)
    return token


def revoke(path: Path, name: str) -> None:
    """Take the token of a bot out of the file; raises TokenError if there is none."""
    entries = read_file(path)
    if name not in entries:
        raise TokenError(f"{path}: {name} has no token")
    del entries[name]
    _write_file(path, entries)


def _write_file(path: Path, entries: Mapping[str, Entry]) -> None:
    text = _HEADER + "".join(
        f'\n[{json.dumps(name)}]\nhash = "{entry.hash}"\ncreated = {json.dumps(entry.created)}\n'
        for name, entry in entries.items()
    )
    try:
        # A new file in place of the old one: never half of it, and readable by its owner only.
        descriptor, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with open(descriptor, "w", encoding="utf-8") as target:
                target.write(text)
                target.flush()
                os.fsync(target.fileno())
            os.replace(made, path)
        except BaseException:
            os.unlink(made)
            raise
    except OSError as error:
        raise TokenError(f"{path}: cannot be written: {error.strerror}") from error


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """Who may connect in a tournament.

    Attributes:
        hashes: hash of the token by key: the bot's name, or one of `second_key`.
        local: the tokens themselves, by key, of the bots that the arbiter starts.
    """

    hashes: Mapping[str, str]
    local: Mapping[str, str]


def credentials(config: TournamentConfig) -> Credentials:
    """Fresh tokens for local bots; for the others those of the environment, of the file or of the configuration.

    Raises TokenError for a bot whose token is missing, or one that cannot be told from another.
    """
    file = config.server.tokens
    entries = {} if file is None else read_file(file)
    hashes: dict[str, str] = {}
    local: dict[str, str] = {}
    for bot in config.bots:
        if bot.command is None:
            hashes[bot.name] = _hash_of(bot, entries, file)
            continue
        for key in (bot.name, second_key(bot.name)) if config.tournament.duplicate else (bot.name,):
            local[key] = new_token()
            hashes[key] = hash_token(local[key])
    if len(set(hashes.values())) != len(hashes):
        raise TokenError("two bots have the same token: nobody could tell who connects")
    return Credentials(hashes, local)


def _hash_of(bot: BotSection, entries: Mapping[str, Entry], file: Path | None) -> str:
    if bot.token_hash is not None:
        return bot.token_hash
    if bot.token_env is not None:
        token = os.environ.get(bot.token_env, "")
        if not token:
            raise TokenError(
                f"bot {bot.name}: the environment variable {bot.token_env}, which holds its token, is not set"
            )
        return hash_token(token)
    if bot.name not in entries:
        raise TokenError(f"bot {bot.name}: {file} has no token for it; arbiter token new {bot.name} makes one")
    return entries[bot.name].hash
