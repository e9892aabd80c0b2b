"""Write programs that play Sixty-Six and Schnapsen.

A whole bot:

    from sixtysix import Bot, run

    class MyBot(Bot):
        def choose(self, view):
            return view.legal_actions[0]

    if __name__ == "__main__":
        run(MyBot())

Importing the package does not import grpc; `run` does.
"""

from sixtysix._version import __version__
from sixtysix.bot import Bot, DealInfo, MatchInfo, MatchReport, Turn
from sixtysix.rules import CLAIM, CLOSE, DRAW, EXCHANGE, PASS, Action, Card, Deal, Move, Rank, Suit, View

__all__ = [
    "CLAIM",
    "CLOSE",
    "DRAW",
    "EXCHANGE",
    "PASS",
    "Action",
    "Bot",
    "Card",
    "Deal",
    "DealInfo",
    "MatchInfo",
    "MatchReport",
    "Move",
    "Rank",
    "Suit",
    "Turn",
    "View",
    "__version__",
    "run",
]


def run(bot: Bot, *, address: str | None = None, token: str | None = None, seed: int | None = None) -> None:
    """Connect to the arbiter and play until the tournament is over; see `sixtysix.client.run`."""
    from sixtysix.client import run as run_client

    run_client(bot, address=address, token=token, seed=seed)
