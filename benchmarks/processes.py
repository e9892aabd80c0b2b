"""Processes that a benchmark starts and that report through pipes."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from benchmarks.report import BenchmarkError

Start = Callable[..., BaseProcess]

# Spawned, not forked: grpc does not survive a fork, and an interpreter of its own is what is measured.
_CONTEXT = multiprocessing.get_context("spawn")
_END_S = 10.0


@contextmanager
def processes() -> Iterator[Start]:
    """Gives a function that starts `target(*arguments)` in a new process; none of them outlives the block."""
    started: list[BaseProcess] = []

    def start(target: Callable[..., None], *arguments: Any) -> BaseProcess:
        process = _CONTEXT.Process(target=target, args=arguments, daemon=True)
        process.start()
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.join(_END_S)
            process.kill()
            process.join()


def pipe() -> tuple["Connection[Any, Any]", "Connection[Any, Any]"]:
    """A reading and a writing end."""
    return _CONTEXT.Pipe(duplex=False)


def receive(reader: "Connection[Any, Any]", needed: Sequence[BaseProcess]) -> Any:
    """Return what is said next through a pipe.

    Raises BenchmarkError if that is one, or if one of the processes that are needed for it has ended.
    """
    ready = wait([reader, *(process.sentinel for process in needed)])
    if reader not in ready:
        ended = next(process for process in needed if process.sentinel in ready)
        ended.join()
        raise BenchmarkError(f"a process has ended too early, with status {ended.exitcode}")
    try:
        said = reader.recv()
    except EOFError:
        raise BenchmarkError("a process has closed its pipe too early") from None
    if isinstance(said, BenchmarkError):
        raise said
    return said
