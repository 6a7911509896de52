import { usageError } from "../errors.ts";

/** @returns the name. @throws {PackError} USAGE_INVALID for an empty name */
export function requireAccountName(name: string): string {
  if (name.trim() !== "") return name;
  throw usageError(
    "The name of the account is empty.",
    "Write a name after --account, or remove --account.",
  );
}
