import { PackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";

/**
 * The error that stands for a Pack's issues, or undefined when none of them is an error.
 * @param name what the message calls the Pack or the Packs
 */
export function invalidPack(issues: readonly Issue[], name: string): PackError<"PACK_INVALID"> | undefined {
  const errors = issues.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return undefined;
  const several = errors.length > 1;
  return new PackError(
    "PACK_INVALID",
    `${name} ${several ? `has ${errors.length} errors, the first of them` : "has an error"}: ${first.message}`,
    {
      details: { errors: errors.length },
      hint: several ? "Run packsmith validate to see all of them, each with its place." : first.hint,
    },
  );
}
