import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.config import ConfigError, TournamentConfig, load, parse
from arbiter.policy import Consequence, FaultPolicy
from arbiter.template import TEMPLATE
from sixtysix.timecontrol import TimeControl

FULL = """\
[tournament]
name = "club-night"
rules = "schnapsen"
matches_per_pair = 20
concurrency = 2
deal_limit = 100
out = "runs/elsewhere"
[server]
listen = "127.0.0.1:0"
[time]
ready = "10s"
decision = "1s"
bank = "30s"
increment = "50ms"
lag = "20ms"
[faults]
illegal = "match"
late = "deal"
limit = 3
reconnect = "2m"
[[bots]]
name = "random"
command = ["{python}", "-m", "example_bots.random_bot"]
env = { DEPTH = "3" }
cwd = "bots"
concurrency = 4
[[bots]]
name = "guest"
token_env = "GUEST_TOKEN"
"""
A_DURATION = 'expected a duration as text with a unit (us, ms, s, m, h), such as "50ms" or "10s"'
A_NAME = 'expected 1 to 64 letters, digits, ".", "_" or "-", with a letter or digit among them'
TOURNAMENT_KEYS = "name, rules, matches_per_pair, concurrency, deal_limit, duplicate, out"
BOT_KEYS = "name, command, token_env, token_hash, env, cwd, concurrency, memory, vouched"
BOTS = '[[bots]]\nname = "a"\ncommand = ["a"]\n[[bots]]\nname = "b"\ntoken_env = "B"\n'


