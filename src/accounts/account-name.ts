import { usageError } from "../errors.ts";

/** @returns the name. @throws {PackError} USAGE_INVALID for an empty name */
export function requireAccountName(name: string): string {
  if (name.trim() !== "") return name;
  throw usageError(
    "The account name is empty.",
    "Write a name after --account, or remove --account.",
  );
}
