import * as z from "zod";
import { change, changeClass } from "../../compare/change-schema.ts";

export const uploadResult = z.strictObject({
  file: z.string(),
  packId: z.int().describe("ID of the Pack in the registry."),
  version: z.string(),
  /** The Pack has none. */
  isChosen: z.boolean().describe("The registry chose the version."),
  /** What changed since the newest version, where the registry was asked. */
  findings: z.array(z.string()),
  bytes: z.int().nonnegative(),
  /** `known`: the registry has exactly this as its version already. */
  state: z.enum(["uploaded", "known", "dry-run"]),
  /** Members that will not work any more in later versions of the platform. */
  warnings: z.array(z.looseObject({ path: z.string(), message: z.string() })),
  /** The version that users have, where nothing was uploaded. */
  released: z.string().optional(),
  /** What would change for users; undefined when git does not know what they have. */
  changes: z.array(change).optional(),
  class: changeClass.optional(),
});

/** What became a version of a Pack in the registry. */
export type UploadResult = z.output<typeof uploadResult>;
