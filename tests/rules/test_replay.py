"""The replay command."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sixtysix.__main__ import main
from sixtysix.rules import parse_record, replay
from tests.rules.positions import POSITIONS

COMMAND = [sys.executable, "-m", "sixtysix", "replay"]
GOOD = POSITIONS[0]
BAD = {**GOOD, "id": "bad", "actions": ["fold"]}
ERROR = {"id": "bad", "error": {"index": 0, "action": "fold", "reason": replay(parse_record(BAD))["error"]["reason"]}}


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deals.jsonl"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[Any], str]:
    """Exit status, printed results and errors of the command."""
    status = main(["replay", *arguments])
    output, errors = capsys.readouterr()
    return status, [json.loads(line) for line in output.splitlines()], errors


def test_one_line_for_every_record(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(lines(GOOD, POSITIONS[1]), encoding="utf-8")
    expected = [replay(parse_record(GOOD)), replay(parse_record(POSITIONS[1]))]
    assert run(capsys, str(file)) == (0, expected, "")


def test_an_error_in_one_record_is_the_status_of_all(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(lines(GOOD, BAD, GOOD), encoding="utf-8")
    good = replay(parse_record(GOOD))
    assert run(capsys, str(file)) == (1, [good, ERROR, good], "")


def test_trace(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(lines(GOOD), encoding="utf-8")
    traced = replay(parse_record(GOOD), trace=True)
    assert run(capsys, "--trace", str(file)) == run(capsys, str(file), "--trace") == (0, [traced], "")


def test_an_empty_file_has_no_records(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"\n\n")
    assert run(capsys, str(file)) == (0, [], "")


def test_a_byte_order_mark_is_skipped(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(lines(GOOD), encoding="utf-8-sig")
    assert run(capsys, str(file)) == (0, [replay(parse_record(GOOD))], "")


def test_a_file_that_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, str(file)) == (1, [], f"error: cannot read {file}: No such file or directory\n")


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, str(tmp_path)) == (1, [], f"error: cannot read {tmp_path}: Is a directory\n")


def test_bytes_that_are_no_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b'{"id": "\xff"}')
    assert run(capsys, str(file)) == (1, [], f"error: {file} is not UTF-8 text: byte 8 is 0xff\n")


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--fast", "a"]])
def test_bad_arguments_are_user_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        main(["replay", *arguments])
    assert exited.value.code == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_standard_input() -> None:
    done = subprocess.run([*COMMAND, "-"], input=lines(GOOD, BAD).encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [replay(parse_record(GOOD)), ERROR]


def test_output_is_plain_ascii_whatever_the_locale_says() -> None:
    record = {**GOOD, "id": "♥ \ud800", "actions": ["♠"]}
    done = subprocess.run(
        [*COMMAND, "-"],
        input=json.dumps(record).encode(),
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["id"] == "♥ \ud800"


def test_a_reader_that_goes_away_is_no_error(file: Path) -> None:
    file.write_text(lines(*POSITIONS) * 100, encoding="utf-8")
    with subprocess.Popen([*COMMAND, "--trace", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_an_interrupt(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    file.write_text(lines(GOOD), encoding="utf-8")
    monkeypatch.setattr("sixtysix.commands.replay_text", interrupt)
    assert run(capsys, str(file)) == (3, [], "interrupted\n")


def test_a_fault_of_ours_is_told_apart(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("engine")

    file.write_text(lines(GOOD), encoding="utf-8")
    monkeypatch.setattr("sixtysix.commands.replay_text", fail)
    status, _, errors = run(capsys, str(file))
    assert status == 4
    assert "ZeroDivisionError: engine" in errors
    assert errors.endswith("this is a fault of sixtysix itself, please report it\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "-"], input=lines(GOOD).encode(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"error: [Errno 28] No space left on device\n"
