/** The messages in `vectors` that every client must read and write, and the bot's answers to the decisions there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  create,
  createRegistry,
  fromBinary,
  fromJson,
  isMessage,
  toBinary,
  toJson,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";

import { choose } from "../choose.js";
import { ruleProblem } from "../client/rule-check.js";
import { Session } from "../client/session.js";
import { file_sixtysix_v1_tournament_service } from "../gen/sixtysix/v1/tournament_service_pb.js";
import {
  DecisionSchema,
  ErrorInfoSchema,
  file_sixtysix_v1_bot_service,
  file_sixtysix_v1_cards,
  file_sixtysix_v1_deal,
  file_sixtysix_v1_rules,
  file_sixtysix_v1_status,
  HelloSchema,
  RuleSetSchema,
  StatusSchema,
} from "../proto.js";
import { message, offer } from "./fixtures.js";

interface Line {
  readonly title: string;
  readonly type: string;
  readonly json: JsonValue;
  readonly hex: string;
  readonly later?: boolean;
}

const VECTORS = new URL("../../../../vectors/messages.jsonl", import.meta.url);
const lines = readFileSync(VECTORS, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const registry = createRegistry(
  file_sixtysix_v1_bot_service,
  file_sixtysix_v1_cards,
  file_sixtysix_v1_deal,
  file_sixtysix_v1_rules,
  file_sixtysix_v1_status,
  file_sixtysix_v1_tournament_service,
);

/** The JSON form; that of a packed ErrorInfo names a type that is not among these files. */
function jsonOf(schema: DescMessage, message: Message): JsonValue {
  if (!isMessage(message, StatusSchema)) return toJson(schema, message);
  const { details, ...rest } = message;
  const infos = details.map(({ typeUrl, value }) => ({
    "@type": typeUrl,
    ...(toJson(ErrorInfoSchema, fromBinary(ErrorInfoSchema, value)) as JsonObject),
  }));
  return { ...(toJson(StatusSchema, { ...rest, details: [] }) as JsonObject), details: infos };
}

function schemaOf(type: string): DescMessage {
  const schema = registry.getMessage(type);
  assert.ok(schema, `no message ${type}`);
  return schema;
}

test("every message is read from its bytes, and written with the same", () => {
  assert.ok(lines.length > 100);
  for (const { title, type, json, hex, later } of lines) {
    const schema = schemaOf(type);
    const bytes = Buffer.from(hex, "hex");
    const read = fromBinary(schema, bytes, { readUnknownFields: false });
    if (later === true) {
      assert.deepEqual(
        Buffer.from(toBinary(schema, read)),
        Buffer.from(toBinary(schema, fromJson(schema, json))),
        title,
      );
    } else {
      assert.deepEqual(jsonOf(schema, read), json, title);
      assert.equal(Buffer.from(toBinary(schema, read)).toString("hex"), hex, title);
    }
  }
});

const ruleSets = new Map(
  lines
    .filter(({ title }) => title.startsWith("rule set "))
    .map(({ title, json }) => [title.slice("rule set ".length), fromJson(RuleSetSchema, json)]),
);

test("the shipped rule sets are known", () => {
  assert.equal(ruleSets.size, 7);
  for (const rules of ruleSets.values()) assert.equal(ruleProblem(rules), null);
});

test("the bot answers every decision in every rule set with a legal action", () => {
  const decisions = lines.filter(({ title }) => title.startsWith("decision: "));
  assert.ok(decisions.length > 20);
  for (const { title, json } of decisions) {
    const value = fromJson(DecisionSchema, json);
    const rules = ruleSets.get(title.slice("decision: ".length).split(",")[0] ?? "");
    assert.ok(rules, title);
    const session = new Session(create(HelloSchema));
    const [question] = session.take(
      message(offer(value.matchId, rules), { case: "decision", value }),
    ).questions;
    assert.ok(question, title);
    assert.ok(question.legalActions.includes(choose(question)), title);
  }
});
