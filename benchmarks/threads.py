"""Threads of the processes that stand for several clients."""

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

_T = TypeVar("_T")


def on_threads(call: Callable[[_T], None], items: Iterable[_T]) -> None:
    """Call for each item on a thread of its own and wait for all of them."""
    threads = [threading.Thread(target=call, args=(item,), daemon=True) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
