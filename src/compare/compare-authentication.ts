import { listOf, type Members, membersOf } from "../shared/members.ts";
import type { ChangeCode, Report } from "./change.ts";
import { compareMembers, isSame, shown } from "./members.ts";

const CODES: Readonly<Record<string, ChangeCode>> = {
  authorizationUrl: "AUTHENTICATION_CHANGED",
  tokenUrl: "AUTHENTICATION_CHANGED",
  issuer: "AUTHENTICATION_CHANGED",
  requiresEndpointUrl: "AUTHENTICATION_CHANGED",
  connectionVariables: "AUTHENTICATION_CHANGED",
  params: "AUTHENTICATION_CHANGED",
  headers: "AUTHENTICATION_CHANGED",
  uxConfig: "TEXT_CHANGED",
  instructionsUrl: "TEXT_CHANGED",
};

/**
 * Compares how users, or the Pack itself, authenticate. Existing accounts stay valid only while it
 * does not change.
 */
export function compareAuthentication(
  before: unknown,
  after: unknown,
  subject: string,
  report: Report,
): void {
  const [old, current] = [membersOf(before), membersOf(after)];
  const [was, is] = [typeOf(old), typeOf(current)];
  if (was !== is) {
    report("AUTHENTICATION_CHANGED", subject, `${was} → ${is}`);
    return;
  }
  compareScopes(old["scopes"], current["scopes"], subject, report);
  compareMembers([old, current], { subject, codes: CODES, handled: ["type", "scopes"] }, report);
}

/** With a new scope, every user has to consent again. */
export function compareScopes(
  before: unknown,
  after: unknown,
  subject: string,
  report: Report,
): void {
  const [old, current] = [listOf(before), listOf(after)];
  for (const scope of current)
    if (!old.includes(scope))
      report("SCOPE_ADDED", subject, `+${shown(scope)}, so users must consent again`);
  for (const scope of old)
    if (!current.includes(scope)) report("SCOPE_REMOVED", subject, `−${shown(scope)}`);
}

function typeOf({ type }: Members): string {
  return type === undefined || isSame(type, "None") ? "no authentication" : String(type);
}
