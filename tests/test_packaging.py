import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import sixtysix

ROOT = Path(__file__).resolve().parent.parent
SDK = ROOT / "sdk"


def read_project(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(project: dict[str, Any]) -> dict[str, str]:
    """The version range of each runtime dependency, by name."""
    lines = project["project"]["dependencies"]
    return {name: line.removeprefix(name) for line in lines for name in re.findall(r"^[\w-]+", line)}


def imported_names(module: Path) -> set[str]:
    """The full names that a module imports; a relative import starts with a dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def test_both_projects_read_their_version_from_one_file() -> None:
    sources = {(folder / read_project(folder)["tool"]["hatch"]["version"]["path"]).resolve() for folder in (ROOT, SDK)}
    assert sources == {SDK / "sixtysix" / "_version.py"}
    for folder in (ROOT, SDK):
        assert read_project(folder)["project"]["dynamic"] == ["version"]


def test_the_installed_version_is_the_one_in_the_source() -> None:
    assert metadata.version("sixtysix-arbiter") == sixtysix.__version__


def test_the_sdk_needs_grpcio_and_protobuf_in_the_ranges_of_the_arbiter() -> None:
    sdk, arbiter = requirements(read_project(SDK)), requirements(read_project(ROOT))
    assert sdk == {name: arbiter[name] for name in ("grpcio", "protobuf")}


@pytest.mark.parametrize("extra", ["data", "rl"])
def test_the_extras_have_the_ranges_of_the_arbiter(extra: str) -> None:
    sdk, arbiter = read_project(SDK)["project"], read_project(ROOT)["project"]
    wanted, given = sdk["optional-dependencies"][extra], arbiter["optional-dependencies"][extra]
    assert set(wanted) <= {*arbiter["dependencies"], *given}
    assert set(given) <= set(wanted)


def test_the_oldest_grpcio_is_the_generator_of_the_stubs() -> None:
    pins = (ROOT / "protos" / "requirements.txt").read_text(encoding="utf-8")
    generator = re.search(r"^grpcio-tools==(\S+)$", pins, re.MULTILINE)
    assert generator is not None
    assert requirements(read_project(SDK))["grpcio"].startswith(f">={generator[1]}")


def test_both_projects_need_the_same_python_and_carry_the_same_license() -> None:
    root, sdk = read_project(ROOT)["project"], read_project(SDK)["project"]
    for key in ("requires-python", "license", "authors"):
        assert root[key] == sdk[key]


@pytest.mark.parametrize("package", read_project(ROOT)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
def test_each_shipped_package_is_marked_as_typed(package: str) -> None:
    assert (ROOT / package / "__init__.py").is_file()
    assert (ROOT / package / "py.typed").is_file()


def test_the_arbiter_command_can_be_loaded() -> None:
    (command,) = metadata.entry_points(group="console_scripts", name="arbiter")
    assert callable(command.load())


def test_importing_sixtysix_does_not_import_grpc() -> None:
    code = "import sys, sixtysix; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_rules_import_the_standard_library_only() -> None:
    modules = sorted((SDK / "sixtysix" / "rules").rglob("*.py"))
    assert modules
    for module in modules:
        foreign = {
            name
            for name in imported_names(module)
            if name.partition(".")[0] not in sys.stdlib_module_names
            and name != "sixtysix.rules"
            and not name.startswith("sixtysix.rules.")
        }
        assert foreign == set(), module.name
