/** Connects a bot to an arbiter and keeps it connected: the part that a bot of your own can take over as it is. */
import { create } from "@bufbuild/protobuf";
import { setTimeout as sleep } from "node:timers/promises";

import { CommandSchema, HelloSchema, type Command, type Hello } from "../proto.js";
import type { Question } from "./question.js";
import { ProtocolError, Session } from "./session.js";
import type { Settings } from "./settings.js";
import type { StreamEnd } from "./stream-end.js";
import { readMessage, streamOpener, type OpenStream, type Stream } from "./stream.js";
import { BotError, Thinkers } from "./thinking.js";

/** How a bot presents itself, and where its own part is. */
export interface Bot {
  /** A module that exports `choose`, a `Choose`. Each thread loads it once. */
  readonly module: URL;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  /** Most matches at the same time, each with a thread that thinks. */
  readonly matches: number;
}

/** Why the bot stops: the tournament is over, or it was asked to. */
export type Ending = "over" | "interrupted";

/** Why the bot does not play, or does not play on. */
export class ClientError extends Error {
  override readonly name = "ClientError";
}

const PROTOCOL_MAJOR = 1;
const PROTOCOL_MINOR = 0;
const DECISIONS_PER_MESSAGE = 64;

/** Before the first attempt to connect again; each further one waits twice as long. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** Time without a connection after which the bot gives up. */
const GIVE_UP_MS = 60_000;
/** Most time from the beginning of a stream to its welcome. */
const OPEN_MS = 10_000;
/** Most time that the arbiter gets to end the stream after `leave`. */
const LEAVE_MS = 2_000;

/** Plays until the tournament is over or `stop` is aborted. Throws ClientError, BotError, SettingsError. */
export async function play(settings: Settings, bot: Bot, stop: AbortSignal): Promise<Ending> {
  const openStream = streamOpener(settings);
  const session = new Session(helloOf(settings, bot));
  const thinkers = await Thinkers.start(bot.module, bot.matches, (question) => session.isOpen(question));
  try {
    return await new Player(settings.address, openStream, session, thinkers, stop).run();
  } finally {
    await thinkers.close();
  }
}

function helloOf(settings: Settings, bot: Bot): Hello {
  return create(HelloSchema, {
    protocolMajor: PROTOCOL_MAJOR,
    protocolMinor: PROTOCOL_MINOR,
    botName: settings.name || bot.name,
    botVersion: bot.version,
    author: bot.author,
    sdk: "example client in TypeScript",
    language: `Node.js ${process.version}`,
    maxConcurrentMatches: bot.matches,
    maxDecisionsPerMessage: DECISIONS_PER_MESSAGE,
    askBeforeDraw: true,
  });
}

class Player {
  #stream: Stream | null = null;
  #failure: Error | null = null;
  #left = false;

  constructor(
    private readonly address: string,
    private readonly openStream: OpenStream,
    private readonly session: Session,
    private readonly thinkers: Thinkers,
    private readonly stop: AbortSignal,
  ) {}

  async run(): Promise<Ending> {
    let aloneSince = performance.now();
    let delay = FIRST_DELAY_MS;
    for (;;) {
      const end = await this.#follow();
      this.#throwFailure();
      if (this.stop.aborted) return "interrupted";
      if (end.over) return "over";
      if (!end.lost)
        throw new ClientError(`the arbiter at ${this.address} ended the connection: ${String(end)}`);
      if (this.session.welcomed) {
        aloneSince = performance.now();
        delay = FIRST_DELAY_MS;
      }
      const seconds = GIVE_UP_MS / 1000;
      if (performance.now() - aloneSince >= GIVE_UP_MS) {
        throw new ClientError(`no connection to ${this.address} for ${String(seconds)} s: ${String(end)}`);
      }
      if (delay === FIRST_DELAY_MS) {
        console.error(`no connection to ${this.address} (${String(end)}), trying for ${String(seconds)} s`);
      }
      // A random part keeps many bots from coming back at the same moment.
      await pause(delay * (0.5 + Math.random() / 2), this.stop);
      this.#throwFailure();
      delay = Math.min(2 * delay, LONGEST_DELAY_MS);
    }
  }

  /** Plays on one stream until it ends. */
  async #follow(): Promise<StreamEnd> {
    const stream = this.openStream((bytes) => {
      this.#take(bytes);
    });
    this.#stream = stream;
    stream.send([this.session.begin()]);
    const interrupt = (): void => {
      this.#leave("interrupted");
    };
    this.stop.addEventListener("abort", interrupt);
    if (this.stop.aborted) interrupt();
    const opening = setTimeout(() => {
      if (!this.session.welcomed) stream.cancel();
    }, OPEN_MS);
    try {
      return await stream.ended;
    } finally {
      clearTimeout(opening);
      this.stop.removeEventListener("abort", interrupt);
      this.#stream = null;
    }
  }

  #take(bytes: Uint8Array): void {
    if (this.#left) return;
    try {
      const { commands, questions, notes } = this.session.take(readMessage(bytes));
      for (const note of notes) console.error(note);
      this.#send(commands);
      for (const question of questions) void this.#think(question);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const said =
        error instanceof ProtocolError ? error.message : `a message cannot be read: ${error.message}`;
      this.#fail(new ClientError(`the arbiter broke the protocol: ${said}`));
    }
  }

  async #think(question: Question): Promise<void> {
    try {
      const place = await this.thinkers.choose(question);
      const answer = place === null ? null : this.session.answer(question, place);
      if (answer !== null) this.#send([answer]);
    } catch (error) {
      this.#fail(error instanceof BotError ? error : new BotError(String(error)));
    }
  }

  /** What is not sent is not missed: the arbiter repeats offers and open decisions on the next stream. */
  #send(commands: Command[]): void {
    if (commands.length > 0 && this.session.welcomed && !this.#left) this.#stream?.send(commands);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#leave(error.message);
  }

  #leave(reason: string): void {
    const stream = this.#stream;
    if (stream === null || this.#left) return;
    if (!this.session.welcomed) {
      this.#left = true;
      stream.cancel();
      return;
    }
    this.#send([create(CommandSchema, { command: { case: "leave", value: { reason } } })]);
    this.#left = true;
    // An arbiter that does not end the stream in time is left all the same.
    const ending = setTimeout(() => {
      stream.cancel();
    }, LEAVE_MS);
    void stream.ended.then(() => {
      clearTimeout(ending);
    });
  }
}

/** Waits, but not once `stop` is aborted. */
async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
