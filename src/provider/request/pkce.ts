import { sameSecret, sha256 } from "../../shared/crypto.ts";
import { OAuthError } from "../answer.ts";
import type { PkceMode } from "../profile.ts";

export interface CodeChallenge {
  value: string;
  method: "plain" | "S256";
}

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Reads the challenge of an authorization request (RFC 7636 §4.3).
 * @throws {OAuthError} invalid_request
 */
export function readCodeChallenge(
  challenge: string | undefined,
  method: string | undefined,
  mode: PkceMode = "optional",
): CodeChallenge | undefined {
  if (mode === "ignored") return undefined;
  if (mode === "refused") {
    if (challenge === undefined && method === undefined) return undefined;
    throw new OAuthError("invalid_request", "The parameter code_challenge is not allowed.");
  }
  if (challenge === undefined) {
    if (method !== undefined)
      throw new OAuthError(
        "invalid_request",
        "code_challenge_method was sent without a code_challenge.",
      );
    if (mode !== "optional") throw new OAuthError("invalid_request", "code_challenge is required.");
    return undefined;
  }
  if (method !== undefined && method !== "plain" && method !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256 or plain.");
  if (mode !== "optional" && mode !== "required" && mode !== (method ?? "plain"))
    throw new OAuthError("invalid_request", `code_challenge_method must be ${mode}.`);
  // An S256 challenge is always 43 characters; RFC 7636 §4.2 gives a plain one the form of a
  // verifier.
  if (!VERIFIER.test(challenge) || (method === "S256" && challenge.length !== 43))
    throw new OAuthError("invalid_request", "code_challenge is malformed.");
  return { value: challenge, method: method ?? "plain" };
}

/**
 * Compares the verifier of a token request with the challenge of the code (RFC 7636 §4.6).
 * @throws {OAuthError} invalid_grant when they do not match, also when only one of them was sent
 *   (RFC 9700 §4.8.2)
 */
export function checkCodeVerifier(
  challenge: CodeChallenge | undefined,
  verifier: string | undefined,
): void {
  if (challenge === undefined && verifier === undefined) return;
  if (challenge === undefined)
    throw new OAuthError(
      "invalid_grant",
      "code_verifier was sent, but the authorization request had no code_challenge.",
    );
  if (verifier === undefined) throw new OAuthError("invalid_grant", "code_verifier is missing.");
  const derived = challenge.method === "plain" ? verifier : sha256(verifier, "base64url");
  if (!VERIFIER.test(verifier) || !sameSecret(derived, challenge.value))
    throw new OAuthError("invalid_grant", "code_verifier does not match the code_challenge.");
}
