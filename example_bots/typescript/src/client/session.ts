/**
 * All matches of a bot, as the protocol has them: from updates to commands, without input or output. What has to be
 * thought about is handed out as a question, and its answer is given back whenever it is found.
 */
import { clone, create, type MessageInitShape } from "@bufbuild/protobuf";

import {
  ActionKind,
  ActionStatus,
  CommandSchema,
  HelloSchema,
  type Action,
  type ActionResult,
  type Command,
  type Decision,
  type Hello,
  type MatchOffered,
  type PlayResponse,
  type RuleSet,
  type Update,
  type Welcome,
} from "../proto.js";
import type { Question } from "./question.js";
import { ruleProblem } from "./rule-check.js";

/** The arbiter has sent what this client cannot understand, and must in order to play. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** What follows from a message of the arbiter. */
export interface Reaction {
  readonly commands: Command[];
  readonly questions: Question[];
  /** For the log. */
  readonly notes: string[];
}

interface Match {
  readonly rules: RuleSet;
  /** What is being thought about. */
  open: Question | null;
  /** The last answer, in case that it is lost on its way. */
  answer: { readonly decisionId: bigint; readonly command: Command } | null;
}

/** Faults: what went wrong is told to people. */
const FAULTS: readonly ActionStatus[] = [ActionStatus.TOO_LATE, ActionStatus.ILLEGAL, ActionStatus.MALFORMED];

export class Session {
  readonly #hello: Hello;
  readonly #matches = new Map<string, Match>();
  #welcomed = false;

  /** @param hello introduces the bot; the session to resume is filled in. */
  constructor(hello: Hello) {
    this.#hello = clone(HelloSchema, hello);
  }

  /** Has the stream that began last been welcomed? Before that it takes no answers. */
  get welcomed(): boolean {
    return this.#welcomed;
  }

  /** A stream begins: its first command. */
  begin(): Command {
    this.#welcomed = false;
    return command({ case: "hello", value: clone(HelloSchema, this.#hello) });
  }

  /** Follows a message. Throws ProtocolError. */
  take(message: PlayResponse): Reaction {
    const reaction: Reaction = { commands: [], questions: [], notes: [] };
    for (const update of message.updates) this.#follow(update, reaction);
    return reaction;
  }

  /** Is the answer to a question still wanted? */
  isOpen(question: Question): boolean {
    return this.#matches.get(question.matchId)?.open === question;
  }

  /** The answer to a question: the legal action at `place`; null if none is wanted any more. */
  answer(question: Question, place: number): Command | null {
    const match = this.#matches.get(question.matchId);
    const action = question.legalActions[place];
    if (match?.open !== question || action === undefined) return null;
    const { matchId, decisionId } = question;
    match.open = null;
    match.answer = {
      decisionId,
      command: command({ case: "action", value: { matchId, decisionId, action } }),
    };
    return match.answer.command;
  }

  #follow({ update }: Update, reaction: Reaction): void {
    switch (update.case) {
      case "ping":
        reaction.commands.push(command({ case: "pong", value: { nonce: update.value.nonce } }));
        break;
      case "welcome":
        this.#welcome(update.value, reaction);
        break;
      case "matchOffered":
        this.#offer(update.value, reaction);
        break;
      case "decision":
        this.#decide(update.value, reaction);
        break;
      case "actionResult":
        this.#result(update.value, reaction);
        break;
      case "dealEnded":
        this.#close(update.value.matchId);
        break;
      case "matchEnded":
        this.#matches.delete(update.value.matchId);
        break;
      case "draining":
        reaction.notes.push("the arbiter shuts down; matches that run go on");
        break;
      case "error":
        reaction.notes.push(`a command was dropped: ${update.value.message}`);
        break;
      default: // dealStarted and event repeat what observations hold; others come from a later version
        break;
    }
  }

  #welcome(welcome: Welcome, reaction: Reaction): void {
    this.#welcomed = true;
    this.#hello.resumeSessionId = welcome.sessionId;
    if (!welcome.resumed) this.#matches.clear();
    reaction.notes.push(`connected as ${welcome.botName}`);
  }

  #offer({ matchId, rules }: MatchOffered, reaction: Reaction): void {
    if (!this.#matches.has(matchId)) {
      if (rules === undefined) throw new ProtocolError(`match ${matchId} is offered without rules`);
      const problem = ruleProblem(rules);
      if (problem !== null) throw new ProtocolError(`match ${matchId}: ${problem}`);
      this.#matches.set(matchId, { rules, open: null, answer: null });
    }
    reaction.commands.push(command({ case: "ready", value: { matchId } }));
  }

  #decide(decision: Decision, reaction: Reaction): void {
    const { matchId, decisionId, stage, observation, clock } = decision;
    const match = this.#matches.get(matchId);
    if (match === undefined) throw new ProtocolError(`a decision of match ${matchId}, which was not offered`);
    if (match.answer?.decisionId === decisionId) {
      // Asked again after a lost connection, so the answer was perhaps lost too.
      reaction.commands.push(match.answer.command);
      return;
    }
    if (match.open?.decisionId === decisionId) return; // being thought about
    const [first, ...others] = decision.legalActions.filter(isKnown);
    if (observation === undefined || clock === undefined || first === undefined) {
      throw new ProtocolError(`decision ${String(decisionId)} of match ${matchId} is not complete`);
    }
    match.open = {
      matchId,
      decisionId,
      rules: match.rules,
      stage,
      observation,
      legalActions: [first, ...others],
      capMs: Number(clock.capUs) / 1000,
      bankMs: Number(clock.bankUs) / 1000,
    };
    reaction.questions.push(match.open);
  }

  #result({ matchId, decisionId, status, message, consequence }: ActionResult, reaction: Reaction): void {
    if (!FAULTS.includes(status)) return;
    // It may tell of an answer that was on its way when the next decision came.
    if (this.#matches.get(matchId)?.open?.decisionId === decisionId) this.#close(matchId);
    const text = [ActionStatus[status], message, consequence].filter((part) => part !== "").join(", ");
    reaction.notes.push(`match ${matchId}, decision ${String(decisionId)}: ${text}`);
  }

  #close(matchId: string): void {
    const match = this.#matches.get(matchId);
    if (match !== undefined) match.open = null;
  }
}

/** A kind of a later version is one that this bot need not know in order to play. */
function isKnown({ kind }: Action): boolean {
  return kind !== ActionKind.UNSPECIFIED && kind in ActionKind;
}

function command(content: NonNullable<MessageInitShape<typeof CommandSchema>["command"]>): Command {
  return create(CommandSchema, { command: content });
}
