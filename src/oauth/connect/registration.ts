import { allowInsecureRequests, customFetch, dynamicClientRegistration, None } from "openid-client";
import { isPackError, PackError } from "../../errors.ts";
import type { OAuthDefinition } from "../definition.ts";
import type { ClientCredentials } from "../token-set.ts";
import { type TransportOptions, throughTransport } from "../transport.ts";
import { checkUrl } from "../url-policy.ts";

export interface RegisterClientOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** The issuer whose metadata names the registration endpoint. */
  issuer: string;
  redirectUri: string;
  /** Shown to the person who consents. */
  clientName: string;
  scope?: string | undefined;
}

/**
 * Registers a client for one installation (RFC 7591). If the server issues no secret, it is a public client, which PKCE
 * protects.
 * @throws {PackError} OAUTH_REGISTRATION_FAILED when the server has no registration endpoint or refuses
 * @throws {PackError} URL_NOT_ALLOWED
 */
export async function registerClient(options: RegisterClientOptions): Promise<ClientCredentials> {
  const { definition, issuer, redirectUri, clientName, scope, redactor } = options;
  const metadata = {
    client_name: clientName,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...(scope === undefined ? {} : { scope }),
  };
  const register = (algorithm: "oauth2" | "oidc"): Promise<ClientCredentials> =>
    throughTransport(definition, { ...options, step: "registration" }, async (transport) => {
      const configuration = await dynamicClientRegistration(checkUrl(issuer), metadata, None(), {
        algorithm,
        execute: [allowInsecureRequests],
        [customFetch]: (target, init) => transport(target, init as RequestInit),
      });
      const { client_id: clientId, client_secret: clientSecret } = configuration.clientMetadata();
      redactor?.add(typeof clientSecret === "string" ? clientSecret : undefined);
      return { clientId, clientSecret: typeof clientSecret === "string" ? clientSecret : undefined };
    });
  try {
    return await register("oauth2").catch((error: unknown) => {
      if (isPackError(error, "URL_NOT_ALLOWED")) throw error;
      return register("oidc");
    });
  } catch (error) {
    if (isPackError(error, "URL_NOT_ALLOWED")) throw error;
    throw new PackError("OAUTH_REGISTRATION_FAILED", `The server at ${issuer} did not register a client.`, {
      details: { reason: isPackError(error) ? error.message : "it has no registration endpoint, or its answer cannot be used" },
      hint: "Check the issuer. If the provider does not register clients automatically, register one on its website and pass --client-id.",
    });
  }
}
