/** What a bot is asked, and how it answers. */
import type { Action, Observation, RuleSet, Stage } from "../proto.js";

/** A decision to be made. */
export interface Question {
  readonly matchId: string;
  /** Grows from decision to decision of a match. */
  readonly decisionId: bigint;
  readonly rules: RuleSet;
  readonly stage: Stage;
  /** All that the bot may know. */
  readonly observation: Observation;
  /** One or more; kinds of actions that these files do not know are left out. */
  readonly legalActions: readonly [Action, ...Action[]];
  /** Most milliseconds that the answer may take from its arrival on. */
  readonly capMs: number;
  /** Milliseconds that are left for the whole match. */
  readonly bankMs: number;
}

/**
 * Answers a question with one of its legal actions.
 *
 * @param waitedMs how much of the time has passed already.
 */
export type Choose = (question: Question, waitedMs: number) => Action | Promise<Action>;
