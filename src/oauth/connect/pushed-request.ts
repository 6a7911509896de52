import { isRecord } from "../../shared/values.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "../client-authentication.ts";
import type { OAuthDefinition } from "../definition.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import { missingMemberError } from "../token-failure.ts";
import type { ClientAuthenticationMethod, ClientCredentials } from "../token-set.ts";

export interface PushRequestOptions extends TransportOptions {
  definition: OAuthDefinition;
  client: ClientCredentials;
  pushedRequestUrl: string;
  /** `token_endpoint_auth_methods_supported` of the server's metadata. @default unknown */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /** The server's issuer, if it is known. */
  issuer?: string | undefined;
  /** All parameters of the authorization request. */
  params: URLSearchParams;
}

/**
 * Sends an authorization request to the server directly (RFC 9126), so that the browser carries
 * only a reference to it. The server
 * refuses a wrong request here, before the browser opens.
 * @returns the parameters of the authorization URL
 * @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_RESPONSE_INVALID, OAUTH_TOKEN_UNAVAILABLE,
 *   OAUTH_TOKEN_TIMEOUT
 */
export async function pushAuthorizationRequest(
  options: PushRequestOptions,
): Promise<URLSearchParams> {
  const { definition, client, pushedRequestUrl, params, supportedAuthenticationMethods } = options;
  const methods = clientAuthenticationMethods(
    definition,
    client,
    undefined,
    supportedAuthenticationMethods,
    options.issuer,
  );
  const push = async (method: ClientAuthenticationMethod): Promise<string> => {
    const authentication = { client, method };
    const send = createServerFetch({ ...options, purpose: "pushed", authentication });
    const response = await send(pushedRequestUrl, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: new URLSearchParams(params),
    });
    const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
    if (
      isRecord(answer) &&
      typeof answer["request_uri"] === "string" &&
      answer["request_uri"] !== ""
    )
      return answer["request_uri"];
    const { host } = new URL(pushedRequestUrl);
    throw missingMemberError("pushed", { host, status: response.status, member: "request_uri" });
  };
  const requestUri = await authenticateInTurn(methods, push, supportedAuthenticationMethods);
  return new URLSearchParams({ client_id: client.clientId, request_uri: requestUri });
}
