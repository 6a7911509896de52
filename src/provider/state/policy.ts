import type { JsonWebKey } from "node:crypto";
import {
  AdditionalGrantType,
  type AliasedEndpoint,
  type JwtAccessTokens,
  type LocalApi,
  type ProviderOptions,
} from "../options.ts";
import type { PkceMode, ProviderProfile } from "../profile.ts";
import type { RecordedRequest } from "./recorder.ts";

/** What a provider demands and offers. Fixed while it runs. */
export interface Policy {
  acrValues: readonly string[];
  /** Where it is below another issuer; otherwise empty. */
  path: string;
  scopes: readonly string[] | undefined;
  pkce: PkceMode;
  accessTokenTtlSeconds: number;
  registration: boolean;
  pushedRequestsRequired: boolean;
  grants: readonly AdditionalGrantType[];
  assertionIssuers: Readonly<Record<string, string | JsonWebKey>>;
  jwtAccessTokens: JwtAccessTokens | undefined;
  cors: boolean;
  clientDocuments: Readonly<Record<string, unknown>>;
  meScope: string | undefined;
  tokenResponse: Readonly<Record<string, unknown>>;
  profile: ProviderProfile;
  paths: Partial<Record<AliasedEndpoint, string>>;
  issuer: string | undefined;
  audiences: readonly string[];
  dpop: boolean;
  api: LocalApi | undefined;
  onRequest: ((request: RecordedRequest) => void) | undefined;
  apiOrigin: string | undefined;
  control: boolean;
  sleep: (ms: number) => Promise<void>;
}

const ACCESS_TOKEN_TTL_SECONDS = 3_600;

/** @param path where it is below another issuer */
export function readPolicy(
  options: ProviderOptions,
  profile: ProviderProfile,
  path: string,
): Policy {
  return {
    path,
    acrValues:
      options.acrValues ?? [profile.resource?.login?.acr].filter((acr) => acr !== undefined),
    scopes: options.scopes,
    pkce: profile.authorization?.pkce ?? options.pkce ?? "optional",
    accessTokenTtlSeconds: options.accessTokenTtlSeconds ?? ACCESS_TOKEN_TTL_SECONDS,
    registration: options.registration ?? true,
    pushedRequestsRequired:
      options.pushedRequests === "required" || profile.authorization?.pushed === true,
    grants:
      options.grants ??
      (profile.token?.exchange === true ? [AdditionalGrantType.TokenExchange] : []),
    assertionIssuers: options.assertionIssuers ?? {},
    jwtAccessTokens: options.jwtAccessTokens,
    cors: options.cors === true,
    clientDocuments: options.clientDocuments ?? {},
    meScope: options.meScope,
    tokenResponse: options.tokenResponse ?? {},
    profile,
    paths: options.paths ?? {},
    issuer: options.issuer,
    audiences: options.audiences ?? [],
    dpop: options.dpop === true,
    api: options.api,
    onRequest: options.onRequest,
    apiOrigin: options.apiOrigin,
    control: options.control ?? true,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms).unref())),
  };
}
