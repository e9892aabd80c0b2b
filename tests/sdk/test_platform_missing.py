"""The adapter for the teaching platform, where that is not installed."""

import subprocess
import sys

import pytest

MODULE = "sixtysix.adapters.schnapsen_platform"
WITHOUT = "import sys; sys.modules['schnapsen'] = None; import runpy; "
TEXT = "this adapter needs the package schnapsen, which is not installed: pip install schnapsen==0.0.5"


def run(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False)


def test_the_program_says_what_is_missing_in_one_line() -> None:
    done = run(f"sys.argv = ['', 'rand']; runpy.run_module('{MODULE}', run_name='__main__')")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"error: {TEXT}\n")


@pytest.mark.parametrize("code", [f"import {MODULE}", f"runpy.run_module('{MODULE}')"])
def test_who_imports_it_gets_an_exception(code: str) -> None:
    done = run(code)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {TEXT}"
