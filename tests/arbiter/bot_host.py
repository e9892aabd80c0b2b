"""Several bots in one process, each on a connection of its own: python -m tests.arbiter.bot_host ADDRESS NAME=TOKEN."""

import sys
import threading
from contextlib import suppress

from example_bots.random_bot import RandomBot
from sixtysix.client import run


def host(address: str, token: str) -> None:
    """Play until the tournament is over, whatever happens to the arbiter meanwhile."""
    with suppress(SystemExit):
        run(RandomBot(), address=address, token=token)


def main() -> None:
    address, *tokens = sys.argv[1:]
    threads = [threading.Thread(target=host, args=(address, token.partition("=")[2])) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
