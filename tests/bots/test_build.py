"""What `make bots` says and does, with projects that are not there and tools that are missing."""

import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.config import parse
from example_bots import build, tournament
from example_bots.languages import FOLDER, Language, languages

PYTHON = sys.executable
WRITES = (PYTHON, "-c", "open('bot', 'w').close()")


@pytest.fixture
def language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    """A language whose bot is an empty file."""
    monkeypatch.setattr("example_bots.languages.FOLDER", tmp_path)
    (tmp_path / "toy").mkdir()
    return Language(
        name="toy",
        title="Toy",
        packages=("toy-compiler",),
        tools=("sh",),
        version=(),
        version_of=(),
        compiler="",
        headers=(),
        build=(WRITES,),
        test=((PYTHON, "-c", "pass"),),
        program=("./bot",),
    )


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[[Language], None]:
    """Let these be all languages that there are."""

    def use(*found: Language) -> None:
        for module in (build, tournament):
            monkeypatch.setattr(module, "languages", lambda: {language.name: language for language in found})

    return use


def missing_version(language: Language, wanted: tuple[int, ...], code: str = "print('toy 1.9.2 (2026)')") -> list[str]:
    return list(replace(language, version=wanted, version_of=(PYTHON, "-c", code)).missing())


def test_nothing_is_missing_where_all_is_there(language: Language) -> None:
    assert list(language.missing()) == []


def test_tools_that_are_not_installed_are_named(language: Language) -> None:
    tools = ("no-such-tool", "sh", "nor-this-one")
    assert list(replace(language, tools=tools).missing()) == ["no-such-tool", "nor-this-one"]


@pytest.mark.parametrize("wanted", [(1,), (1, 9), (1, 9, 2), (1, 8, 30)])
def test_a_version_that_will_do(language: Language, wanted: tuple[int, ...]) -> None:
    assert missing_version(language, wanted) == []
    assert missing_version(language, wanted, "import sys; print('toy 1.9.2', file=sys.stderr)") == []


@pytest.mark.parametrize("wanted", [(2,), (1, 10), (1, 9, 3)])
def test_a_version_that_is_too_old(language: Language, wanted: tuple[int, ...]) -> None:
    shown = ".".join(map(str, wanted))
    assert missing_version(language, wanted) == [f"{PYTHON} {shown} (only 1.9.2 is here)"]


@pytest.mark.parametrize("code", ["print('none')", "raise SystemExit('toy 3.0')"])
def test_a_version_that_cannot_be_told(language: Language, code: str) -> None:
    assert missing_version(language, (1,), code) == [f"{PYTHON} 1 (no version of it is here)"]


def test_headers_that_no_compiler_finds(language: Language, tmp_path: Path) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\nif grep -q '<there.h>'; then exit 0; else exit 1; fi\n", encoding="utf-8")
    compiler.chmod(0o755)
    needing = replace(language, compiler=str(compiler), headers=("there.h", "not/there.h"))
    assert list(needing.missing()) == ["<not/there.h>"]


def test_a_bot_is_built(
    language: Language, known: Callable[[Language], None], capsys: pytest.CaptureFixture[str]
) -> None:
    known(language)
    before = language.built
    assert build.main([]) == build.DONE
    assert (before, language.built) == (False, True)
    assert capsys.readouterr().out.splitlines()[-1].startswith("Toy: done in 0 s: ")


@pytest.mark.parametrize(("arguments", "status"), [([], build.DONE), (["--strict"], build.FAILED)])
def test_a_bot_whose_tools_are_missing(
    language: Language,
    known: Callable[[Language], None],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
) -> None:
    known(replace(language, tools=("no-such-tool",)))
    assert build.main(arguments) == status
    said = capsys.readouterr()
    assert said.out == "Toy: skipped, missing no-such-tool; on Debian or Ubuntu: apt-get install toy-compiler\n"
    assert said.err == ("error: not built: Toy\n" if status else "")
    assert not language.built


def test_only_the_missing_packages(
    language: Language, known: Callable[[Language], None], capsys: pytest.CaptureFixture[str]
) -> None:
    for one, said in ((language, "\n"), (replace(language, tools=("no-such-tool",)), "toy-compiler\n")):
        known(one)
        assert build.main(["--missing-packages"]) == build.DONE
        assert capsys.readouterr().out == said


@pytest.mark.parametrize(
    ("changes", "arguments", "said"),
    [
        ({"build": ((PYTHON, "-c", "raise SystemExit('no such card')"),)}, [], "no such card"),
        ({"test": ((PYTHON, "-c", "raise SystemExit('2 failed')"),)}, ["--test"], "2 failed"),
        ({"build": ()}, [], "built without an error, but there is no ./bot"),
    ],
)
def test_what_goes_wrong_is_shown(
    language: Language,
    known: Callable[[Language], None],
    capsys: pytest.CaptureFixture[str],
    changes: Mapping[str, tuple[tuple[str, ...], ...]],
    arguments: list[str],
    said: str,
) -> None:
    known(replace(language, **changes))  # type: ignore[arg-type]  # build and test have this type
    assert build.main(arguments) == build.FAILED
    error = capsys.readouterr().err
    assert said in error
    assert error.endswith("error: not built: Toy\n")


def test_an_unknown_language(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build.main(["cobol"])
    assert caught.value.code == 2
    assert "no bot in 'cobol' (there are cpp, go, java, rust, typescript)" in capsys.readouterr().err


def test_ctrl_c(
    language: Language,
    known: Callable[[Language], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    known(language)
    monkeypatch.setattr(subprocess, "run", interrupted)
    assert build.main([]) == build.INTERRUPTED
    assert capsys.readouterr().err == "interrupted; the same command goes on with what is missing\n"


def test_every_language_of_the_folder_is_described() -> None:
    projects = {path.parent.name for path in FOLDER.glob("*/README.md")}
    assert set(languages()) == projects


def test_the_tournament_of_those_that_are_built(
    language: Language, known: Callable[[Language], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known(language)
    file = tmp_path / "new" / "languages.toml"
    assert tournament.main([str(file), "--rules", "sixty-six", "--matches", "6"]) == tournament.DONE
    assert capsys.readouterr().out == "not built, so they do not take part: Toy (see `make bots`)\n"
    (language.folder / "bot").touch()
    assert tournament.main([str(file)]) == tournament.DONE
    assert capsys.readouterr().out == ""
    read = parse(tomllib.loads(file.read_text(encoding="utf-8")), "languages")
    assert [bot.name for bot in read.bots] == ["greedy", "rollout", "toy"]
    assert read.bots[2].command == (f"{tmp_path.name}/toy/./bot",)


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert tournament.main([str(file / "x.toml")]) == tournament.USER_ERROR
    assert capsys.readouterr().err == f"error: cannot write {file / 'x.toml'}: File exists\n"
