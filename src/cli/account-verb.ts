import { relative } from "node:path";
import type { Command } from "commander";
import type { AccountSummary } from "../accounts/account-summary.ts";
import { type LocalFlags, withLocalOptions } from "./local-option.ts";
import { type Output, printable } from "./output.ts";
import {
  collect,
  type OutputSchema,
  requestTimeoutOption,
  type SlotFlags,
  withCommonOptions,
  withSlotOptions,
} from "./verb.ts";

export interface AccountFlags extends SlotFlags, LocalFlags {
  route?: string[];
  requestTimeout: string;
}

/** Where help lists an option. */
export const ACCOUNT_OPTIONS = "Account:";

const MAX_SHOWN_SCOPES = 50;

/** Adds the options of a command that sends requests for one account. */
export function withAccountOptions(
  command: Command,
  schema: OutputSchema,
  nodeFunction: string,
): Command {
  const named = withSlotOptions(withLocalOptions(command.optionsGroup(ACCOUNT_OPTIONS)));
  const routed = named
    .optionsGroup("Requests:")
    .addOption(requestTimeoutOption())
    .option(
      "--route <origin=url>",
      "route requests for an https origin to a local server; can be repeated",
      collect,
    );
  return withCommonOptions(routed.optionsGroup("Options:"), schema, nodeFunction);
}

/** Prints an account in a few lines, without its secrets. */
export function printAccount(account: AccountSummary, output: Output, cwd: string): void {
  const status =
    account.status === "connected"
      ? output.dataStyle("good", "connected")
      : output.dataStyle("bad", `reconnect needed: ${account.reconnectReason}`);
  output.data(
    `${account.pack}  ${account.slot}/${account.name}  ${printable(account.connectionName ?? "")}  ${status}`,
  );
  output.data(`  ${relative(cwd, account.file) || account.file}  ${account.type}`);
  if (account.scopes !== undefined) output.data(`  scopes    ${formatScopes(account.scopes)}`);
  if (account.endpoint !== undefined) output.data(`  endpoint  ${account.endpoint}`);
  if (account.type !== "OAuth2" && account.type !== "OAuth2ClientCredentials") return;
  output.data(
    `  expires   ${account.expiresAt ?? "unknown: packsmith uses the token until the API refuses it"}${account.renewable ? ", then refreshed" : ""}`,
  );
}

/** The scopes that a server has granted: it may list any number of them. */
function formatScopes(scopes: readonly string[]): string {
  const shown = scopes.slice(0, MAX_SHOWN_SCOPES).map((scope) => printable(scope));
  const rest = scopes.length - shown.length;
  return `${shown.join(" ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
