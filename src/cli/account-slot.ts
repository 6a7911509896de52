import type { Command } from "commander";
import type { AccountSlot } from "../accounts/account.ts";
import { PackError } from "../errors.ts";

export interface SlotFlags {
  system?: boolean;
  admin?: string;
}

/** The options that name a Pack's authentication other than the user's. */
export function withSlotOptions(command: Command): Command {
  return command
    .option("--system", "the Pack's own account instead of the user's")
    .option("--admin <name>", "the account of addAdminAuthentication with this name instead of the user's");
}

/** @throws {PackError} USAGE_INVALID */
export function slotOf({ system, admin }: SlotFlags): AccountSlot | undefined {
  if (admin === undefined) return system ? "system" : undefined;
  if (!system) return `admin:${admin}`;
  throw new PackError("USAGE_INVALID", "--system and --admin name two accounts.", { details: undefined, hint: "Leave one of them out." });
}
