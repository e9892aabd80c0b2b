/** How a stream ended, by the table of stream errors in the description of the protocol. */
import { fromBinary } from "@bufbuild/protobuf";
import { status as Code, type StatusObject } from "@grpc/grpc-js";

import { ErrorInfoSchema, StatusSchema } from "../proto.js";

const DOMAIN = "sixtysix";
const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const DETAILS = "grpc-status-details-bin";

const RECONNECT: readonly string[] = ["HEARTBEAT_MISSED", "OUTBOUND_QUEUE_FULL"];
/** What gRPC itself says of a connection that broke. */
const LOST: readonly Code[] = [Code.UNAVAILABLE, Code.CANCELLED, Code.INTERNAL, Code.UNKNOWN];

export class StreamEnd {
  private constructor(
    private readonly code: Code,
    /** Name of a StatusReason; empty if the end comes from gRPC itself. */
    readonly reason: string,
    private readonly message: string,
  ) {}

  static of({ code, details, metadata }: StatusObject): StreamEnd {
    return new StreamEnd(code, reasonOf(metadata.get(DETAILS)), details);
  }

  /** Has the tournament come to its end? */
  get over(): boolean {
    return this.code === Code.OK || this.reason === "TOURNAMENT_OVER";
  }

  /** Is it right to connect again? */
  get lost(): boolean {
    return this.reason === "" ? LOST.includes(this.code) : RECONNECT.includes(this.reason);
  }

  toString(): string {
    const name = this.reason || Code[this.code];
    if (this.message === "") return name;
    return this.message.startsWith(name) ? this.message : `${name}: ${this.message}`;
  }
}

function reasonOf(details: readonly (string | Buffer)[]): string {
  const [bytes] = details;
  if (!(bytes instanceof Buffer)) return "";
  try {
    for (const packed of fromBinary(StatusSchema, bytes).details) {
      if (packed.typeUrl !== ERROR_INFO) continue;
      const info = fromBinary(ErrorInfoSchema, packed.value);
      if (info.domain === DOMAIN) return info.reason;
    }
  } catch {
    // Details that cannot be read are none.
  }
  return "";
}
