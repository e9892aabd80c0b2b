/** The program: plays in a tournament until it is over. The environment says where. */
import { run } from "./client/program.js";

process.exitCode = await run({
  module: new URL("./choose.js", import.meta.url),
  name: "my_bot",
  version: "0.1.0",
  author: "",
  matches: 2,
});
