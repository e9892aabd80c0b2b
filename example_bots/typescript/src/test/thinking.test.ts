import assert from "node:assert/strict";
import { test } from "node:test";

import { BotError, Thinkers } from "../client/thinking.js";
import { question } from "./fixtures.js";
import { FAILING } from "./stubborn-bot.js";

const BOT = new URL("./stubborn-bot.js", import.meta.url);

const asked = question("AS KS QH", "AS, KS, QH, claim");

test("the place of the chosen action is found, by one thread for many questions", async () => {
  const thinkers = await Thinkers.start(BOT, 1, () => true);
  const places = await Promise.all([thinkers.choose(asked), thinkers.choose(asked), thinkers.choose(asked)]);
  assert.deepEqual(places, [3, 3, 3]);
  await thinkers.close();
});

test("a question that is closed while it waits is not thought about", async () => {
  const closed = { ...asked, matchId: FAILING };
  const thinkers = await Thinkers.start(BOT, 1, (question) => question !== closed);
  const places = await Promise.all([thinkers.choose(asked), thinkers.choose(closed), thinkers.choose(asked)]);
  assert.deepEqual(places, [3, null, 3]);
  await thinkers.close();
});

test("a failure of the bot is that of all questions", async () => {
  const thinkers = await Thinkers.start(BOT, 1, () => true);
  const failing = thinkers.choose({ ...asked, matchId: FAILING });
  const waiting = thinkers.choose(asked);
  for (const choice of [failing, waiting, failing.catch(() => thinkers.choose(asked))]) {
    await assert.rejects(choice, (error) => error instanceof BotError && error.message.includes("no idea"));
  }
  await thinkers.close();
});
