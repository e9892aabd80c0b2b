import os
import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUF = str(Path(sysconfig.get_path("scripts")) / "buf")


def run(*command: str) -> None:
    # A make that runs the tests would pass its own flags and variables on to the make called here.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def stubs(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.glob("*_pb2*")) if path.is_file()}


def test_checked_in_stubs_are_what_the_pinned_generator_makes(tmp_path: Path) -> None:
    run("make", "--silent", "protos", f"PROTOS_OUT={tmp_path}")
    made, checked_in = stubs(tmp_path / "sixtysix" / "v1"), stubs(ROOT / "sdk" / "sixtysix" / "v1")
    assert sorted(checked_in) == sorted(made)
    differing = [name for name in made if made[name] != checked_in[name]]
    assert not differing, "run `make protos`"


def test_protos_pass_buf_lint() -> None:
    run(BUF, "lint", "protos")


def test_protos_are_formatted() -> None:
    run(BUF, "format", "--exit-code", "protos")
