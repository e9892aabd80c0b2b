/** The bot without a network: what it chooses. `question` makes a hand, legal actions and what else is seen. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../choose.js";
import { action, card, question } from "./fixtures.js";

test("it claims with 66 points, and not before", () => {
  const legal = "AS, JC, claim";
  assert.deepEqual(choose(question("AS JC", legal, { ownCardPoints: 66 })), action("claim"));
  assert.deepEqual(choose(question("AS JC", legal, { ownCardPoints: 65 })), action("JC"));
});

test("it declares a marriage", () => {
  assert.deepEqual(choose(question("KC QC AS", "KC, QC, AS, claim, marriage C")), action("marriage C"));
});

test("it wins with the cheapest card, or throws away the least", () => {
  const seen = { ledCard: card("QC") };
  assert.deepEqual(choose(question("AC KC JH", "AC, KC, JH", seen)), action("KC"));
  assert.deepEqual(choose(question("TS JC QD", "TS, JC, QD", seen)), action("JC"));
});
