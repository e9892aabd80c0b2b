/** The bot: which of the legal actions to take. */
import type { Question } from "./client/question.js";
import { ActionKind, type Action } from "./proto.js";
import { View } from "./view.js";

/** Claims with enough points, declares, wins with the cheapest card. The part to make better. */
export function choose(question: Question): Action {
  const { legalActions } = question;
  const view = new View(question);
  const find = (kind: ActionKind): Action | undefined => legalActions.find((action) => action.kind === kind);

  const claim = find(ActionKind.CLAIM);
  if (claim !== undefined && view.pointsNeeded === 0) return claim;

  const plays = legalActions.filter(({ kind }) => kind === ActionKind.PLAY);
  const winners = plays.filter(({ card }) => view.wouldWin(card));
  return (
    find(ActionKind.EXCHANGE) ??
    find(ActionKind.MARRIAGE) ??
    cheapest(view, winners) ??
    cheapest(view, plays) ??
    find(ActionKind.DRAW) ??
    find(ActionKind.PASS) ??
    legalActions[0]
  );
}

/** The card with the fewest points, a trump only if there is nothing else; undefined without cards. */
function cheapest(view: View, plays: Action[]): Action | undefined {
  const cost = ({ card }: Action): number => view.points(card) + (view.isTrump(card) ? 100 : 0);
  return plays.toSorted((one, other) => cost(one) - cost(other))[0];
}
