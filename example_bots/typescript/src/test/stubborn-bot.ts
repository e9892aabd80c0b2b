/** A bot for tests of the client: the name of a match says what its `choose` does. */
import type { Question } from "../client/question.js";
import { ActionKind, type Action } from "../proto.js";
import { action } from "./fixtures.js";

/** In a match of this name it never comes to an end, and takes the thread with it. */
export const ENDLESS = "endless";
/** Here it throws. */
export const FAILING = "failing";
/** Here it chooses what is not among the legal actions. */
export const ILLEGAL = "illegal";

/** Claims if it may, otherwise takes the first legal action. */
export function choose({ matchId, legalActions }: Question): Promise<Action> {
  if (matchId === FAILING) throw new RangeError("no idea");
  if (matchId === ILLEGAL) return Promise.resolve(action("exchange"));
  while (matchId === ENDLESS);
  return Promise.resolve(legalActions.find(({ kind }) => kind === ActionKind.CLAIM) ?? legalActions[0]);
}
