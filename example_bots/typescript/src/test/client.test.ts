import assert from "node:assert/strict";
import { afterEach, beforeEach, test, type TestContext } from "node:test";
import { status as Code } from "@grpc/grpc-js";

import { ClientError, play, type Bot, type Ending } from "../client/client.js";
import { BotError } from "../client/thinking.js";
import { ActionKind } from "../proto.js";
import { Arbiter, type BotStream } from "./arbiter.js";
import { decision, message, offer, welcome } from "./fixtures.js";
import { ENDLESS, FAILING, ILLEGAL } from "./stubborn-bot.js";

const BOT: Bot = {
  module: new URL("./stubborn-bot.js", import.meta.url),
  name: "stubborn",
  version: "1",
  author: "",
  matches: 2,
};

let arbiter: Arbiter;
let stop: AbortController;

beforeEach(async (context) => {
  (context as TestContext).mock.method(console, "error", () => undefined);
  arbiter = await Arbiter.listen();
  stop = new AbortController();
});

afterEach(() => {
  arbiter.close();
});

function start(bot = BOT): Promise<Ending> {
  return play({ address: arbiter.address, token: "secret", name: "", tls: null }, bot, stop.signal);
}

/** A stream that has come as far as the first decision of a match. */
async function asked(matchId: string): Promise<BotStream> {
  const stream = await arbiter.stream();
  await stream.next("hello");
  stream.send(message(welcome("s1"), offer(matchId), decision(matchId, 1n)));
  await stream.next("ready");
  return stream;
}

test("it introduces itself, answers, and ends with the tournament", async () => {
  const ending = start();
  const stream = await arbiter.stream();
  assert.equal(stream.authorization, "Bearer secret");
  const { value: hello } = await stream.next("hello");
  assert.deepEqual([hello.protocolMajor, hello.botName, hello.maxConcurrentMatches], [1, "stubborn", 2]);
  stream.send(message(welcome("s1"), offer("m1"), decision("m1", 1n)));
  await stream.next("ready");
  const { value: answer } = await stream.next("action");
  assert.deepEqual([answer.matchId, answer.decisionId, answer.action?.kind], ["m1", 1n, ActionKind.CLAIM]);
  stream.end();
  assert.equal(await ending, "over");
});

test("it answers pings and plays other matches while it thinks", async () => {
  const ending = start();
  const stream = await asked(ENDLESS);
  stream.send(message({ case: "ping", value: { nonce: 66n } }));
  assert.equal((await stream.next("pong")).value.nonce, 66n);
  stream.send(message(offer("m2"), decision("m2", 1n)));
  await stream.next("ready");
  assert.equal((await stream.next("action")).value.matchId, "m2");
  stream.end();
  assert.equal(await ending, "over");
});

test("it resumes its session when the connection is lost, and sends an answer again", async () => {
  const ending = start();
  const lost = await asked("m1");
  const first = await lost.next("action");
  lost.fail(Code.UNAVAILABLE, "HEARTBEAT_MISSED");
  const stream = await arbiter.stream();
  assert.equal((await stream.next("hello")).value.resumeSessionId, "s1");
  stream.send(message(welcome("s1", true), offer("m1"), decision("m1", 1n)));
  await stream.next("ready");
  assert.deepEqual(await stream.next("action"), first);
  stream.fail(Code.UNAVAILABLE, "TOURNAMENT_OVER");
  assert.equal(await ending, "over");
});

test("it does not come back when it is refused", async () => {
  const ending = start();
  (await arbiter.stream()).fail(Code.UNAUTHENTICATED, "TOKEN_UNKNOWN");
  await assert.rejects(
    ending,
    (error) => error instanceof ClientError && error.message.includes("TOKEN_UNKNOWN"),
  );
});

test("it leaves when it is stopped, whatever it thinks about", async () => {
  const ending = start();
  const stream = await asked(ENDLESS);
  stop.abort();
  assert.equal((await stream.next("leave")).value.reason, "interrupted");
  stream.end();
  assert.equal(await ending, "interrupted");
});

test("it stops while nobody says welcome", async () => {
  const ending = start();
  const stream = await arbiter.stream();
  await stream.next("hello");
  stop.abort();
  assert.equal(await ending, "interrupted");
});

test("it stops while it waits to connect again", async () => {
  const ending = start();
  (await arbiter.stream()).fail(Code.UNAVAILABLE);
  arbiter.close();
  stop.abort();
  assert.equal(await ending, "interrupted");
});

for (const [matchId, problem] of [
  [FAILING, /RangeError: no idea/],
  [ILLEGAL, /not a legal action/],
] as const) {
  test(`it leaves, and says why, when the bot is ${matchId}`, async () => {
    const ending = start();
    const stream = await asked(matchId);
    assert.match((await stream.next("leave")).value.reason, problem);
    stream.end();
    await assert.rejects(ending, (error) => error instanceof BotError && problem.test(error.message));
  });
}

test("it leaves when the arbiter breaks the protocol", async () => {
  const ending = start();
  const stream = await arbiter.stream();
  await stream.next("hello");
  stream.send(message(welcome("s1"), decision("m1", 1n)));
  await stream.next("leave");
  stream.end();
  await assert.rejects(
    ending,
    (error) => error instanceof ClientError && error.message.includes("not offered"),
  );
});

test("it does not begin without a bot", async () => {
  const ending = start({ ...BOT, module: new URL("./fixtures.js", import.meta.url) });
  await assert.rejects(ending, (error) => error instanceof BotError && error.message.includes("choose"));
});
