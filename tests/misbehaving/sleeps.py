"""Thinks for as many milliseconds as $SLEEP_MS says, about every decision."""

import os
import time

from sixtysix import Action, Bot, View, run


class Sleeps(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(int(os.environ["SLEEP_MS"]) / 1000)
        return view.legal_actions[0]


if __name__ == "__main__":
    run(Sleeps())
