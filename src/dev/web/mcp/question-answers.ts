import type { ElicitationField, ElicitedValue } from "../../wire/mcp.ts";

/** What the form has: the texts of text and number fields, and the values of others. */
export type Answers = Readonly<Record<string, ElicitedValue | undefined>>;

/** The form as the server suggests it. */
export function initialAnswers(fields: readonly ElicitationField[]): Answers {
  return Object.fromEntries(
    fields.map(({ name, type, default: suggested }) => [
      name,
      type === "number" || type === "integer" ? writeNumber(suggested) : suggested,
    ]),
  );
}

/** What is sent: an answer that is left empty is not. */
export function answeredContent(
  fields: readonly ElicitationField[],
  answers: Answers,
): Record<string, ElicitedValue> {
  return Object.fromEntries(
    fields.flatMap(({ name, type }): [string, ElicitedValue][] => {
      const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (value === undefined || value === "") return [];
      return [[name, type === "number" || type === "integer" ? readNumber(value) : value]];
    }),
  );
}

/** A text that is not a number stays a text, so that the check reports it. */
function readNumber(value: ElicitedValue): ElicitedValue {
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

function writeNumber(suggested: ElicitedValue | undefined): string | undefined {
  return suggested === undefined ? undefined : String(suggested);
}
