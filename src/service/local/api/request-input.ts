import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { HttpError } from "./http-error.ts";
import type { ServiceCall } from "./service-call.ts";

/** A `limit` above the maximum is reduced to it. Below 1, a fraction or a text is an error. */
export function readLimit(query: URLSearchParams, maximum: number, fallback: number): number {
  const text = query.get("limit");
  if (text === null) return fallback;
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1)
    throw new HttpError(400, "limit must be an integer of at least 1.");
  return Math.min(Number(text), maximum);
}

/** Only `true` and `false` are allowed, in any case: several clients write `True`. */
export function readBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined) return undefined;
  if (text !== "true" && text !== "false")
    throw new HttpError(400, `${name} must be true or false.`);
  return text === "true";
}

export function readChoice<const Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined)
    throw new HttpError(400, `${name} must be one of ${choices.join(", ")}.`);
  return choice;
}

/** Separated by commas, in one parameter or in several. */
export function readChoices<const Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice[] {
  const texts = query.getAll(name).flatMap((text) => text.split(","));
  return texts.map((text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined)
      throw new HttpError(400, `${name} must be a list of ${choices.join(", ")}.`);
    return choice;
  });
}

/** Checks a request body. Unknown members are ignored. @throws {HttpError} 400 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${toDotPath(path) || "body"}: ${message}`);
  throw new HttpError(400, `The request body is invalid. ${problems.join("; ").slice(0, 1_000)}`);
}

/**
 * The body of an operation. A strict service says in a header which members it ignored. @throws
 * {HttpError} 400
 */
export function parseCallBody<Schema extends z.ZodType>(
  call: ServiceCall,
  schema: Schema,
  fallback?: object,
): z.infer<Schema> {
  const body = call.body === undefined ? fallback : call.body;
  const parsed = parseBody(schema, body);
  if (
    call.state.settings.strict &&
    schema instanceof z.ZodObject &&
    typeof body === "object" &&
    body !== null
  ) {
    const ignored = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
    if (ignored.length > 0)
      call.notes.set(
        "X-Emulator-Warning",
        `ignored: ${ignored.map(encodeURIComponent).join(", ").slice(0, 500)}`,
      );
  }
  return parsed;
}