def write(directory: Path, text: str, name: str = "club.toml") -> Path:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(directory: Path, text: str) -> list[str]:
    """The problems of a file, without the name of the file."""
    path = write(directory, text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert all(problem.startswith(str(path)) for problem in caught.value.problems)
    return [problem.removeprefix(str(path)) for problem in caught.value.problems]


def test_a_full_file(tmp_path: Path) -> None:
    config = load(write(tmp_path, FULL))
    assert config.tournament.name == "club-night"
    assert config.tournament.out == Path("runs/elsewhere")
    assert config.rule_set().name == "schnapsen"
    assert config.server.listen == "127.0.0.1:0"
    assert config.time_control() == TimeControl(10_000_000, 1_000_000, 30_000_000, 50_000, 20_000)
    assert config.fault_policy() == FaultPolicy(Consequence.FORFEIT_MATCH, Consequence.FORFEIT_DEAL, 3, 120_000_000)
    local, remote = config.bots
    assert local.command == ("{python}", "-m", "example_bots.random_bot")
    assert (local.env, local.cwd, local.concurrency) == ({"DEPTH": "3"}, Path("bots"), 4)
    assert (remote.command, remote.token_env, remote.concurrency) == (None, "GUEST_TOKEN", None)


def test_defaults(tmp_path: Path) -> None:
    config = load(write(tmp_path, BOTS, name="friday.toml"))
    assert config.to_toml_dict() == {
        "tournament": {
            "name": "friday",
            "rules": "schnapsen",
            "matches_per_pair": 20,
            "concurrency": 2,
            "deal_limit": 100,
            "duplicate": False,
            "out": "runs/friday",
        },
        "server": {
            "listen": "127.0.0.1:0",
            "plaintext": False,
            "reflection": True,
            "tournament_service": True,
            "hello": "10s",
            "commands_per_second": 2000,
            "burst": 4000,
            "connections": 2048,
        },
        "time": {"ready": "10s", "decision": "1s", "bank": "30s", "increment": "50ms", "lag": "20ms"},
        "faults": {"illegal": "deal", "late": "deal", "limit": 3, "reconnect": "10s", "withdraw": 3},
        "bots": [
            {"name": "a", "command": ["a"], "env": {}, "vouched": False},
            {"name": "b", "token_env": "B", "env": {}, "vouched": False},
        ],
    }


def test_the_effective_configuration_is_json_and_can_be_read_back(tmp_path: Path) -> None:
    config = load(write(tmp_path, FULL.replace('"schnapsen"', '{ base = "schnapsen", target = 5 }')))
    assert config.rule_set().target == 5
    assert parse(json.loads(json.dumps(config.to_toml_dict())), "stored") == config


def test_the_template_is_valid_and_spells_out_the_defaults(tmp_path: Path) -> None:
    config = load(write(tmp_path, TEMPLATE, name="tournament.toml"))
    assert [(bot.name, bot.command) for bot in config.bots] == [
        (name, ("{python}", "-m", f"example_bots.{name}_bot")) for name in ("random", "greedy", "counting")
    ]
    defaults = load(write(tmp_path, BOTS, name="tournament.toml")).to_toml_dict()
    assert {**config.to_toml_dict(), "bots": []} == {**defaults, "bots": []}
    assert [line for line in TEMPLATE.splitlines() if len(line) > 110] == []


def test_the_commented_lines_of_the_template_are_valid(tmp_path: Path) -> None:
    lines = TEMPLATE.splitlines()
    optional = [line.removeprefix("# ") if line.startswith("# ") and "=" in line else line for line in lines]
    text = "\n".join(optional).replace("# [[bots]]", "[[bots]]").replace("# [store]", "[store]")
    text = text.replace("# [web]", "[web]")
    counting, guest = load(write(tmp_path, text)).bots[2:]
    assert (counting.env, counting.cwd, counting.concurrency) == ({"DEPTH": "3"}, Path("bots/counting"), 1)
    assert guest.token_env == "GUEST_TOKEN"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "matches_per_pair = 20",
            "matchs_per_pair = 20",
            (
                ": tournament.matchs_per_pair: unknown key; "
                f'the nearest valid one is "matches_per_pair" (all: {TOURNAMENT_KEYS})'
            ),
        ),
        (
            'decision = "1s"',
            'decison = "1s"',
            (
                ": time.decison: unknown key; "
                'the nearest valid one is "decision" (all: ready, decision, bank, increment, lag)'
            ),
        ),
        (
            'decision = "1s"',
            'decision_us = "1s"',
            (
                ": time.decision_us: unknown key; "
                'the nearest valid one is "decision" (all: ready, decision, bank, increment, lag)'
            ),
        ),
        (
            "[server]",
            "[sever]",
            (
                ': sever: unknown key; the nearest valid one is "server" '
                "(all: tournament, server, store, web, time, faults, bots)"
            ),
        ),
        (
            "command =",
            "comand =",
            ': bots[0].comand: unknown key; the nearest valid one is "command" (all: ' + BOT_KEYS + ")",
        ),
        (
            "cwd =",
            '"c w d" =',
            ': bots[0]."c w d": unknown key; the nearest valid one is "cwd" (all: ' + BOT_KEYS + ")",
        ),
        ('ready = "10s"', "ready = 10", ": time.ready: found 10: " + A_DURATION),
        ('ready = "10s"', 'ready = "10 s"', ': time.ready: found "10 s": ' + A_DURATION),
        ('ready = "10s"', 'ready = "0s"', ': time.ready: found "0s": expected a duration longer than 0'),
        ('ready = "10s"', "ready = 1979-05-27", ': time.ready: found "1979-05-27": ' + A_DURATION),
        (
            "matches_per_pair = 20",
            "matches_per_pair = 7",
            (
                ": tournament.matches_per_pair: found 7: "
                "expected an even number, so that each bot deals first equally often"
            ),
        ),
        (
            "matches_per_pair = 20",
            "matches_per_pair = 0",
            ": tournament.matches_per_pair: found 0: expected 2 or more",
        ),
        (
            "matches_per_pair = 20",
            'matches_per_pair = "20"',
            ': tournament.matches_per_pair: found "20": expected a whole number',
        ),
        (
            "matches_per_pair = 20",
            "matches_per_pair = 20.0",
            ": tournament.matches_per_pair: found 20.0: expected a whole number",
        ),
        (
            "matches_per_pair = 20",
            "matches_per_pair = true",
            ": tournament.matches_per_pair: found true: expected a whole number",
        ),
        (
            "matches_per_pair = 20",
            "matches_per_pair = 2000000",
            ": tournament.matches_per_pair: found 2000000: expected 1000000 or less",
        ),
        ("concurrency = 2", "concurrency = 0", ": tournament.concurrency: found 0: expected 1 or more"),
        ("concurrency = 4", "concurrency = 0", ": bots[0].concurrency: found 0: expected 1 or more"),
        ("limit = 3", "limit = 0", ": faults.limit: found 0: expected 1 or more"),
        (
            'illegal = "match"',
            'illegal = "game"',
            """: faults.illegal: found "game": expected 'deal' or 'match\'""",
        ),
        ('name = "club-night"', 'name = "club/night"', ': tournament.name: found "club/night": ' + A_NAME),
        ('name = "guest"', 'name = ".."', ': bots[1].name: found "..": ' + A_NAME),
        ('name = "guest"', 'name = "random"', ': bots: bots[0] and bots[1] have the same name "random"'),
        ('name = "guest"', "", ": bots[1].name: missing"),
        ('out = "runs/elsewhere"', 'out = ""', ': tournament.out: found "": expected a path as text'),
        (
            '"{python}", "-m", "example_bots.random_bot"',
            "",
            ": bots[0].command: found an array: expected 1 or more elements",
        ),
        (
            '["{python}", "-m", "example_bots.random_bot"]',
            '"bot"',
            ': bots[0].command: found "bot": expected an array',
        ),
        ('"-m"', "1", ": bots[0].command[1]: found 1: expected a text"),
        (
            '"-m"',
            '"\\u0000"',
            (': bots[0].command[1]: found "\\u0000": expected a text that is not empty and has no NUL character'),
        ),
        (
            'token_env = "GUEST_TOKEN"',
            "",
            ": bots: bots[1]: expected command, token_env or token_hash, or tokens in [server], found none",
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'token_env = "T"\ncommand = ["x"]',
            ": bots[1]: expected one of command, token_env, token_hash, found command and token_env",
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'token_env = "T"\ncwd = "x"',
            ": bots[1]: env, cwd and memory are for bots with a command",
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'token_env = "T"\nmemory = "512MB"',
            ": bots[1]: env, cwd and memory are for bots with a command",
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'command = ["x"]\nmemory = "512"',
            ': bots[1].memory: found "512": expected an amount of memory as text with a unit (KB, MB, GB, KiB, ...), '
            'such as "512MB"',
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'command = ["x"]\nmemory = "1MB"',
            ': bots[1].memory: found "1MB": expected an amount from "32MB" to "8388607TiB"',
        ),
        (
            'token_env = "GUEST_TOKEN"',
            'token_env = "a b"',
            (': bots[1].token_env: found "a b": expected the name of an environment variable, such as "GUEST_TOKEN"'),
        ),
        ("DEPTH =", '"A=B" =', ': bots[0].env: "A=B" is not the name of an environment variable'),
        (
            "DEPTH =",
            "SIXTYSIX_TOKEN =",
            ": bots[0].env: SIXTYSIX_TOKEN: names that begin with SIXTYSIX_ are set by the arbiter",
        ),
        ('"3"', "3", ": bots[0].env.DEPTH: found 3: expected a text"),
        ('"3"', '"\\u0000"', ": bots[0].env: the value of DEPTH has a NUL character"),
        (
            'rules = "schnapsen"',
            "rules = 66",
            (
                ": tournament.rules: found 66: "
                'expected the name of a rule set, or a table such as { base = "schnapsen", target = 5 }'
            ),
        ),
    ],
)
def test_one_exact_line_for_a_mistake(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert FULL.count(old) == 1
    assert problems(tmp_path, FULL.replace(old, new)) == [problem]


@pytest.mark.parametrize(
    ("rules", "beginning", "named"),
    [
        ('"schnapzen"', ': tournament.rules: found "schnapzen": ', "schnapsen"),
        ('{ base = "schnapzen" }', ": tournament.rules: ", "schnapsen"),
        ('{ base = "schnapsen", targt = 5 }', ": tournament.rules: ", "target"),
        ('{ base = "schnapsen", target = "five" }', ": tournament.rules: ", "five"),
        ("{ base = 5 }", ": tournament.rules: ", "base"),
    ],
)
def test_mistakes_in_the_rule_set(tmp_path: Path, rules: str, beginning: str, named: str) -> None:
    (problem,) = problems(tmp_path, FULL.replace('"schnapsen"', rules))
    assert problem.startswith(beginning)
    assert named in problem
    assert "\n" not in problem


@pytest.mark.parametrize("listen", ["127.0.0.1:65535", "localhost:6600", "[::1]:0", "127.1.2.3:1"])
def test_addresses(tmp_path: Path, listen: str) -> None:
    assert load(write(tmp_path, FULL.replace("127.0.0.1:0", listen))).server.listen == listen


@pytest.mark.parametrize(
    "listen",
    [
        "",
        "localhost",
        ":0",
        "localhost:",
        "localhost:65536",
        "::1:0",
        "a b:1",
        "localhost:\u0661",
        "localhost:1\\n",
    ],
)
def test_bad_addresses(tmp_path: Path, listen: str) -> None:
    (problem,) = problems(tmp_path, FULL.replace("127.0.0.1:0", listen))
    assert problem.startswith(f': server.listen: found "{listen}": expected host:port with a port from 0 to 65535')


@pytest.mark.parametrize(
    ("server", "problem"),
    [
        ('listen = "0.0.0.0:6600"', 'listen = "0.0.0.0:6600" is reached from other machines: expected tls_cert and'),
        ('listen = "[::]:6600"', 'listen = "[::]:6600" is reached from other machines'),
        ('listen = "bots.example.org:1"', 'listen = "bots.example.org:1" is reached from other machines'),
        ('listen = "127.0.0.1.example.org:1"', 'listen = "127.0.0.1.example.org:1" is reached from other machines'),
        ('tls_cert = "a.pem"', "expected tls_cert and tls_key together, found one of them"),
        ('tls_key = "a.pem"', "expected tls_cert and tls_key together, found one of them"),
        ('client_ca = "ca.pem"', "client_ca needs tls_cert and tls_key"),
        ('tls_cert = "a"\ntls_key = "b"\nplaintext = true', "or plaintext = true, found both"),
    ],
)
def test_nobody_listens_without_encryption_by_mistake(tmp_path: Path, server: str, problem: str) -> None:
    (found,) = problems(tmp_path, f"[server]\n{server}\n{BOTS}")
    assert found.startswith(": server: ")
    assert problem in found


@pytest.mark.parametrize("how", ["plaintext = true", 'tls_cert = "a.pem"\ntls_key = "b.pem"'])
@pytest.mark.parametrize("listen", ["0.0.0.0:6600", "[::]:6600", "bots.example.org:1"])
def test_addresses_that_others_reach(tmp_path: Path, listen: str, how: str) -> None:
    text = f'[server]\nlisten = "{listen}"\n{how}\n{BOTS}'
    assert load(write(tmp_path, text)).server.listen == listen


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("results.sqlite", "expected the URL of a database, sqlite:///PATH or postgresql+psycopg://USER@HOST/DATABASE"),
        ("mysql://host/db", "mysql://host/db: not a database that can hold a tournament"),
        ("postgresql://me:hidden@host/db", "postgresql://me:***@host/db: a password does not belong in the URL"),
    ],
)
def test_bad_stores(tmp_path: Path, url: str, problem: str) -> None:
    (found,) = problems(tmp_path, f'[store]\nurl = "{url}"\n{BOTS}')
    assert found.startswith(f": store: {problem}")
    assert "hidden" not in found


