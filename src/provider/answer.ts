import type { AnswerFacts, AnswerQuirks, TokenAnswer } from "./profile.ts";

/** A token response as a profile writes it: members, container, envelope; or its way to write an error. */
export function shapeAnswer(answer: TokenAnswer, quirks: AnswerQuirks = {}, facts: AnswerFacts): TokenAnswer {
  if (answer.status !== 200 || typeof answer.body === "string") return quirks.error?.(answer) ?? answer;
  const members = quirks.members?.(answer.body as Record<string, unknown>, facts) ?? (answer.body as Record<string, unknown>);
  const nested = { ...answer, body: nest(members, quirks) };
  return quirks.envelope?.(nested) ?? nested;
}

function nest(members: Record<string, unknown>, { container, beside }: AnswerQuirks): Record<string, unknown> {
  const names = container?.split(".").reverse() ?? [];
  const body = names.reduce<Record<string, unknown>>((inner, name) => ({ [name]: inner }), members);
  return { ...beside, ...body };
}
