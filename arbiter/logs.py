"""Logging: events with fields, for people on a terminal and as JSON Lines elsewhere."""

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, Processor, WrappedLogger

_SECRET_KEYS = ("token", "secret", "authorization")
_REDACTED = "[redacted]"


class LogFile(io.TextIOWrapper):
    """A file for a log: one that cannot be written, because its disk is full for instance, stops nobody.

    Args:
        path: of the file; it is made if it is missing.
        append: keep what it holds.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, *, append: bool) -> None:
        super().__init__(path.open("ab" if append else "wb"), encoding="utf-8", line_buffering=True)

    def write(self, text: str) -> int:
        """Write as far as it is possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write as far as it is possible."""
        with suppress(OSError):
            super().flush()

    def close(self) -> None:
        """Write as far as it is possible, and close."""
        with suppress(OSError):
            super().close()


@contextmanager
def to_file(path: Path, *, append: bool) -> Iterator[None]:
    """Send all log events to a file as long as the block runs; raises OSError if it cannot be opened."""
    with LogFile(path, append=append) as log:
        configure(log)
        try:
            yield
        finally:
            structlog.reset_defaults()


def configure(stream: TextIO, json: bool | None = None, level: int = logging.INFO) -> None:
    """Send all log events to a stream.

    Args:
        stream: where to write.
        json: one JSON object a line; by default unless the stream is a terminal.
        level: lowest level that is written, as in `logging`.
    """
    as_json = not stream.isatty() if json is None else json
    processors: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact,
    ]
    # Tracebacks without local variables: those hold tokens and hidden cards.
    if as_json:
        processors += [
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ]
    else:
        plain = structlog.dev.plain_traceback
        processors.append(structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain))
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream),
    )


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Hide the values of keys that hold secrets, in nested mappings too; a structlog processor."""
    return {key: _visible(key, value) for key, value in event.items()}


def _visible(key: object, value: object) -> object:
    if isinstance(key, str) and key.lower().replace("-", "_").rpartition("_")[2] in _SECRET_KEYS:
        return _REDACTED
    if isinstance(value, Mapping):
        return {inner: _visible(inner, content) for inner, content in value.items()}
    if isinstance(value, list | tuple):
        return [_visible(None, content) for content in value]
    return value