def test_a_store_elsewhere(tmp_path: Path) -> None:
    url = "postgresql+psycopg://arbiter@localhost/tournaments"
    config = load(write(tmp_path, f'[store]\nurl = "{url}"\n{BOTS}'))
    assert config.store is not None
    assert config.store.url == url
    assert config.to_toml_dict()["store"] == {"url": url}


@pytest.mark.parametrize("listen", ["127.0.0.1:8080", "[::1]:0", "localhost:80"])
def test_a_page_for_this_machine(tmp_path: Path, listen: str) -> None:
    config = load(write(tmp_path, f'[web]\nlisten = "{listen}"\n{BOTS}'))
    assert config.web is not None
    assert (config.web.listen, config.web.public, config.web.viewers) == (listen, False, 200)
    assert config.to_toml_dict()["web"] == {"listen": listen, "public": False, "viewers": 200}


def test_without_the_section_there_is_no_page(tmp_path: Path) -> None:
    config = load(write(tmp_path, BOTS))
    assert config.web is None
    assert "web" not in config.to_toml_dict()


@pytest.mark.parametrize("listen", ["0.0.0.0:8080", "[::]:8080", "192.168.1.5:80", "arbiter.example.org:80"])
def test_a_page_for_others_is_asked_for(tmp_path: Path, listen: str) -> None:
    (found,) = problems(tmp_path, f'[web]\nlisten = "{listen}"\n{BOTS}')
    assert found == (
        f': web: listen = "{listen}" is reached from other machines: expected public = true if everybody there may '
        "look (there is no TLS)"
    )
    config = load(write(tmp_path, f'[web]\nlisten = "{listen}"\npublic = true\n{BOTS}'))
    assert config.web is not None
    assert config.web.listen == listen


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("", ": web.listen: missing"),
        ("listen = 8080", ": web.listen: found 8080: expected a text"),
        ('listen = "8080"', ': web.listen: found "8080": expected host:port'),
        ('listen = "127.0.0.1:0"\nviewers = 0', ": web.viewers: found 0: expected 1 or more"),
        ('listen = "127.0.0.1:0"\npublic = "yes"', ': web.public: found "yes": '),
        ('listen = "127.0.0.1:0"\ntls_cert = "a.pem"', ": web.tls_cert: unknown key; the nearest valid one is"),
    ],
)
def test_bad_pages(tmp_path: Path, section: str, problem: str) -> None:
    (found,) = problems(tmp_path, f"[web]\n{section}\n{BOTS}")
    assert found.startswith(problem)


