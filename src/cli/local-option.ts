import type { Command } from "commander";
import { LOCAL_ACCOUNT } from "../accounts/account.ts";
import type { LocalConnection } from "../connect/rehearsal/rehearsal.ts";
import type { Streams } from "./output.ts";
import { accountOption, findSlot, type SlotFlags } from "./verb.ts";

export interface LocalFlags {
  account?: string;
  local?: boolean;
}

/** Adds the options that name an account: its name, or the one of local servers. */
export function withLocalOptions(command: Command): Command {
  return command
    .addOption(
      accountOption(`name of the account (default: "default"; with --local: "${LOCAL_ACCOUNT}")`),
    )
    .option("--local", "use the local servers that packsmith provider --for started");
}

export function chooseAccount({ account, local }: LocalFlags): string {
  return account ?? (local === true ? LOCAL_ACCOUNT : "default");
}

/**
 * How to reach the local servers of a Pack; undefined without `--local`.
 * @throws {PackError} PROVIDER_NOT_RUNNING
 */
export async function localConnection(
  file: string,
  flags: LocalFlags & SlotFlags,
  { cwd, env }: Streams,
): Promise<LocalConnection | undefined> {
  if (flags.local !== true) return undefined;
  const [{ findRehearsal }, { homeDirectory }] = await Promise.all([
    import("../connect/rehearsal/running-rehearsal.ts"),
    import("../shared/folders.ts"),
  ]);
  return await findRehearsal({ file, cwd, home: homeDirectory(env) }, findSlot(flags));
}
