import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface OidcAuthority extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Token requests that arrived, by grant type, with the names of their parameters. */
  tokenRequests: { grantType: string; ok: boolean }[];
  /** What it got in them that nobody else may see, by name of the parameter. */
  receivedSecrets: (readonly [name: string, value: string])[];
  /** Every request that arrived, with the headers that carry tokens and proofs. */
  requests: {
    method: string;
    path: string;
    authorization: string | undefined;
    dpop: string | undefined;
  }[];
}

export interface OidcAuthorityOptions {
  /** A second client, which proves itself with a signature. */
  /** Binds tokens to keys (RFC 9449); "nonce" wants one of its own in every proof. @default not */
  dpop?: "optional" | "nonce" | undefined;
  /** A client with the client credentials grant. @default none */
  machine?: boolean | undefined;
  keyClient?: { clientId: string; publicJwk: object } | undefined;
  /** Registers clients by itself (RFC 7591). @default false */
  registration?: boolean | undefined;
  /**
   * Serves only the client with a key, by the FAPI 2.0 security profile: pushed requests, DPoP and
   * signed assertions. @default false
   */
  fapi?: boolean | undefined;
}

/**
 * An independent, strict authorization server: PKCE S256 required, refresh tokens rotate, `iss` in
 * every callback.
 */
export async function startOidcAuthority({
  keyClient,
  dpop,
  machine,
  registration,
  fapi = false,
}: OidcAuthorityOptions = {}): Promise<OidcAuthority> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Characters that form-encoding changes, so that a client which forgets it is refused.
  const client = { clientId: "pack", clientSecret: "s+e c/r:e=t%1" };
  const provider = new Provider(issuer, {
    clients: [
      ...(fapi
        ? []
        : [
            {
              client_id: client.clientId,
              client_secret: client.clientSecret,
              redirect_uris: ["http://127.0.0.1/oauth/callback"],
              application_type: "native" as const,
              grant_types: ["authorization_code", "refresh_token"],
              response_types: ["code" as const],
              token_endpoint_auth_method: "client_secret_basic" as const,
            },
          ]),
      ...(machine === true
        ? [
            {
              client_id: "machine",
              client_secret: "machine-secret",
              redirect_uris: [],
              response_types: [],
              grant_types: ["client_credentials"],
              token_endpoint_auth_method: "client_secret_post",
            },
          ]
        : []),
      ...(keyClient === undefined
        ? []
        : [
            {
              client_id: keyClient.clientId,
              jwks: { keys: [keyClient.publicJwk] },
              redirect_uris: ["http://127.0.0.1/oauth/callback"],
              application_type: "native",
              grant_types: ["authorization_code", "refresh_token", "client_credentials"],
              response_types: ["code"],
              token_endpoint_auth_method: "private_key_jwt",
              ...(fapi ? { dpop_bound_access_tokens: true } : {}),
            },
          ]),
    ],
    scopes: ["openid", "offline_access", "docs:read"],
    pkce: { required: () => true },
    ...(fapi ? { clientAuthMethods: ["private_key_jwt"] } : {}),
    features: {
      ...(fapi ? { fapi: { enabled: true, profile: "2.0" } } : {}),
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: fapi,
      },
      revocation: { enabled: true },
      introspection: { enabled: true },
      clientCredentials: { enabled: true },
      registration: { enabled: registration === true },
      dPoP: {
        enabled: fapi || dpop !== undefined,
        ...(dpop === "nonce" ? { nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true } : {}),
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 60,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 600,
      IdToken: 3_600,
    },
    cookies: { keys: ["a key for a test server"] },
  });
  const tokenRequests: OidcAuthority["tokenRequests"] = [];
  const receivedSecrets: OidcAuthority["receivedSecrets"] = [];
  provider.on("grant.success", ({ oidc: { params } }) => {
    tokenRequests.push({ grantType: String(params?.["grant_type"]), ok: true });
    for (const name of ["code", "code_verifier", "refresh_token"]) {
      const value = params?.[name];
      if (typeof value === "string") receivedSecrets.push([name, value]);
    }
  });
  provider.on("grant.error", (context) =>
    tokenRequests.push({ grantType: String(context.oidc.params?.["grant_type"]), ok: false }),
  );
  const requests: OidcAuthority["requests"] = [];
  server.on("request", ({ method = "", url = "", headers }) => {
    const { authorization, dpop: proof } = headers;
    requests.push({
      method,
      path: url.split("?")[0] ?? "",
      authorization,
      dpop: typeof proof === "string" ? proof : undefined,
    });
  });
  server.on("request", provider.callback());
  return {
    issuer,
    ...client,
    tokenRequests,
    receivedSecrets,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
