import { HttpError } from "./http-error.ts";

/** A `limit` above the maximum is capped silently; below 1, a fraction or a text is an error (decisions 2 and 3). */
export function limitOf(query: URLSearchParams, maximum: number, fallback: number): number {
  const text = query.get("limit");
  if (text === null) return fallback;
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) throw new HttpError(400, "limit must be an integer of at least 1.");
  return Math.min(Number(text), maximum);
}

/** Only `true` and `false` (decision 11). */
export function booleanOf(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text !== "true" && text !== "false") throw new HttpError(400, `${name} must be true or false.`);
  return text === "true";
}

export function choiceOf<const Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new HttpError(400, `${name} must be one of ${choices.join(", ")}.`);
  return choice;
}

/** Separated by commas, in one key or in several (decision 12). */
export function choicesOf<const Choice extends string>(query: URLSearchParams, name: string, choices: readonly Choice[]): Choice[] {
  const texts = query.getAll(name).flatMap((text) => text.split(","));
  return texts.map((text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new HttpError(400, `${name} must be a list of ${choices.join(", ")}.`);
    return choice;
  });
}
