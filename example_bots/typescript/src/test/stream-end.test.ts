import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { Metadata, status as Code } from "@grpc/grpc-js";

import { StreamEnd } from "../client/stream-end.js";
import { ErrorInfoSchema, StatusSchema } from "../proto.js";

/** How a stream ends with this reason, or, if it is empty, by gRPC itself. */
function end(code: Code, reason: string, domain = "sixtysix"): StreamEnd {
  const metadata = new Metadata();
  if (reason !== "") {
    const value = toBinary(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain }));
    const details = [{ typeUrl: "type.googleapis.com/google.rpc.ErrorInfo", value }];
    const status = create(StatusSchema, { code, details });
    metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, status)));
  }
  return StreamEnd.of({ code, details: "text", metadata });
}

for (const [code, reason, expected] of [
  [Code.OK, "", "over"],
  [Code.UNAVAILABLE, "TOURNAMENT_OVER", "over"],
  [Code.UNAVAILABLE, "", "lost"],
  [Code.CANCELLED, "", "lost"],
  [Code.UNAVAILABLE, "HEARTBEAT_MISSED", "lost"],
  [Code.RESOURCE_EXHAUSTED, "OUTBOUND_QUEUE_FULL", "lost"],
  [Code.RESOURCE_EXHAUSTED, "", "refused"],
  [Code.RESOURCE_EXHAUSTED, "RATE_EXCEEDED", "refused"],
  [Code.UNAVAILABLE, "DRAINING", "refused"],
  [Code.UNAVAILABLE, "OF_A_LATER_VERSION", "refused"],
  [Code.ABORTED, "REPLACED_BY_NEWER_CONNECTION", "refused"],
  [Code.FAILED_PRECONDITION, "RULE_SET_UNSUPPORTED", "refused"],
  [Code.UNAUTHENTICATED, "TOKEN_UNKNOWN", "refused"],
] as const) {
  test(`${Code[code]} ${reason}: ${expected}`, () => {
    const { over, lost } = end(code, reason);
    assert.equal(over ? "over" : lost ? "lost" : "refused", expected);
    assert.equal(String(end(code, reason)), `${reason || Code[code]}: text`);
  });
}

test("details of somebody else, or that cannot be read, give no reason", () => {
  assert.equal(end(Code.UNAVAILABLE, "HEARTBEAT_MISSED", "example.org").reason, "");
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from([0xff]));
  assert.equal(StreamEnd.of({ code: Code.UNAVAILABLE, details: "", metadata }).reason, "");
});
