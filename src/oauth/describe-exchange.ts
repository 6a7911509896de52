import { isSecretName } from "../shared/redact.ts";
import type { ExchangeRecord } from "./exchange-record.ts";
import { cleanProviderText } from "./token-failure.ts";
import type { TokenResponse } from "./token-response.ts";

/** The parameters of a request, secrets masked. */
export function describeParams(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...params].map(([name, value]) => [name, isSecretParam(name) ? "••••" : value.slice(0, 500)]),
  );
}

const SHOWN_HEADERS = new Set([
  "accept",
  "cache-control",
  "content-type",
  "date",
  "pragma",
  "retry-after",
  "user-agent",
]);
const SHOWN_MEMBERS = new Set([
  "token_type",
  "scope",
  "expires_in",
  "refresh_token_expires_in",
  "expires_at",
  "issued_at",
]);

/**
 * Shows the scheme of an Authorization header, and values only of headers that never hold a secret.
 */
export function describeHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => {
      if (SHOWN_HEADERS.has(name)) return [name, value.slice(0, 500)];
      return [
        name,
        name === "authorization" && /^(?:Basic|Bearer|DPoP) /.test(value)
          ? `${value.split(" ", 1)[0]} ••••`
          : "••••",
      ];
    }),
  );
}

function describeMember(name: string, value: unknown): string {
  const isShown =
    SHOWN_MEMBERS.has(name) && (typeof value === "string" || typeof value === "number");
  return isShown ? String(value).slice(0, 500) : "••••";
}

export function isSecretParam(name: string): boolean {
  return isSecretName(name) || ["code", "token", "assertion", "subject_token"].includes(name);
}

/** Notes in a record how a token response was read. */
export function describeResult(record: ExchangeRecord, result: TokenResponse): void {
  if (record.response === undefined) return;
  if (result.kind === "tokens") {
    const received = Object.entries(result.members).filter(([, value]) => value !== undefined);
    record.response.members = received.map(([name]) => name);
    record.response.values = Object.fromEntries(
      received.map(([name, value]) => [name, describeMember(name, value)]),
    );
  }
  if (result.kind === "error") {
    record.response.error = cleanProviderText(result.error);
    record.response.errorDescription = cleanProviderText(result.description);
  }
  if (result.kind !== "unusable") record.response.deviations = result.deviations;
}
