import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { create, equals, fromBinary, fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";

import type { Question } from "../client/question.js";
import { ProtocolError, Session } from "../client/session.js";
import {
  ActionKind,
  ActionSchema,
  ActionStatus,
  CommandSchema,
  Duty,
  HelloSchema,
  PlayRequestSchema,
  PlayResponseSchema,
  type Command,
} from "../proto.js";
import { decision, message, offer, schnapsen, welcome } from "./fixtures.js";

const TRANSCRIPT = new URL("../../../../docs/transcript.jsonl", import.meta.url);

let session: Session;

function take(...updates: Parameters<typeof message>): ReturnType<Session["take"]> {
  return session.take(message(...updates));
}

/** The question to which a decision of match m1 leads, or undefined. */
function ask(decisionId: bigint): Question | undefined {
  return take(decision("m1", decisionId)).questions[0];
}

function begin(sessionId: string, resumed = false): void {
  session.begin();
  take(welcome(sessionId, resumed), offer("m1"));
}

function opened(decisionId: bigint): Question {
  const question = ask(decisionId);
  assert.ok(question);
  return question;
}

function result(status: ActionStatus, decisionId: bigint): Parameters<typeof message>[0] {
  return { case: "actionResult", value: { matchId: "m1", decisionId, status, message: "why" } };
}

beforeEach(() => {
  session = new Session(create(HelloSchema, { botName: "bot" }));
});

test("a ping is answered with its nonce, and each offer with ready", () => {
  const { commands } = take({ case: "ping", value: { nonce: 2n ** 63n } }, offer("m1"), offer("m1"));
  const ready = { case: "ready", value: { matchId: "m1" } } as const;
  const expected = [{ case: "pong", value: { nonce: 2n ** 63n } } as const, ready, ready];
  assert.deepEqual(
    commands,
    expected.map((command) => create(CommandSchema, { command })),
  );
});

test("a stream begins with hello, which asks for the session that there was", () => {
  const sessions = (): unknown => {
    const { command } = session.begin();
    return command.case === "hello" && command.value.resumeSessionId;
  };
  assert.equal(sessions(), "");
  take(welcome("s1"));
  assert.ok(session.welcomed);
  assert.equal(sessions(), "s1");
  assert.ok(!session.welcomed);
});

describe("a decision", () => {
  beforeEach(() => {
    begin("s1");
  });

  test("is answered once, with the action itself", () => {
    const question = opened(1n);
    const answer = session.answer(question, 2);
    assert.ok(answer?.command.case === "action" && answer.command.value.action);
    assert.equal(answer.command.value.decisionId, 1n);
    assert.ok(question.legalActions[2]);
    assert.ok(equals(ActionSchema, answer.command.value.action, question.legalActions[2]));
    assert.equal(session.answer(question, 2), null);
  });

  test("is thought about only once, also after a lost connection", () => {
    const question = opened(1n);
    begin("s1", true);
    assert.equal(ask(1n), undefined);
    assert.ok(session.isOpen(question));
    assert.ok(session.answer(question, 0));
  });

  test("is answered again if it comes again, for the answer may be lost", () => {
    const answer = session.answer(opened(1n), 0);
    begin("s1", true);
    const { commands, questions } = take(decision("m1", 1n));
    assert.deepEqual([commands, questions], [[answer], []]);
  });

  test("is forgotten in a new session, with a match of the same id", () => {
    const question = opened(1n);
    begin("s2");
    assert.equal(session.answer(question, 0), null);
    assert.ok(session.answer(opened(1n), 0));
  });

  for (const [what, update] of Object.entries({
    "the next one": decision("m1", 2n),
    "its time": result(ActionStatus.TOO_LATE, 1n),
    "the end of the deal": { case: "dealEnded", value: { matchId: "m1" } } as const,
    "the end of the match": { case: "matchEnded", value: { matchId: "m1" } } as const,
  })) {
    test(`is closed by ${what}`, () => {
      const question = opened(1n);
      take(update);
      assert.ok(!session.isOpen(question));
      assert.equal(session.answer(question, 0), null);
    });
  }

  test("stays open when an older one is late", () => {
    opened(1n);
    const question = opened(2n);
    assert.equal(take(result(ActionStatus.TOO_LATE, 1n)).notes.length, 1);
    assert.ok(session.isOpen(question));
  });
});

test("results that are no faults are passed over, faults are told", () => {
  begin("s1");
  for (const status of [
    ActionStatus.ACCEPTED,
    ActionStatus.DUPLICATE,
    ActionStatus.STALE,
    99 as ActionStatus,
  ]) {
    assert.deepEqual(take(result(status, 1n)), { commands: [], questions: [], notes: [] });
  }
  assert.deepEqual(take(result(ActionStatus.ILLEGAL, 1n)).notes, ["match m1, decision 1: ILLEGAL, why"]);
});

test("what a later version has added is ignored", () => {
  begin("s1");
  const unknown = fromBinary(PlayResponseSchema, Uint8Array.of(0x0a, 0x03, 0xa2, 0x06, 0x00)); // field 100
  assert.deepEqual(session.take(unknown), { commands: [], questions: [], notes: [] });
  const strange = decision("m1", 1n);
  assert.ok(strange.case === "decision");
  strange.value.legalActions?.unshift(create(ActionSchema, { kind: 99 as ActionKind }));
  const [question] = take(strange).questions;
  assert.equal(question?.legalActions.length, 7);
});

describe("what is needed in order to play is refused:", () => {
  const broken = schnapsen();
  broken.openDuty = 9 as Duty;
  const unset = schnapsen();
  unset.ranks.push(0);
  const short = schnapsen();
  short.cardPoints.pop();
  for (const [what, update, problem] of [
    ["an unknown rule", offer("m2", broken), /m2: rules\.open_duty has the unknown value 9/],
    ["a rule that is not set", offer("m2", unset), /m2: rules\.ranks has the unknown value 0/],
    ["a rank without points", offer("m2", short), /m2: rules\.ranks and rules\.card_points do not match/],
    ["no rules", { case: "matchOffered", value: { matchId: "m2" } }, /m2 is offered without rules/],
    ["an unknown match", decision("m3", 1n), /match m3, which was not offered/],
    ["an empty decision", { case: "decision", value: { matchId: "m1" } }, /match m1 is not complete/],
  ] as const) {
    test(what, () => {
      begin("s1");
      assert.throws(
        () => take(update),
        (error) => error instanceof ProtocolError && problem.test(error.message),
      );
    });
  }
});

interface Line {
  readonly seat: number;
  readonly from: "bot" | "arbiter";
  readonly message: JsonValue;
}

test("the transcript of a deal is followed command by command", () => {
  const lines = readFileSync(TRANSCRIPT, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  for (const seat of [0, 1]) {
    const own = lines.filter((line) => line.seat === seat);
    const sent = own
      .filter((line) => line.from === "bot")
      .flatMap((line) => fromJson(PlayRequestSchema, line.message).commands);
    const answers = sent.filter(({ command }) => command.case === "action");
    const [hello] = sent;
    assert.ok(hello?.command.case === "hello");
    session = new Session(hello.command.value);
    const commands: Command[] = [session.begin()];
    for (const line of own.filter(({ from }) => from === "arbiter")) {
      const reaction = session.take(fromJson(PlayResponseSchema, line.message));
      commands.push(...reaction.commands);
      for (const question of reaction.questions) {
        const answer = answers.shift();
        assert.ok(answer?.command.case === "action" && answer.command.value.action);
        const chosen = answer.command.value.action;
        const place = question.legalActions.findIndex((legal) => equals(ActionSchema, legal, chosen));
        const command = session.answer(question, place);
        assert.ok(command);
        commands.push(command);
      }
    }
    const json = (list: Command[]): unknown => list.map((command) => toJson(CommandSchema, command));
    assert.deepEqual(json(commands), json(sent));
    assert.ok(commands.length > 8);
  }
});
