import { ReservedAuthenticationNames } from "../define/enumerations.ts";
import { nearest } from "./nearest.ts";
import type { Path, Report } from "./report.ts";
import { isMembers, listOf, listText, type Members, short } from "./shape.ts";

/** The accounts that formulas of a Pack can use. */
export interface Accounts {
  hasUser: boolean;
  /** Names that `allowedAuthenticationNames` can have. */
  names: ReadonlySet<string>;
}

export function accountsOf({ defaultAuthentication, adminAuthentications }: Members): Accounts {
  const own = listOf(adminAuthentications).map((entry) => (isMembers(entry) ? entry["name"] : undefined));
  return {
    hasUser: isMembers(defaultAuthentication) && defaultAuthentication["type"] !== "None",
    names: new Set([...Object.values(ReservedAuthenticationNames), ...own.filter((name) => typeof name === "string")]),
  };
}

/** Rules 59 and 60: a formula or a table that needs an account. */
export function checkConnection(connectionRequirement: unknown, { hasUser }: Accounts, what: string, path: Path, report: Report): void {
  if (hasUser || (connectionRequirement !== "required" && connectionRequirement !== "optional")) return;
  const message = `The ${what} needs an account, but the Pack has no user authentication.`;
  report("FORMULA_CONNECTION", [...path, "connectionRequirement"], message, "Call setUserAuthentication, or remove connectionRequirement.");
}

/** Rules 61 and 62: the accounts that a formula takes. */
export function checkAuthenticationNames(formula: Members, { names }: Accounts, path: Path, report: Report): void {
  const { allowedAuthenticationNames, connectionRequirement } = formula;
  const at = [...path, "allowedAuthenticationNames"];
  if (allowedAuthenticationNames !== undefined && connectionRequirement === "none") {
    report("FORMULA_AUTHENTICATION_NAMES", at, "The formula names accounts, but uses none.", "Remove it, or change connectionRequirement.");
  }
  listOf(allowedAuthenticationNames).forEach((name, index) => {
    if (typeof name !== "string" || names.has(name)) return;
    const guess = nearest(name, [...names]);
    const hint = guess === undefined ? `Write ${listText([...names].slice(0, 10).map(short))}.` : `Write ${short(guess)}.`;
    report("FORMULA_AUTHENTICATION_NAMES", [...at, index], `No account is named ${short(name)}.`, hint);
  });
}
