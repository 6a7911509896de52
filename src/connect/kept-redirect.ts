import type { RedirectChoice } from "../accounts/account-summary.ts";

const MEMBERS = [
  "port",
  "ports",
  "redirectUri",
  "redirectPath",
  "redirectHost",
  "https",
] as const satisfies readonly (keyof RedirectChoice)[];

/** What a connection says about its redirect URI. @returns undefined if it says nothing */
export function redirectChoice(options: RedirectChoice): RedirectChoice | undefined {
  const chosen = MEMBERS.filter((member) => options[member] !== undefined).map(
    (member) => [member, options[member]] as const,
  );
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}
