/** No bot should play by rules that it does not know. */
import { RuleSetSchema, type RuleSet } from "../proto.js";

/** What is wrong with the rules of a match, or null: a value that the files of the protocol do not list, say. */
export function ruleProblem(rules: RuleSet): string | null {
  for (const field of RuleSetSchema.fields) {
    if (field.enum === undefined) continue;
    const content: unknown = rules[field.localName as keyof RuleSet];
    for (const value of Array.isArray(content) ? (content as unknown[]) : [content]) {
      // Zero means "not set", and is never sent.
      if (value === 0 || !field.enum.values.some((known) => known.number === value)) {
        return `rules.${field.name} has the unknown value ${String(value)}`;
      }
    }
  }
  if (rules.ranks.length === 0 || rules.ranks.length !== rules.cardPoints.length) {
    return "rules.ranks and rules.card_points do not match";
  }
  return null;
}
