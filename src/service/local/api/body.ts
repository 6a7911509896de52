import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { HttpError } from "./http-error.ts";
import type { ServiceCall } from "./service-call.ts";

/** Checks a request body. Members that it does not know are ignored (decision 17). @throws {HttpError} 400 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${toDotPath(path) || "body"}: ${message}`);
  throw new HttpError(400, `The request body is invalid. ${problems.join("; ").slice(0, 1_000)}`);
}

/** The body of an operation. A strict service says in a header which members it ignored. @throws {HttpError} 400 */
export function parseCallBody<Schema extends z.ZodType>(call: ServiceCall, schema: Schema, fallback?: object): z.infer<Schema> {
  const body = call.body === undefined ? fallback : call.body;
  const parsed = parseBody(schema, body);
  if (call.state.settings.strict && schema instanceof z.ZodObject && typeof body === "object" && body !== null) {
    const ignored = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
    if (ignored.length > 0) call.notes.set("X-Emulator-Warning", `ignored: ${ignored.map(encodeURIComponent).join(", ").slice(0, 500)}`);
  }
  return parsed;
}
