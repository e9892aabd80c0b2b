/** The program: plays in a tournament until it is over. */
import { availableParallelism } from "node:os";

import { run } from "./client/program.js";

const MOST_MATCHES = 4;

process.exitCode = await run({
  module: new URL("./choose.js", import.meta.url),
  name: "typescript",
  version: "1.0.0",
  author: "",
  matches: Math.min(availableParallelism(), MOST_MATCHES),
});