def test_each_bot_has_one_way_in(tmp_path: Path) -> None:
    digits = "0123456789abcdef" * 4
    text = BOTS + f'[[bots]]\nname = "c"\ntoken_hash = "{digits}"\n[[bots]]\nname = "d"\n'
    assert problems(tmp_path, text) == [
        ": bots: bots[3]: expected command, token_env or token_hash, or tokens in [server], found none"
    ]
    config = load(write(tmp_path, f'[server]\ntokens = "tokens.toml"\n{text}'))
    assert (config.bots[2].token_hash, config.server.tokens) == (digits, Path("tokens.toml"))
    assert problems(tmp_path, text.replace(digits, digits.upper())) == [
        f': bots[2].token_hash: found "{digits.upper()}": expected the 64 hexadecimal digits that `arbiter token` shows'
    ]


def test_two_bots_with_the_same_token_cannot_be_told_apart(tmp_path: Path) -> None:
    text = BOTS + '[[bots]]\nname = "c"\ntoken_env = "B"\n'
    assert problems(tmp_path, text) == [': bots: bots[1] and bots[2] have the same token_env "B"']


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ": bots: missing"),
        ("bots = []", ": bots: expected at least 2 bots, found 0"),
        ('[[bots]]\nname = "a"\ncommand = ["a"]', ": bots: expected at least 2 bots, found 1"),
        (f"tournament = 5\n{BOTS}", ": tournament: found 5: expected a table"),
        ("bots = [1, 2]", ": bots[0]: found 1: expected a table"),
    ],
)
def test_wrong_shapes(tmp_path: Path, text: str, problem: str) -> None:
    assert problems(tmp_path, text)[0] == problem


