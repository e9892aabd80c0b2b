import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../choose.js";
import { Card, Seat, Stage } from "../proto.js";
import { action, card, cards, question } from "./fixtures.js";

type Position = Parameters<typeof question>;
const CLOSED = { talonClosedBy: Seat.SECOND };

const POSITIONS: [string, Position, string][] = [
  ["claims with enough points", ["AS KS", "AS, KS, claim", { ownCardPoints: 66 }], "claim"],
  ["does not claim with too few", ["AS KS", "AS, KS, claim", { ownCardPoints: 65 }], "KS"],
  ["exchanges at once", ["JH KS QS", "JH, KS, QS, claim, exchange, marriage S, close"], "exchange"],
  [
    "prefers the marriage in trumps",
    ["KC QC KH QH", "KC, QC, KH, QH, claim, marriage C, marriage H"],
    "marriage H",
  ],
  ["declares a marriage rather than to lead", ["KC QC AH", "KC, QC, AH, claim, marriage C"], "marriage C"],
  [
    "closes when the top trumps are enough",
    ["AH TH KS", "AH, TH, KS, claim, close", { ownCardPoints: 40, turnUp: card("JH") }],
    "close",
  ],
  [
    "does not close when a higher trump is out",
    ["TH KH KS", "TH, KH, KS, claim, close", { ownCardPoints: 43, turnUp: card("JH") }],
    "KS",
  ],
  ["leads the card that is missed least", ["AS JC QH", "AS, JC, QH, claim"], "JC"],
  ["keeps a marriage together", ["KC QC TD", "KC, QC, TD, claim", { talonCount: 4 }], "TD"],
  ["leads a sure winner where suit must be followed", ["AH JC QS", "AH, JC, QS, claim", CLOSED], "AH"],
  [
    "knows that a lower card wins when the higher ones are out",
    ["TS JC", "TS, JC, claim", { ...CLOSED, playedCards: cards("AS AH KH QH JH") }],
    "TS",
  ],
  ["wins a plain trick with the most points", ["AC TC JD", "AC, TC, JD", { ledCard: card("KC") }], "AC"],
  ["wins a trump trick cheaply", ["AH KH JD", "AH, KH, JD", { ledCard: card("QH") }], "KH"],
  ["spends a trump on a ten", ["QH AC JD", "QH, AC, JD", { ledCard: card("TS") }], "QH"],
  ["spends no trump on a king", ["QH AC JD", "QH, AC, JD", { ledCard: card("KS") }], "JD"],
  ["throws away the least", ["AD QC TS", "AD, QC, TS", { ledCard: card("AS") }], "QC"],
  ["takes what it has to", ["AH KH", "AH, KH", { ledCard: card("QS"), ...CLOSED }], "KH"],
];

for (const [title, position, expected] of POSITIONS) {
  test(title, () => {
    assert.deepEqual(choose(question(...position)), action(expected));
  });
}

test("draws before drawing, and passes where nothing is to be had", () => {
  const asked = { ...question("AS KS", "draw, close, claim"), stage: Stage.BEFORE_DRAW };
  assert.deepEqual(choose(asked), action("draw"));
  const offered = { ...question("AS KS", "pass"), stage: Stage.EXCHANGE_OFFER };
  assert.deepEqual(choose(offered), action("pass"));
  const last = { ...question("", "claim, pass", { turnUp: Card.UNSPECIFIED }), stage: Stage.LAST_CLAIM };
  assert.deepEqual(choose(last), action("pass"));
});

test("names the suit as trump in which it is stronger", () => {
  const hand = "9H AS TS KS JC";
  const legal = "9H, AS, TS, KS, JC, claim, trump C, trump D, trump S";
  assert.deepEqual(choose(question(hand, legal)), action("trump S"));
  assert.deepEqual(choose(question("9H AH TH JC", "9H, AH, TH, JC, claim, trump C")), action("JC"));
});
