/** The life of a thread that thinks; started by `Thinkers`. */
import { equals } from "@bufbuild/protobuf";
import { parentPort, workerData } from "node:worker_threads";

import { ActionSchema } from "../proto.js";
import type { Choose } from "./question.js";
import type { Report, Task } from "./thinking.js";

const report = (message: Report): void => parentPort?.postMessage(message);

const bot = (await import(workerData as string)) as { choose?: Choose };
if (bot.choose === undefined) throw new Error(`${workerData as string} does not export choose`);
const choose = bot.choose;

async function think({ question, waitedMs }: Task): Promise<void> {
  try {
    const action = await choose(question, waitedMs);
    const place = question.legalActions.findIndex((legal) => equals(ActionSchema, legal, action));
    report(place < 0 ? { problem: new Error(`not a legal action: ${JSON.stringify(action)}`) } : { place });
  } catch (error) {
    report({ problem: error instanceof Error ? error : new Error(String(error)) });
  }
}

parentPort?.on("message", (task: Task) => void think(task));
report({ ready: true });
