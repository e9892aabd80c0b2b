/** What a bot may want to know of its cards, by the rules of the match. */
import { ActionKind, Card, Rank, Seat, Suit, type RuleSet } from "./proto.js";
import type { Question } from "./client/question.js";

const RANKS_IN_A_SUIT = 6;
const SUITS: readonly Suit[] = [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES];

export function suitOf(card: Card): Suit {
  return Math.floor((card - 1) / RANKS_IN_A_SUIT) + 1;
}

export function rankOf(card: Card): Rank {
  return ((card - 1) % RANKS_IN_A_SUIT) + 1;
}

export function cardOf(suit: Suit, rank: Rank): Card {
  return (suit - 1) * RANKS_IN_A_SUIT + rank;
}

/** A question as its player sees it. */
export class View {
  readonly #question: Question;
  readonly #rules: RuleSet;

  constructor(question: Question) {
    this.#question = question;
    this.#rules = question.rules;
  }

  get trump(): Suit {
    return this.#question.observation.trump;
  }

  get hand(): readonly Card[] {
    return this.#question.observation.hand;
  }

  /** The card on the table, or null. */
  get led(): Card | null {
    return this.#question.observation.ledCard || null;
  }

  /** The cards among the legal actions. */
  get playable(): Card[] {
    return this.#question.legalActions.filter(({ kind }) => kind === ActionKind.PLAY).map(({ card }) => card);
  }

  /** True while cards are drawn: neither closed nor exhausted. */
  get talonOpen(): boolean {
    const { talonClosedBy, talonCount, turnUp } = this.#question.observation;
    return talonClosedBy === Seat.UNSPECIFIED && (talonCount > 0 || turnUp !== Card.UNSPECIFIED);
  }

  /** Points still missing for a correct claim, 0 if none. */
  get pointsNeeded(): number {
    return Math.max(0, this.#rules.claimPoints - this.#question.observation.ownCardPoints);
  }

  /** Cards that the other player may hold, also those of which it is known. */
  get others(): Card[] {
    const { hand, turnUp, playedCards } = this.#question.observation;
    const elsewhere = new Set([...hand, ...playedCards, turnUp]);
    return SUITS.flatMap((suit) => this.#rules.ranks.map((rank) => cardOf(suit, rank))).filter(
      (card) => !elsewhere.has(card),
    );
  }

  /** Card points of a card. */
  points(card: Card): number {
    return this.#rules.cardPoints[this.#rules.ranks.indexOf(rankOf(card))] ?? 0;
  }

  isTrump(card: Card): boolean {
    return suitOf(card) === this.trump;
  }

  /** Would `reply` take a trick led with `led`? */
  beats(led: Card, reply: Card): boolean {
    if (suitOf(led) !== suitOf(reply)) return this.isTrump(reply);
    const { ranks } = this.#rules; // strongest first
    return ranks.indexOf(rankOf(reply)) < ranks.indexOf(rankOf(led));
  }

  /**
   * Does playing the card surely win the trick? Following: exactly. Leading: no card that the other player may hold
   * beats it, whatever the duties.
   */
  wouldWin(card: Card): boolean {
    return this.led === null
      ? !this.others.some((other) => this.beats(card, other))
      : this.beats(this.led, card);
  }

  /** Is the card half of a marriage in the hand that may still be declared? */
  inMarriage(card: Card): boolean {
    if (!this.talonOpen && !this.#rules.marriageAnyLead) return false;
    const partner = { [Rank.KING]: Rank.QUEEN, [Rank.QUEEN]: Rank.KING }[rankOf(card) as number];
    return partner !== undefined && this.hand.includes(cardOf(suitOf(card), partner));
  }
}
