/** A bot as a program: settings from the environment, signals, exit status. */
import { play, type Bot } from "./client.js";
import { readSettings } from "./settings.js";

const OVER = 0;
const FAILED = 1;
const WRONG_ARGUMENTS = 2;
const INTERRUPTED = 3;

/**
 * Plays with the arbiter that SIXTYSIX_ADDRESS names. Returns the exit status: 0 when the tournament is over, 1 on a
 * failure, 2 on wrong arguments, 3 after SIGINT or SIGTERM.
 */
export async function run(bot: Bot): Promise<number> {
  if (process.argv.length > 2) {
    console.error("this program takes no arguments; its settings are SIXTYSIX_ variables, see README.md");
    return WRONG_ARGUMENTS;
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  try {
    const ending = await play(readSettings(process.env), bot, stop.signal);
    return ending === "over" ? OVER : INTERRUPTED;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Where in the bot it happened.
    if (error.cause instanceof Error) console.error(error.cause.stack);
    console.error(`error: ${error.message}`);
    return FAILED;
  }
}
