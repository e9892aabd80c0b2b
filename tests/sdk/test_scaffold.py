import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter import config
from sixtysix.__main__ import main
from sixtysix.scaffold.command import languages

ROOT = Path(__file__).parents[2]
LANGUAGES = list(languages())
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder: its exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(arguments)
        return status, *capsys.readouterr()

    return call


def python(*arguments: str, folder: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ if path is None else {**os.environ, "PYTHONPATH": str(path)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def files_in(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_project_is_written_and_says_what_is_next(run: Run, tmp_path: Path, language: str) -> None:
    status, said, problem = run("new", "deep_sea", "--language", language)
    assert (status, problem) == (0, "")
    files = files_in(tmp_path / "deep_sea")
    assert "README.md" in files
    assert not [name for name, text in files.items() if "my_bot" in name + text]
    first, *commands = [line.strip() for line in said.splitlines() if line.startswith("    ")]
    assert first == "cd deep_sea"
    assert len(commands) == 3
    for command in commands:
        assert command.partition("  #")[0] in re.sub(r" +#.*", "", files["README.md"])


def test_python_is_the_language_by_default(run: Run, tmp_path: Path) -> None:
    run("new", "deep_sea")
    assert (tmp_path / "deep_sea" / "deep_sea.py").is_file()


def test_the_python_project_passes_its_tests_and_plays(run: Run, tmp_path: Path) -> None:
    run("new", "deep_sea")
    folder = tmp_path / "deep_sea"
    tested = python("-m", "unittest", folder=folder)
    assert tested.returncode == 0, tested.stderr
    assert "Ran 2 tests" in tested.stderr
    arguments = ("play", "--rules", "sixty-six", "--matches", "4", "--jobs", "1")
    played = python("-m", "sixtysix", *arguments, "deep_sea", "sixtysix.human.opponent", folder=folder)
    assert played.returncode == 0, played.stderr
    checked = python("-m", "sixtysix", "check", "--", sys.executable, "deep_sea.py", folder=folder)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_tournament_file_is_valid(run: Run, tmp_path: Path, language: str) -> None:
    run("new", "deep_sea", "--language", language)
    loaded = config.load(tmp_path / "deep_sea" / "tournament.toml")
    assert [bot.name for bot in loaded.bots] == ["deep_sea", "random", "greedy"]
    program = loaded.bots[0].command
    assert program is not None
    assert any("deep_sea" in part or part == "dist/main.js" for part in program)


def test_the_rust_project_has_every_module_that_its_files_use(run: Run, tmp_path: Path) -> None:
    run("new", "deep_sea", "--language", "rust")
    files = files_in(tmp_path / "deep_sea")
    used = {name for text in files.values() for name in re.findall(r"\bcrate::(\w+)", text)}
    declared = set(re.findall(r"^pub mod (\w+)", files["src/lib.rs"], re.MULTILINE))
    assert used <= declared
    assert all(name == "proto" or {f"src/{name}.rs", f"src/{name}/mod.rs"} & set(files) for name in declared)
    assert 'ROOT: &str = "protos"' in files["build.rs"]


def test_the_cpp_project_has_every_file_that_its_build_and_its_files_name(run: Run, tmp_path: Path) -> None:
    run("new", "deep_sea", "--language", "cpp")
    files = files_in(tmp_path / "deep_sea")
    named = set(re.findall(r"\b[a-z]+/\w+\.cpp", files["CMakeLists.txt"]))
    included = {name for text in files.values() for name in re.findall(r'^#include "([a-z]+/\w+\.h)"', text, re.M)}
    assert named
    assert included
    assert named | included <= set(files)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["my-bot"], "not a name for a bot: 'my-bot' (write lower-case letters, digits and _, a letter first)"),
        (["Bot"], "not a name for a bot: 'Bot' (write lower-case letters, digits and _, a letter first)"),
        (["../bot"], "not a name for a bot: '../bot' (write lower-case letters, digits and _, a letter first)"),
        (["random"], "not a name for a bot: 'random' means something else already"),
        (["match"], None),
        (["class"], "not a name for a bot: 'class' means something else already"),
        (["sixtysix"], "not a name for a bot: 'sixtysix' means something else already"),
        (["there"], "there exists already; choose another name, or remove it"),
        (["vendor"], None),
        (["vendor", "--language", "go"], "not a name for a bot: 'vendor' means something else already"),
        (["crate", "--language", "rust"], "not a name for a bot: 'crate' means something else already"),
        (["stubs", "--language", "cpp"], "not a name for a bot: 'stubs' means something else already"),
        (
            ["bot", "--language", "cobol"],
            "--language: no template for 'cobol' (there are python, cpp, go, java, rust, typescript)",
        ),
        (
            ["bot", "--language", "rusty"],
            "--language: no template for 'rusty', did you mean 'rust'? "
            "(there are python, cpp, go, java, rust, typescript)",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(run: Run, tmp_path: Path, arguments: list[str], problem: str | None) -> None:
    (tmp_path / "there").mkdir()
    status, said, error = run("new", *arguments)
    if problem is None:
        assert (status, error) == (0, "")
        return
    assert (status, said, error) == (1, "", f"error: {problem}\n")
    assert list(tmp_path.iterdir()) == [tmp_path / "there"]


@pytest.mark.parametrize("project", [ROOT, ROOT / "sdk"], ids=["arbiter", "sdk"])
def test_an_installed_package_has_all_templates(project: Path, tmp_path: Path) -> None:
    built = python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), folder=project)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
        names = archive.namelist()
    assert not [name for name in names if re.search(r"/(target|build|dist|node_modules|__pycache__)/", name)]
    for language in LANGUAGES:
        here, there = tmp_path / "here", tmp_path / "there"
        for folder, path in ((here, ROOT / "sdk"), (there, installed)):
            folder.mkdir(exist_ok=True)
            # -P: the folder of the command would come first.
            made = python("-P", "-m", "sixtysix", "new", language, "--language", language, folder=folder, path=path)
            assert made.returncode == 0, made.stderr
        assert files_in(there / language) == files_in(here / language)


def test_a_package_can_be_built_from_the_source_distribution_of_the_sdk(tmp_path: Path) -> None:
    built = python("-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path), folder=ROOT / "sdk")
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", str(archive)], cwd=tmp_path, check=True)
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    built = python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), folder=unpacked)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as package:
        assert "sixtysix/scaffold/sources/protos/sixtysix/v1/deal.proto" in package.namelist()
