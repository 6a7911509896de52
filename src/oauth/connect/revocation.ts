import { tokenRevocation } from "openid-client";
import { isPackError, PackError } from "../../errors.ts";
import { callLibrary } from "../call-library.ts";
import { clientAuthenticationMethods } from "../client-authentication.ts";
import type { OAuthDefinition } from "../definition.ts";
import { resolveUrl } from "../endpoint.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import type { ClientCredentials, TokenSet } from "../token-set.ts";
import { createConfiguration } from "./server-configuration.ts";

export interface RevokeTokenOptions extends TransportOptions {
  definition: OAuthDefinition;
  client: ClientCredentials;
  /** Absolute, or relative to the account's endpoint. */
  revocationUrl: string;
  endpoint?: string | undefined;
  tokenSet: TokenSet;
  /** The server's issuer, if it was discovered. */
  issuer?: string | undefined;
}

/**
 * Revokes an account's tokens (RFC 7009): the refresh token, and with it the access token; without
 * a refresh token, the
 * access token. The caller deletes the account afterwards, also after a failure.
 * @throws {PackError} OAUTH_REVOCATION_FAILED
 */
export async function revokeToken(options: RevokeTokenOptions): Promise<void> {
  const { definition, client, tokenSet } = options;
  const revocationUrl = resolveUrl(options.revocationUrl, options.endpoint);
  const [method = "none"] = clientAuthenticationMethods(
    definition,
    client,
    tokenSet.clientAuthentication,
    undefined,
    options.issuer,
  );
  let status: number | undefined;
  const onExchange = (record: Parameters<NonNullable<TransportOptions["onExchange"]>>[0]) => {
    status = record.status;
    options.onExchange?.(record);
  };
  const hint = tokenSet.refreshToken === undefined ? "access_token" : "refresh_token";
  try {
    const authentication = { client, method };
    await callLibrary(
      createServerFetch({ ...options, onExchange, purpose: "revocation", authentication }),
      (send) =>
        tokenRevocation(
          createConfiguration({ revocationUrl }, client, send),
          tokenSet.refreshToken ?? tokenSet.accessToken,
          {
            token_type_hint: hint,
          },
        ),
    );
  } catch (error) {
    // RFC 7009 §2.2: the body of an answer does not count. Servers answer with 204, too.
    if (status !== undefined && status >= 200 && status < 300) return;
    const why =
      status === undefined
        ? isPackError(error)
          ? error.message.replace(/\.$/, "")
          : "the request failed"
        : `status ${status}`;
    throw new PackError(
      "OAUTH_REVOCATION_FAILED",
      `The provider did not revoke the token (${why}).`,
      {
        details: { status },
        hint: "Revoke the access in your account settings at the provider.",
      },
    );
  }
}
