/** The other end of the wire: a server whose streams a test leads. */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Metadata, Server, ServerCredentials, status as Code, type ServerDuplexStream } from "@grpc/grpc-js";

import {
  BotService,
  ErrorInfoSchema,
  PlayRequestSchema,
  PlayResponseSchema,
  StatusSchema,
  type Command,
  type PlayRequest,
  type PlayResponse,
} from "../proto.js";

const { name } = BotService.method.play;

/** Hands over items one by one to whoever waits for them. */
class Queue<Item> {
  readonly #items: Item[] = [];
  readonly #waiting: ((item: Item) => void)[] = [];

  put(item: Item): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#items.push(item);
    else waiting(item);
  }

  get(): Promise<Item> {
    const item = this.#items.shift();
    return item === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(item);
  }
}

/** A stream that a bot has opened. */
export class BotStream {
  readonly #call: ServerDuplexStream<PlayRequest, PlayResponse>;
  readonly #commands = new Queue<Command["command"]>();

  constructor(call: ServerDuplexStream<PlayRequest, PlayResponse>) {
    this.#call = call;
    call.on("data", (request: PlayRequest) => {
      for (const { command } of request.commands) this.#commands.put(command);
    });
    call.on("error", () => undefined);
  }

  get authorization(): unknown {
    return this.#call.metadata.get("authorization")[0];
  }

  /** The next command, which must be of this kind. */
  async next<Kind extends Command["command"]["case"]>(
    kind: Kind,
  ): Promise<Extract<Command["command"], { case: Kind }>> {
    const command = await this.#commands.get();
    if (command.case !== kind) throw new Error(`${String(command.case)} instead of ${String(kind)}`);
    return command as Extract<Command["command"], { case: Kind }>;
  }

  send(message: PlayResponse): void {
    this.#call.write(message);
  }

  /** Ends in good order. */
  end(): void {
    this.#call.end();
  }

  /** Ends with a status, and with a reason of the arbiter unless it is empty. */
  fail(code: Code, reason = ""): void {
    const metadata = new Metadata();
    if (reason !== "") {
      const info = create(ErrorInfoSchema, { reason, domain: "sixtysix" });
      const packed = {
        typeUrl: "type.googleapis.com/google.rpc.ErrorInfo",
        value: toBinary(ErrorInfoSchema, info),
      };
      const status = create(StatusSchema, { code, details: [packed] });
      metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, status)));
    }
    this.#call.emit("error", { code, details: "by the test", metadata });
  }
}

export class Arbiter {
  readonly #server = new Server();
  readonly #streams = new Queue<BotStream>();
  address = "";

  static async listen(): Promise<Arbiter> {
    const arbiter = new Arbiter();
    const play = {
      path: `/${BotService.typeName}/${name}`,
      requestStream: true,
      responseStream: true,
      requestSerialize: (request: PlayRequest) => Buffer.from(toBinary(PlayRequestSchema, request)),
      requestDeserialize: (bytes: Buffer) => fromBinary(PlayRequestSchema, bytes),
      responseSerialize: (response: PlayResponse) => Buffer.from(toBinary(PlayResponseSchema, response)),
      responseDeserialize: (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
    } as const;
    arbiter.#server.addService(
      { play },
      {
        play: (call: ServerDuplexStream<PlayRequest, PlayResponse>) => {
          arbiter.#streams.put(new BotStream(call));
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) => {
      arbiter.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    arbiter.address = `127.0.0.1:${String(port)}`;
    return arbiter;
  }

  /** The next stream that the bot opens. */
  stream(): Promise<BotStream> {
    return this.#streams.get();
  }

  close(): void {
    this.#server.forceShutdown();
  }
}
