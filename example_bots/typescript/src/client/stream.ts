/** One stream to the arbiter, over gRPC. */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ChannelCredentials, type ClientOptions } from "@grpc/grpc-js";

import { BotService, PlayRequestSchema, type Command } from "../proto.js";
import type { PlayResponse } from "../proto.js";
import { SettingsError, type Settings } from "./settings.js";
import { StreamEnd } from "./stream-end.js";

export interface Stream {
  /** Queues a message; does nothing on a stream that has ended. */
  send(commands: Command[]): void;
  /** Breaks the stream off. */
  cancel(): void;
  readonly ended: Promise<StreamEnd>;
}

/** Starts a stream, whose messages go to `take`. */
export type OpenStream = (take: (bytes: Uint8Array) => void) => Stream;

const { method } = BotService;
const PATH = `/${BotService.typeName}/${method.play.name}`;

/** The way to the arbiter of these settings. Throws SettingsError. */
export function streamOpener(settings: Settings): OpenStream {
  const channelCredentials = credentialsOf(settings);
  const options = optionsOf(settings);
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${settings.token}`);
  return (take) => {
    const client = new Client(settings.address, channelCredentials, options);
    const call = client.makeBidiStreamRequest(
      PATH,
      (commands: Command[]) =>
        Buffer.from(toBinary(PlayRequestSchema, create(PlayRequestSchema, { commands }))),
      (bytes) => bytes,
      metadata,
      {},
    );
    let open = true;
    const ended = new Promise<StreamEnd>((resolve) => {
      call.on("status", (status) => {
        open = false;
        client.close();
        resolve(StreamEnd.of(status));
      });
    });
    call.on("data", take);
    call.on("error", () => undefined); // the status says the same
    return {
      send: (commands) => {
        if (open) call.write(commands);
      },
      cancel: () => {
        call.cancel();
      },
      ended,
    };
  };
}

/** A message of the arbiter. Throws an Error for bytes that are none. */
export function readMessage(bytes: Uint8Array): PlayResponse {
  return fromBinary(method.play.output, bytes);
}

function credentialsOf({ tls }: Settings): ChannelCredentials {
  if (tls === null) return credentials.createInsecure();
  try {
    return credentials.createSsl(
      tls.authorities,
      tls.identity?.key ?? null,
      tls.identity?.certificate ?? null,
    );
  } catch (error) {
    throw new SettingsError(`SIXTYSIX_TLS_CA, SIXTYSIX_TLS_CERT or SIXTYSIX_TLS_KEY: ${String(error)}`);
  }
}

function optionsOf({ address }: Settings): ClientOptions {
  const local = /^(127\.|localhost:|\[::1\]:)/.test(address);
  return {
    // A silent network is noticed within the time for which matches usually wait for their bot.
    "grpc.keepalive_time_ms": 6_000,
    "grpc.keepalive_timeout_ms": 4_000,
    // Each attempt has a connection of its own, so that gRPC adds no waiting time to that of the client.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_http_proxy": local ? 0 : 1,
  };
}