def test_every_problem_has_its_line_and_misspelt_keys_come_first(tmp_path: Path) -> None:
    text = FULL.replace('name = "guest"', 'nmae = "guest"').replace('bank = "30s"', "bank = 30")
    assert [problem.split(":")[1] for problem in problems(tmp_path, text)] == [
        " bots[1].nmae",
        " time.bank",
        " bots[1].name",
    ]


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("[tournament]\nname = club", ":2: "),
        ("[tournament]\nname = 'a'\nname = 'b'\n", ":3: "),
        ("\n\n[tournament", ":3: "),
        ("[tournament]\n\nname =", ":3: "),
        ("a = " + "[" * 5000, ": not usable TOML: "),
        ("a = " + "9" * 5000, ": not usable TOML: "),
    ],
)
def test_syntax_errors_name_the_line(tmp_path: Path, text: str, beginning: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(beginning)
    assert "\n" not in problem
    assert "(at " not in problem


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    with pytest.raises(ConfigError) as caught:
        load(missing)
    assert str(caught.value) == f"{missing}: cannot be read: {os.strerror(2)}"
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'[tournament]\nname = "\xe9"\n')
    with pytest.raises(ConfigError) as caught:
        load(latin)
    assert str(caught.value) == f"{latin}:2: not UTF-8 text"


def test_the_name_of_the_file_must_do_as_a_name_if_none_is_given(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r'tournament\.name: found "club night"'):
        load(write(tmp_path, BOTS, name="club night.toml"))


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(
        st.sampled_from(list(TournamentConfig.model_fields)),
        json_values
        | st.dictionaries(st.sampled_from(["name", "rules", "out", "listen", "ready", "limit", "illegal"]), json_values)
        | st.lists(st.dictionaries(st.sampled_from(["name", "command", "env", "cwd", "token_env"]), json_values)),
    )
)
def test_nothing_but_a_configuration_error_for_any_data(data: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="any: "):
        parse(data, "any")
