import { PackError } from "../../errors.ts";
import { sameSecret } from "../../shared/same-secret.ts";
import { cleanProviderText } from "../provider-text.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

/**
 * Checks what the browser brought back (RFC 6749 §4.1.2), state first and in constant time: nothing of a callback is
 * used before it is known to answer this attempt (rules 6, 14, 15).
 * @returns the authorization code
 * @throws {PackError} OAUTH_STATE_MISMATCH, OAUTH_CALLBACK_INVALID, OAUTH_ISSUER_MISMATCH, OAUTH_DENIED
 */
export function validateCallback(query: URLSearchParams, state: string, server: AuthorizationServer): string {
  checkState(query, state);
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) throw invalid(`"${cleanProviderText(name.slice(0, 40)) ?? "a parameter"}" comes twice`);
  }
  checkIssuer(query.get("iss"), server);
  const error = query.get("error");
  if (error !== null) throw denied(error, query.get("error_description"));
  const code = query.get("code");
  if (code === null || code === "") throw invalid("it has neither a code nor an error");
  return code;
}

function checkState(query: URLSearchParams, state: string): void {
  const received = query.getAll("state");
  // Digests have one length, so that the comparison takes the same time for every input.
  if (received.length === 1 && sameSecret(received[0] ?? "", state)) return;
  throw new PackError("OAUTH_STATE_MISMATCH", "The redirect does not carry the state that this attempt sent.", {
    details: undefined,
    hint: "Close older browser tabs, then connect again.",
  });
}

// RFC 9207 §2.4: exact comparison, no normalisation. Without a known issuer there is nothing to compare with.
function checkIssuer(received: string | null, { issuer, issuerPromised = false }: AuthorizationServer): void {
  if (issuer === undefined || (received === null && !issuerPromised) || received === issuer) return;
  const shown = cleanProviderText(received) ?? "none";
  throw new PackError("OAUTH_ISSUER_MISMATCH", `The redirect names the issuer ${shown} instead of ${issuer}.`, {
    details: { expected: issuer, received: shown },
    hint: "Connect again, and use only the provider's page that this attempt opened.",
  });
}

function denied(error: string, description: string | null): PackError<"OAUTH_DENIED"> {
  const code = cleanProviderText(error) ?? "error";
  const text = cleanProviderText(description);
  return new PackError("OAUTH_DENIED", `The provider did not authorize the account (${text === undefined ? code : `${code}: ${text}`}).`, {
    details: { error: code, description: text },
    hint:
      code === "access_denied"
        ? "Connect again and approve the request."
        : code === "invalid_scope"
          ? "Change scopes or scopeDelimiter in the definition to what the provider documents."
          : "Compare the authorization request with the provider's documentation, then connect again.",
  });
}

function invalid(reason: string): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", `The redirect cannot be used: ${reason}.`, {
    details: { reason },
    hint: "Connect again.",
  });
}
