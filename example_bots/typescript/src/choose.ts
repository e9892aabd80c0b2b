/** A bot by the textbook: count, exchange, declare, close with sure points, win cheaply, throw away little. */
import { ActionKind, Stage, type Action, type Card, type Suit } from "./proto.js";
import type { Question } from "./client/question.js";
import { suitOf, View } from "./view.js";

/** Least points of a card led for which a trump is spent. */
const WORTH_A_TRUMP = 10;
/** Points that the other player adds to a trick that he loses, as a rule. */
const USUAL_LOSS = 3;

/** One of the legal actions, without looking ahead. */
export function choose(question: Question): Action {
  const { legalActions, stage } = question;
  const view = new View(question);
  const find = (kind: ActionKind): Action | undefined => legalActions.find((action) => action.kind === kind);

  const claim = view.pointsNeeded === 0 ? find(ActionKind.CLAIM) : undefined;
  const atOnce = claim ?? find(ActionKind.EXCHANGE);
  if (atOnce !== undefined) return atOnce;

  const quiet = find(ActionKind.DRAW) ?? find(ActionKind.PASS);
  if (quiet !== undefined) return quiet;

  const announced = stage === Stage.LEAD ? announcement(question, view) : undefined;
  if (announced !== undefined) return announced;

  const card = view.led === null ? lead(view) : follow(view, view.led);
  const play = legalActions.find((action) => action.kind === ActionKind.PLAY && action.card === card);
  return play ?? legalActions[0];
}

/** What to do before leading a card, if anything. */
function announcement({ legalActions }: Question, view: View): Action | undefined {
  const marriages = legalActions.filter(({ kind }) => kind === ActionKind.MARRIAGE);
  const marriage = marriages.find(({ suit }) => suit === view.trump) ?? marriages[0];
  if (marriage !== undefined) return marriage;

  const changes = legalActions.filter(({ kind }) => kind === ActionKind.TRUMP);
  const change = best(changes, ({ suit }) => suitWorth(view, suit));
  if (change !== undefined && suitWorth(view, change.suit) > suitWorth(view, view.trump)) return change;

  return shouldClose(view) ? legalActions.find(({ kind }) => kind === ActionKind.CLOSE) : undefined;
}

/** True if the highest trumps in the hand alone are enough. */
function shouldClose(view: View): boolean {
  const sure = topTrumps(view).reduce((sum, card) => sum + view.points(card) + USUAL_LOSS, 0);
  return sure >= view.pointsNeeded;
}

/** A sure winner where suit must be followed, otherwise the card that is missed least. */
function lead(view: View): Card | undefined {
  const winners = view.talonOpen ? [] : view.playable.filter((card) => view.wouldWin(card));
  return best(winners, (card) => view.points(card)) ?? leastMissed(view, view.playable);
}

/** Win with the plain suit if possible, with a trump if it pays, otherwise throw away the least. */
function follow(view: View, led: Card): Card | undefined {
  const cards = view.playable;
  const winners = cards.filter((card) => view.beats(led, card));
  const plain = winners.filter((card) => suitOf(card) === suitOf(led) && !view.inMarriage(card));
  if (plain.length > 0) {
    const sign = view.isTrump(led) ? -1 : 1; // a plain ten is better won with than kept, a trump is not
    return best(plain, (card) => sign * view.points(card));
  }
  const losers = cards.filter((card) => !winners.includes(card));
  const winning = losers.length === 0 || (winners.length > 0 && view.points(led) >= WORTH_A_TRUMP);
  return leastMissed(view, winning ? winners : losers);
}

function leastMissed(view: View, cards: readonly Card[]): Card | undefined {
  return best(cards, (card) => -keepValue(view, card));
}

/** How much the card would be missed: its points, more for trumps and marriages. */
function keepValue(view: View, card: Card): number {
  const trump = view.isTrump(card);
  const marriage = view.inMarriage(card) ? (trump ? 40 : 20) : 0;
  return 2 * view.points(card) + (trump ? 25 : 0) + marriage;
}

/** Own trumps that no card of the other player can beat, in any order of play. */
function topTrumps(view: View): Card[] {
  const against = view.others.filter((card) => view.isTrump(card));
  return view.hand.filter((card) => view.isTrump(card) && !against.some((other) => view.beats(card, other)));
}

/** How good the suit is as trump: its cards in the hand, ten each, and their points. */
function suitWorth(view: View, suit: Suit): number {
  return view.hand
    .filter((card) => suitOf(card) === suit)
    .reduce((sum, card) => sum + 10 + view.points(card), 0);
}

/** The first item of the greatest value; undefined without items. */
function best<Item>(items: readonly Item[], value: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (found, item) => (found === undefined || value(item) > value(found) ? item : found),
    undefined,
  );
}
