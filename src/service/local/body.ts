import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { HttpError } from "./http-error.ts";

/** Checks a request body. Members that it does not know are ignored (decision 17). @throws {HttpError} 400 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${toDotPath(path) || "body"}: ${message}`);
  throw new HttpError(400, `The request body is invalid. ${problems.join("; ")}`);
}
