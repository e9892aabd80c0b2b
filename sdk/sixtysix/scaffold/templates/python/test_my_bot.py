"""The tests of my_bot: ``python -m unittest``."""

import unittest
from random import Random

from my_bot import MyBot

from sixtysix import CLAIM, Deal, View
from sixtysix.local import play_match
from sixtysix.rules import RULE_SETS, parse_action, parse_record

WON = {
    "rules": "schnapsen",
    "dealer": 1,
    "hands": [["AH", "AD", "AC", "AS", "TS"], ["TH", "TD", "TC", "JS", "QS"]],
    "talon": ["QD", "JD", "JC", "QH", "JH", "KD", "KC", "QC", "KH"],
    "turn_up": "KS",
    "actions": ["AH", "TH", "AD", "TD", "AC", "TC", "AS", "JS"],
}
"""A deal in which seat 0 has won 76 points and leads."""


def deal_of(record: dict[str, object]) -> Deal:
    """The deal after the actions of its record."""
    parsed = parse_record(record)
    deal = parsed.deal()
    for text in parsed.actions:
        deal.apply(parse_action(text))
    return deal


class MyBotTest(unittest.TestCase):
    """What the bot does in a position, and that it keeps to the rules."""

    def test_it_claims_when_it_has_66(self) -> None:
        """A position in which only one action is sensible."""
        deal = deal_of(WON)
        bot = MyBot().for_match(Random(1))
        self.assertEqual(bot.choose(View.of(deal, 0)), CLAIM)

    def test_it_plays_whole_matches_by_every_rule_set(self) -> None:
        """`play_match` raises an error for an action that is not legal."""
        for rules in RULE_SETS.values():
            with self.subTest(rules=rules.name):
                result = play_match(rules, (MyBot(), MyBot()), seed="test")
                self.assertGreater(result.deals, 0)


if __name__ == "__main__":
    unittest.main()
