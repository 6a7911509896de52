import type { Request } from "express";
import { verifyDpopProof } from "./dpop.ts";
import { originOf } from "./guards.ts";
import type { ProviderState } from "./provider-state.ts";

/**
 * The key that a request proves to hold; undefined without a proof, and on a server without DPoP (RFC 9449 §5, §7).
 * @throws {OAuthError} invalid_dpop_proof
 */
export function dpopKeyOf(state: ProviderState, request: Request, accessToken?: string): string | undefined {
  const proof = request.headers["dpop"];
  const { dpop, issuer, apiOrigin, audiences } = state.policy;
  if (!dpop || typeof proof !== "string") return undefined;
  const names = [originOf(request), issuer, apiOrigin, ...audiences].filter((name) => name !== undefined);
  return verifyDpopProof(proof, {
    method: request.method,
    path: request.originalUrl.split("?", 1)[0] ?? "",
    origins: names.map((name) => new URL(name).origin),
    nowMs: state.clock.now(),
    accessToken,
    claimIdentifier: (identifier) => state.assertions.claim("dpop", identifier),
  });
}
