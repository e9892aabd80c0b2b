import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from arbiter import logs


@pytest.fixture(autouse=True)
def _defaults() -> Iterator[None]:
    yield
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_json_lines_unless_the_stream_is_a_terminal() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    structlog.get_logger().bind(match_id="001-01").warning("fault", seat=1, detail="zu spät")
    (event,) = written(stream)
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "fault",
        "level": "warning",
        "match_id": "001-01",
        "seat": 1,
        "detail": "zu spät",
    }
    assert "spät" in stream.getvalue()


def test_lines_for_people_on_a_terminal() -> None:
    stream = Terminal()
    logs.configure(stream)
    structlog.get_logger().info("match ended", match_id="001-01")
    (line,) = stream.getvalue().splitlines()
    assert "\x1b[" in line
    assert "match ended" in line


@pytest.mark.parametrize(("stream", "as_json"), [(io.StringIO(), False), (Terminal(), True)])
def test_the_form_can_be_chosen(stream: io.StringIO, as_json: bool) -> None:
    logs.configure(stream, json=as_json)
    structlog.get_logger().info("match ended")
    text = stream.getvalue()
    assert text.startswith("{") == as_json
    assert "\x1b[" not in text


def test_lower_levels_are_left_out() -> None:
    stream = io.StringIO()
    logs.configure(stream, level=logging.WARNING)
    log = structlog.get_logger()
    log.info("one")
    log.error("two")
    assert [event["event"] for event in written(stream)] == ["two"]


def test_the_context_is_in_every_event() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    with structlog.contextvars.bound_contextvars(match_id="002-01"):
        structlog.get_logger().info("offered")
    assert written(stream)[0]["match_id"] == "002-01"


@pytest.mark.parametrize(
    "fields",
    [
        {"token": "sesame"},
        {"SIXTYSIX_TOKEN": "sesame"},
        {"secret": b"sesame"},
        {"Authorization": "Bearer sesame"},
        {"metadata": {"authorization": "Bearer sesame"}},
        {"bots": [{"name": "a", "token": "sesame"}]},
        {"bots": ({"x-secret": "sesame"},)},
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_secrets_are_never_written(fields: dict[str, Any], as_json: bool) -> None:
    stream = io.StringIO()
    logs.configure(stream, json=as_json)
    structlog.get_logger().info("connected", **fields)
    assert "sesame" not in stream.getvalue()
    assert "[redacted]" in stream.getvalue()


def test_the_name_of_a_variable_is_no_secret() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    structlog.get_logger().info("waiting", token_env="GUEST_TOKEN", tokens=2)
    assert (written(stream)[0]["token_env"], written(stream)[0]["tokens"]) == ("GUEST_TOKEN", 2)


@pytest.mark.parametrize("as_json", [True, False])
def test_tracebacks_come_without_local_variables(as_json: bool) -> None:
    def authenticate(password: str) -> None:
        raise LookupError("unknown")

    stream = io.StringIO()
    logs.configure(stream, json=as_json)
    try:
        authenticate("ses" + "ame")
    except LookupError:
        structlog.get_logger().exception("refused")
    text = stream.getvalue()
    assert "LookupError" in text
    assert "authenticate" in text
    assert "sesame" not in text


def test_a_log_on_a_full_disk_stops_nobody(tmp_path: Path) -> None:
    path = tmp_path / "arbiter.log"
    with logs.LogFile(path, append=False) as log:
        log.write("first\n")
        assert path.read_text() == "first\n"
    full = Path("/dev/full")
    with pytest.raises(OSError, match="No space left"), full.open("w") as file:
        file.write("second\n")
    with logs.LogFile(full, append=True) as log:
        logs.configure(log)
        for _ in range(1_000):
            structlog.get_logger().info("second", detail="x" * 100)
        log.flush()
    with logs.LogFile(path, append=True) as log:
        log.write("third\n")
    assert path.read_text() == "first\nthird\n"


def test_after_a_tournament_its_log_is_not_written_any_more(tmp_path: Path) -> None:
    path = tmp_path / "arbiter.log"
    with logs.to_file(path, append=False):
        structlog.get_logger().info("within")
    structlog.get_logger().info("after")
    assert [json.loads(line)["event"] for line in path.read_text().splitlines()] == ["within"]
