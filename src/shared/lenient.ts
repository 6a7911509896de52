import * as z from "zod";
import { isRecord, type Members } from "./values.ts";

// Schemas for what others wrote and no one checks: a member of another type counts as absent. They
// accept every value.

/** A text that is not empty. */
export const lenientText = z.string().min(1).optional().catch(undefined);
export const lenientNumber = z.number().optional().catch(undefined);
export const lenientBoolean = z.boolean().optional().catch(undefined);

/** The texts of a list. Empty for any other value. */
export const lenientTexts = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter((item) => typeof item === "string"));

/** The items of a list. Empty for any other value. */
export const lenientList = z.array(z.unknown()).catch([]);

/** An object with its members, also one called `__proto__`, which `z.record` leaves out. */
export const members = z.custom<Members>(isRecord);
/** The members of an object. Empty for any other value. */
export const lenientRecord = members.catch({});

/** An object with these members. Without any of them for any other value. */
export function lenientObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape);
  return object.catch(() => object.parse({}));
}
