import * as z from "zod";
import { reportedError } from "../../shared/reported-error.ts";
import { issue } from "../../validate/issue.ts";

/** What a command that succeeds prints. */
export const fine = z.literal(true);
export const count = z.int().nonnegative();
export const text = z.string();
export const optionalText = z.string().optional();
export const milliseconds = z.number().nonnegative().describe("Milliseconds.");
export const absolutePath = z.string().describe("Absolute path.");
export const packId = z.int().describe("ID of the Pack in the registry.");

export const issues = z.array(issue);

/** What every command prints when it ends with an error. */
export const failure = z.strictObject({ ok: z.literal(false), error: reportedError });
