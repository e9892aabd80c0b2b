/** Messages as an arbiter sends them, with cards in the notation of deal records: rank first, `TH`. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import type { Question } from "../client/question.js";
import {
  ActionKind,
  ActionSchema,
  BothOver,
  ClosedUnclaimed,
  CloserBeaten,
  CloserFails,
  Duty,
  LastClaim,
  Leader,
  Measure,
  NextDealer,
  ObservationSchema,
  PlayResponseSchema,
  Rank,
  RuleSetSchema,
  Seat,
  Stage,
  Suit,
  Unclaimed,
  UpdateSchema,
  type Action,
  type Card,
  type PlayResponse,
  type RuleSet,
} from "../proto.js";
import { cardOf } from "../view.js";

const SUITS = "CDHS";
const RANKS = "ATKQJ9";

export function suit(text: string): Suit {
  return SUITS.indexOf(text) + 1;
}

export function card(text: string): Card {
  return cardOf(suit(text.slice(1)), RANKS.indexOf(text.slice(0, 1)) + 1);
}

/** Cards with spaces between them. */
export function cards(text: string): Card[] {
  return text.split(" ").filter(Boolean).map(card);
}

/** An action such as `AS`, `claim` or `marriage H`. */
export function action(text: string): Action {
  const [word = "", of = ""] = text.split(" ");
  const kind = ActionKind[word.toUpperCase() as keyof typeof ActionKind] as ActionKind | undefined;
  if (kind === undefined) return create(ActionSchema, { kind: ActionKind.PLAY, card: card(word) });
  return create(ActionSchema, { kind, suit: of === "" ? Suit.UNSPECIFIED : suit(of) });
}

/** The rules of Schnapsen. */
export function schnapsen(): RuleSet {
  return create(RuleSetSchema, {
    name: "schnapsen",
    ranks: [Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK],
    cardPoints: [11, 10, 4, 3, 2],
    handSize: 5,
    packets: [3, 2],
    turnUpAfter: 1,
    firstLead: Leader.FOREHAND,
    nextDealer: NextDealer.ALTERNATE,
    openDuty: Duty.NONE,
    closedDuty: Duty.HEAD,
    exchange: true,
    exchangeMinFaceDown: 2,
    marriageAnyLead: true,
    marriagePoints: 20,
    trumpMarriagePoints: 40,
    claimPoints: 66,
    schneiderPoints: 33,
    closerMeasure: Measure.AT_CLAIM,
    bothOver: BothOver.CLAIMANT,
    falseClaim: 2,
    falseClaimTrickless: 3,
    closerFails: CloserFails.OTHER_TRICKLESS,
    closerBeaten: CloserBeaten.AS_FAILED_CLOSE,
    unclaimed: Unclaimed.LAST_TRICK,
    closedUnclaimed: ClosedUnclaimed.FAILED,
    lastClaim: LastClaim.CLOSED,
    forfeit: 2,
    target: 7,
    scoreDown: true,
  });
}

/** A question in the middle of a deal of Schnapsen; `legal` has actions with commas between them. */
export function question(
  hand: string,
  legal: string,
  observation: MessageInitShape<typeof ObservationSchema> = {},
): Question {
  const [first = action("claim"), ...others] = legal.split(", ").map(action);
  return {
    matchId: "m1",
    decisionId: 1n,
    rules: schnapsen(),
    stage: observation.ledCard === undefined ? Stage.LEAD : Stage.FOLLOW,
    observation: create(ObservationSchema, {
      seat: Seat.FIRST,
      leader: observation.ledCard === undefined ? Seat.FIRST : Seat.SECOND,
      hand: cards(hand),
      trump: Suit.HEARTS,
      turnUp: card("TH"),
      talonCount: 5,
      ...observation,
    }),
    legalActions: [first, ...others],
    capMs: 1_000,
    bankMs: 60_000,
  };
}

type UpdateInit = NonNullable<MessageInitShape<typeof UpdateSchema>["update"]>;

/** A message with these updates. */
export function message(...updates: UpdateInit[]): PlayResponse {
  return create(PlayResponseSchema, { updates: updates.map((update) => ({ update })) });
}

export function welcome(sessionId: string, resumed = false): UpdateInit {
  return { case: "welcome", value: { sessionId, resumed, botName: "checked" } };
}

export function offer(matchId: string, rules = schnapsen()): UpdateInit {
  return { case: "matchOffered", value: { matchId, rules, seat: Seat.FIRST } };
}

/** The first lead of a deal. */
export function decision(matchId: string, decisionId: bigint): UpdateInit {
  const { stage, observation, legalActions } = question("KC JD QS KS AD", "KC, JD, QS, KS, AD, claim, close");
  return {
    case: "decision",
    value: {
      matchId,
      decisionId,
      stage,
      observation,
      legalActions: [...legalActions],
      clock: { capUs: 1_000_000n, bankUs: 60_000_000n, opponentBankUs: 60_000_000n },
    },
  };
}
