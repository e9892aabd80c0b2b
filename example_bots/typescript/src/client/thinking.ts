/** Lets a bot think in threads of its own, so that the connection never waits for it. */
import { Worker } from "node:worker_threads";

import type { Question } from "./question.js";

/** The bot's own part has failed; the message says how. */
export class BotError extends Error {
  override readonly name = "BotError";
}

/** What a thread is told. */
export interface Task {
  readonly question: Question;
  readonly waitedMs: number;
}

/** What a thread says: it is ready, it has chosen a place in `Question.legalActions`, or the bot has failed. */
export type Report = { readonly ready: true } | { readonly place: number } | { readonly problem: Error };

interface Waiting {
  readonly question: Question;
  readonly arrived: number;
  readonly resolve: (place: number | null) => void;
  readonly reject: (error: BotError) => void;
}

const THREAD = new URL("./thread.js", import.meta.url);

export class Thinkers {
  readonly #isWanted: (question: Question) => boolean;
  readonly #workers: Worker[] = [];
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  #queue: Waiting[] = [];
  #failure: BotError | null = null;

  private constructor(isWanted: (question: Question) => boolean) {
    this.#isWanted = isWanted;
  }

  /**
   * Starts threads that have loaded the bot. Rejects with BotError.
   *
   * @param module exports `choose`, a `Choose`.
   * @param isWanted is asked before thinking about a question begins.
   */
  static async start(
    module: URL,
    count: number,
    isWanted: (question: Question) => boolean,
  ): Promise<Thinkers> {
    const thinkers = new Thinkers(isWanted);
    try {
      await Promise.all(Array.from({ length: count }, () => thinkers.#startThread(module)));
    } catch (error) {
      await thinkers.close();
      throw error;
    }
    return thinkers;
  }

  /** The place of the action that the bot chooses; null if it was not wanted any more. Rejects with BotError. */
  choose(question: Question): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#queue.push({ question, arrived: performance.now(), resolve, reject });
      this.#distribute();
    });
  }

  /** Ends all threads, whatever they do. Questions that are open get no answer. */
  async close(): Promise<void> {
    for (const worker of this.#workers) worker.removeAllListeners();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #startThread(module: URL): Promise<void> {
    const worker = new Worker(THREAD, { workerData: module.href });
    this.#workers.push(worker);
    return new Promise((resolve, reject) => {
      const fail = (cause: Error): void => {
        const error = new BotError(`the bot has failed: ${String(cause)}`, { cause });
        reject(error);
        this.#fail(error);
      };
      worker.on("error", fail);
      worker.on("exit", () => {
        fail(new Error("a thread has ended"));
      });
      worker.on("message", (report: Report) => {
        if ("problem" in report) {
          fail(report.problem);
          return;
        }
        resolve();
        if ("place" in report) this.#busy.get(worker)?.resolve(report.place);
        this.#busy.delete(worker);
        this.#idle.push(worker);
        this.#distribute();
      });
    });
  }

  #fail(error: BotError): void {
    this.#failure ??= error;
    for (const waiting of [...this.#busy.values(), ...this.#queue]) waiting.reject(error);
    this.#busy.clear();
    this.#queue = [];
  }

  #distribute(): void {
    for (const worker of this.#idle.splice(0)) {
      const waiting = this.#next();
      if (waiting === null) {
        this.#idle.push(worker);
        continue;
      }
      this.#busy.set(worker, waiting);
      const { question, arrived } = waiting;
      worker.postMessage({ question, waitedMs: performance.now() - arrived } satisfies Task);
    }
  }

  /** The next question to think about; those that are closed by now are passed over. */
  #next(): Waiting | null {
    for (let waiting = this.#queue.shift(); waiting !== undefined; waiting = this.#queue.shift()) {
      if (this.#isWanted(waiting.question)) return waiting;
      waiting.resolve(null);
    }
    return null;
  }
}
