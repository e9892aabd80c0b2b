"""A process that writes to a store until it is killed, or that kills itself in the middle of a transaction."""

import itertools
import os
import signal
import sys

import sqlalchemy as sa

from arbiter.schedule import round_robin
from arbiter.store import Store
from tests.arbiter.stored import result_of

SCHEDULE = round_robin(("a", "b"), 2_000)


def write(place: str) -> None:
    """Issue and fix what was never issued, in groups."""
    with Store.open(place) as store:
        known = store.states()
        matches = (match for match in SCHEDULE if match.match_id not in known)
        print("ready", flush=True)
        while some := list(itertools.islice(matches, 5)):
            store.issue(some)
            store.fix([result_of(match) for match in some])


def die(place: str, statement: int) -> None:
    """Fix two matches that are issued, and be killed before a statement of the transaction is executed."""
    with Store.open(place) as store:
        matches = [match for match, _ in store.issued()][:2]
        statements = itertools.count()

        def kill(*_: object) -> None:
            if next(statements) == statement:
                os.kill(os.getpid(), signal.SIGKILL)

        sa.event.listen(sa.Engine, "before_cursor_execute", kill)
        sa.event.listen(sa.Engine, "commit", kill)
        store.fix([result_of(match) for match in matches])


if __name__ == "__main__":
    if len(sys.argv) == 2:
        write(sys.argv[1])
    else:
        die(sys.argv[1], int(sys.argv[2]))
