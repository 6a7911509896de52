import type { Report } from "./change.ts";
import type { ChangeCode } from "./change-codes.ts";
import { compareMembers, formatShown, isSame } from "./members.ts";
import type { AuthenticationMetadata } from "./metadata.ts";

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
  before: AuthenticationMetadata,
  after: AuthenticationMetadata,
  subject: string,
  report: Report,
): void {
  const [was, is] = [describeType(before), describeType(after)];
  if (was !== is) {
    report("AUTHENTICATION_CHANGED", subject, `${was} → ${is}`);
    return;
  }
  compareScopes(before.scopes, after.scopes, subject, report);
  compareMembers([before, after], { subject, codes: CODES, handled: ["type", "scopes"] }, report);
}

/** A new scope is asked for when a call with an existing account fails without it. */
export function compareScopes(
  before: readonly unknown[],
  after: readonly unknown[],
  subject: string,
  report: Report,
): void {
  for (const scope of after)
    if (!before.includes(scope)) report("SCOPE_ADDED", subject, `+${formatShown(scope)}`);
  for (const scope of before)
    if (!after.includes(scope)) report("SCOPE_REMOVED", subject, `−${formatShown(scope)}`);
}

function describeType({ type }: AuthenticationMetadata): string {
  return type === undefined || isSame(type, "None") ? "no authentication" : String(type);
}
