import * as z from "zod";
import { CHANGE_CLASSES, CHANGE_CODES, type ChangeCode } from "./change-codes.ts";

export const changeClass = z.enum(CHANGE_CLASSES);

export const change = z.strictObject({
  class: changeClass,
  code: z.enum(Object.keys(CHANGE_CODES) as ChangeCode[]),
  /** What changed, such as `formula GetItem: parameter "id"`. */
  subject: z.string(),
  /** How it changed, such as `number → text`. */
  message: z.string(),
});

/** A change for the users of a Pack. */
export type Change = z.output<typeof change>;
