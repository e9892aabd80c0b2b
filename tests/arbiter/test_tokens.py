import hmac
import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arbiter import tokens
from arbiter.cli import main
from arbiter.config import TournamentConfig, parse
from arbiter.tokens import TokenError, credentials, find_key, hash_token, new_token, second_key

Run = Callable[..., tuple[int, str, str]]
LOCAL = {"name": "local", "command": ["x"]}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        return (status, *capsys.readouterr())

    return run


def test_tokens_are_long_and_never_the_same() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch(r"s66-[A-Za-z0-9_-]{43}", token) for token in made)


def test_a_token_is_shown_once_and_only_its_hash_is_kept(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    status, text, told = run("token", "new", "guest", "--file", file)
    token = text.removesuffix("\n")
    assert status == 0
    assert "guest" in told
    assert token not in told
    assert token not in file.read_text()
    assert hash_token(token) in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["tokens.toml"]
    status, listed, _ = run("token", "list", "--file", file)
    assert re.fullmatch(rf"guest  \d{{4}}-\d\d-\d\dT\S+  {hash_token(token)}\n", listed)


def test_one_token_for_each_bot_until_it_is_revoked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    first = run("token", "new", "a.b", "--file", file)[1]
    run("token", "new", "cy", "--file", file)
    status, text, told = run("token", "new", "a.b", "--file", file)
    assert (status, text) == (1, "")
    assert told == f"arbiter: {file}: a.b has a token already; revoke it first\n"
    assert run("token", "revoke", "a.b", "--file", file)[0] == 0
    assert list(tokens.read_file(file)) == ["cy"]
    assert run("token", "revoke", "a.b", "--file", file)[2] == f"arbiter: {file}: a.b has no token\n"
    assert run("token", "new", "a.b", "--file", file)[1] != first
    assert list(tokens.read_file(file)) == ["cy", "a.b"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read: No such file or directory"),
        ("[guest", "not a file of tokens: "),
        ('guest = "x"', '"guest": expected a table with hash = 64 hexadecimal digits'),
        ('[guest]\nhash = "12"', '"guest": expected a table with hash = 64 hexadecimal digits'),
        ("[guest]\nhash = 12", '"guest": expected a table with hash = 64 hexadecimal digits'),
    ],
)
def test_a_file_that_cannot_be_used(run: Run, tmp_path: Path, content: str | None, told: str) -> None:
    file = tmp_path / "tokens.toml"
    if content is not None:
        file.write_text(content)
    status, text, error = run("token", "list", "--file", file)
    assert (status, text) == (1, "")
    assert error.startswith(f"arbiter: {file}: {told}")


def test_a_name_that_no_bot_can_have(run: Run, tmp_path: Path) -> None:
    status, text, error = run("token", "new", 'a"]\n', "--file", tmp_path / "tokens.toml")
    assert (status, text) == (1, "")
    assert "expected 1 to 64 letters" in error
    assert os.listdir(tmp_path) == []


def test_whose_token_it_is() -> None:
    hashes = {name: hash_token(f"token of {name}") for name in ("ada", "bob", "cy")}
    assert find_key("token of bob", hashes) == "bob"
    for wrong in ("", "token of", "token of bob ", hashes["bob"], "schlüssel", "\udcff"):
        assert find_key(wrong, hashes) is None


def test_the_comparison_takes_as_long_for_every_token(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def compare(known: str, given: str) -> bool:
        compared.append((known, given))
        return known == given

    monkeypatch.setattr(hmac, "compare_digest", compare)
    hashes = {name: hash_token(name) for name in ("ada", "bob", "cy")}
    for token in ("ada", "cy", "nobody"):
        compared.clear()
        find_key(token, hashes)
        assert compared == [(known, hash_token(token)) for known in hashes.values()]


def config(*bots: dict[str, Any], **sections: Any) -> TournamentConfig:
    return parse({"bots": [LOCAL, *bots], **sections}, "test", default_name="x")


def test_where_the_tokens_of_a_tournament_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tokens.toml"
    kept = tokens.add(file, "kept")
    tokens.add(file, "another")
    monkeypatch.setenv("GUEST_TOKEN", "sesame")
    bots = ({"name": "guest", "token_env": "GUEST_TOKEN"}, {"name": "kept"}, {"name": "told", "token_hash": "0" * 64})
    known = credentials(config(*bots, server={"tokens": str(file)}))
    assert known.hashes == {
        "local": hash_token(known.local["local"]),
        "guest": hash_token("sesame"),
        "kept": hash_token(kept),
        "told": "0" * 64,
    }
    assert list(known.local) == ["local"]
    assert "sesame" not in repr(known)
    assert known.local["local"] not in repr(known)
    again = credentials(config(*bots, server={"tokens": str(file)}))
    assert again.local["local"] != known.local["local"]


def test_each_process_of_a_duplicate_has_a_token_of_its_own() -> None:
    known = credentials(config({"name": "other", "command": ["x"]}, tournament={"name": "x", "duplicate": True}))
    names = ["local", second_key("local"), "other", second_key("other")]
    assert list(known.local) == list(known.hashes) == names
    assert len(set(known.local.values())) == 4


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ({"name": "b", "token_env": "UNSET"}, "bot b: the environment variable UNSET, which holds its token, is not"),
        ({"name": "b"}, "tokens.toml has no token for it; arbiter token new b makes one"),
        ({"name": "guest", "token_hash": hash_token("same")}, "two bots have the same token"),
    ],
)
def test_a_token_that_is_missing_or_known_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: dict[str, Any], told: str
) -> None:
    monkeypatch.delenv("UNSET", raising=False)
    monkeypatch.setenv("SAME", "same")
    file = tmp_path / "tokens.toml"
    tokens.add(file, "a")
    same = {"name": "other", "token_env": "SAME"}
    with pytest.raises(TokenError, match=told):
        credentials(config(bot, same, server={"tokens": str(file)}))


def test_nothing_of_a_token_is_in_the_effective_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUEST_TOKEN", "sesame")
    loaded = config({"name": "guest", "token_env": "GUEST_TOKEN"})
    known = credentials(loaded)
    text = json.dumps(loaded.to_toml_dict())
    assert "sesame" not in text
    assert known.local["local"] not in text
