import { randomUUID } from "node:crypto";
import type { CodeFlow } from "./code-session.ts";
import { CONNECT_TIMEOUT_MS } from "./connect-deadline.ts";
import { findSharing } from "./redirect-path.ts";

/** The redirect URI of a connection that has not ended. */
export interface HeldRedirect extends AsyncDisposable {
  /**
   * Call before the browser opens, and before a code is exchanged: until then more time may have
   * passed than the reservation lasts.
   * @throws {PackError} OAUTH_ISSUER_MISMATCH when a connection to another server uses it
   */
  reserve(): Promise<void>;
}

/**
 * Lets other connections see the redirect URI of this one while it runs. Otherwise two that begin
 * before either is in the vault would both believe to be alone (RFC 9700 §4.4.2).
 */
export function holdRedirect({ plan, options, vault }: CodeFlow): HeldRedirect {
  const { address, binding, sharing } = plan.redirect;
  const flowId = randomUUID();
  const { timeoutMs: lifetimeMs = CONNECT_TIMEOUT_MS } = options;
  return {
    async reserve() {
      const isReserved = await vault.reserveRedirect({ flowId, address, binding, lifetimeMs });
      const current = isReserved ? await findSharing(address, binding, vault) : "reserved";
      if (current !== sharing) throw plan.createRedirectError(current);
    },
    async [Symbol.asyncDispose]() {
      // A reservation that cannot be released expires. An error here would lose the result.
      await vault.releaseRedirect(flowId).catch(() => undefined);
    },
  };
}
