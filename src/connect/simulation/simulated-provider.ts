import type { TokenExchange, TokenResponseMembers } from "../../define/oauth.ts";
import type { ParamValue } from "../../define/oauth-parameters.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import type { Routes } from "../../oauth/routes.ts";
import {
  AdditionalGrantType,
  type ProviderClient,
  type ProviderOptions,
} from "../../provider/options.ts";
import {
  type DemandedParameters,
  type ProviderProfile,
  STRICT,
  type TokenSwap,
} from "../../provider/profile.ts";
import { overlayProfile } from "../../provider/profiles/catalogue.ts";
import { type LocalProvider, startProvider } from "../../provider/provider.ts";
import type { SimulatedDefinition } from "./simulated-definition.ts";

/** The client of a simulated provider. */
export interface SimulatedRegistration extends Omit<ProviderClient, "grantTypes"> {
  accessTokenTtlSeconds: number;
  /** The real clock under the provider's virtual one, in milliseconds. @default Date.now */
  now?: (() => number) | undefined;
}

/** What does not follow from the definition. */
export type OwnOptions = Omit<
  ProviderOptions,
  | "profiles"
  | "issuer"
  | "issuers"
  | "audiences"
  | "dpop"
  | "mutualTlsPort"
  | "apiOrigin"
  | "accessTokenTtlSeconds"
  | "clients"
  | "now"
>;

/** Starts a provider as strict as the definition allows, with one profile on top. */
export function startSimulatedProvider(
  simulated: SimulatedDefinition,
  profile: ProviderProfile,
  { accessTokenTtlSeconds, now, ...client }: SimulatedRegistration,
  { paths: morePaths, ...own }: OwnOptions = {},
): Promise<LocalProvider> {
  const { definition, issuer, apiOrigin, authorizationUrl, tokenUrl, refreshUrl } = simulated;
  const tenant = profile.authorization?.tenant;
  const pushedUrl = definition.type === "OAuth2" ? definition.pushedAuthorizationUrl : undefined;
  const readPath = (url: string) => {
    const { pathname, search } = new URL(url);
    return (
      (tenant !== undefined && pathname.startsWith(`/${tenant}/`)
        ? pathname.slice(tenant.length + 1)
        : pathname) + search
    );
  };
  return startProvider({
    profiles: [overlayProfile(declaredProfile(simulated), profile)],
    paths: {
      authorize: readPath(authorizationUrl).split("?")[0] ?? "",
      token: readPath(tokenUrl),
      ...(refreshUrl === tokenUrl ? {} : { refresh: readPath(refreshUrl) }),
      ...(pushedUrl === undefined ? {} : { par: readPath(pushedUrl) }),
      ...morePaths,
    },
    issuer,
    audiences: [tokenUrl, refreshUrl],
    dpop: definition.dpop === true,
    ...(definition.clientAuthentication === "tls_client_auth" ? { mutualTlsPort: 0 } : {}),
    apiOrigin,
    accessTokenTtlSeconds,
    now,
    control: false,
    ...own,
    clients: [
      { ...client, grantTypes: ["authorization_code", "refresh_token", "client_credentials"] },
    ],
  });
}

/**
 * Routes all origins of a definition to its provider: to the port for certificates, if the client
 * has one.
 */
export function routesToProvider(
  { authorizationUrl, tokenUrl, refreshUrl, swapUrls, apiOrigin, issuer }: SimulatedDefinition,
  provider: LocalProvider,
): Routes {
  const { origin } = provider.mutualTls ?? provider;
  const swaps = Object.values(swapUrls).filter((url) => url !== undefined);
  return Object.fromEntries(
    [authorizationUrl, tokenUrl, refreshUrl, ...swaps, apiOrigin, issuer ?? tokenUrl].map((url) => [
      new URL(url).origin,
      origin,
    ]),
  );
}

/** Routes the pages for the browser to the port without certificates. */
export function pageRoutesToProvider(
  { authorizationUrl }: SimulatedDefinition,
  { origin }: LocalProvider,
): Routes {
  return { [new URL(authorizationUrl).origin]: origin };
}

/**
 * The strictest provider that fits a definition: it demands everything that the definition sends.
 */
function declaredProfile({
  definition,
  accountEndpoint,
  refreshUrl,
  tokenUrl,
  swapUrls,
  callback,
}: SimulatedDefinition): ProviderProfile {
  const { endpointKey, refreshParams, parameterNames, codeParamName } = {
    endpointKey: undefined,
    refreshParams: undefined,
    codeParamName: undefined,
    ...definition,
  };
  return {
    ...STRICT,
    client: declaredClient(definition),
    scope: { parameter: definition.scopeParamName, delimiter: definition.scopeDelimiter },
    authorization: {
      pkce:
        definition.useProofKeyForCodeExchange === true
          ? (definition.pkceChallengeMethod ?? "S256")
          : undefined,
      ...(parameterNames === undefined ? {} : { names: parameterNames }),
      ...(codeParamName === undefined ? {} : { codeParameter: codeParamName }),
      ...(definition.authorizationUrl?.includes("#/") === true ? { fragment: true } : {}),
      ...(Object.keys(callback).length === 0 ? {} : { callback }),
    },
    token: declaredToken(definition, swapUrls),
    refresh: {
      ownEndpoint: refreshUrl !== tokenUrl,
      parameters: toDemanded(refreshParams),
      ...(swapUrls.renewal === undefined ? {} : { token: "none" }),
    },
    answer: {
      members: (members) => renamedMembers(members, definition.tokenResponse),
      container: definition.nestedResponseKey,
      ...(endpointKey === undefined ? {} : { beside: atPath(endpointKey, accountEndpoint) }),
    },
    resource: {
      // Another header contains only the token, unless the definition has a prefix.
      scheme: definition.tokenPrefix ?? (definition.tokenHeaderName === undefined ? undefined : ""),
      header: definition.tokenHeaderName?.toLowerCase(),
      query: definition.tokenQueryParam || undefined,
    },
  };
}

function declaredClient(definition: OAuthDefinition): ProviderProfile["client"] {
  const { clientAuthentication, assertionAudience: audience, assertionIssuer: issuer } = definition;
  if (clientAuthentication === "private_key_jwt") return { assertion: { audience, issuer } };
  if (clientAuthentication === "secret_as_user") return { secretAsUser: true };
  switch (definition.credentialsLocation) {
    case "AuthorizationHeader":
      return { methods: ["client_secret_basic"] };
    case "Body":
      return { methods: ["client_secret_post"] };
    default:
      return undefined;
  }
}

function declaredToken(
  definition: OAuthDefinition,
  swapUrls: SimulatedDefinition["swapUrls"],
): ProviderProfile["token"] {
  const { tokenParameterNames: names } = definition;
  return {
    format: definition.tokenRequestFormat,
    parameters: toDemanded(definition.tokenParams),
    headers: definition.tokenHeaders,
    exchange: definition.tokenExchange === undefined ? undefined : true,
    swaps: declaredSwaps(definition, swapUrls),
    ...(names === undefined ? {} : { names }),
    clientCredentialsGrantType:
      definition.type === "OAuth2ClientCredentials" ? definition.grantType : undefined,
  };
}

/** The requests of the definition that give an access token for another one. */
function declaredSwaps(
  definition: OAuthDefinition,
  { exchange, renewal }: SimulatedDefinition["swapUrls"],
): TokenSwap[] {
  const { tokenExchange } = definition;
  const tokenRenewal = definition.type === "OAuth2" ? definition.tokenRenewal : undefined;
  const swaps: TokenSwap[] = [];
  // The token endpoint knows the exchange of RFC 8693.
  if (tokenExchange !== undefined && exchange !== undefined && !isStandard(tokenExchange))
    swaps.push({ ...createSwap(tokenExchange, exchange), kind: "exchange" });
  if (tokenRenewal !== undefined && renewal !== undefined)
    swaps.push({
      ...createSwap(tokenRenewal, renewal),
      kind: "renewal",
      withClient: tokenRenewal.withClient,
    });
  return swaps;
}

function isStandard({ grantType, method }: TokenExchange): boolean {
  return method !== "GET" && grantType === AdditionalGrantType.TokenExchange;
}

function createSwap(
  { method = "POST", grantType, params }: Pick<TokenExchange, "method" | "grantType" | "params">,
  url: string,
): Omit<TokenSwap, "kind"> {
  const [parameter = "token"] =
    Object.entries(params).find(([, value]) => String(value).includes("{token}")) ?? [];
  return {
    path: new URL(url).pathname,
    method,
    grantType,
    parameter,
    parameters: toDemanded(params),
  };
}

/**
 * The members of an answer under the names that the definition has for them. One that is renamed
 * already stays.
 */
function renamedMembers(
  members: Record<string, unknown>,
  names: TokenResponseMembers = {},
): Record<string, unknown> {
  const { accessToken, refreshToken, expiresIn } = names;
  const renamed = { ...members };
  for (const [standard, path] of Object.entries({
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
  })) {
    if (path === undefined || renamed[standard] === undefined) continue;
    const value = renamed[standard];
    delete renamed[standard];
    Object.assign(renamed, atPath(path, value));
  }
  return renamed;
}

function toDemanded(
  parameters: Readonly<Record<string, ParamValue>> | undefined,
): DemandedParameters | undefined {
  return parameters === undefined
    ? undefined
    : Object.fromEntries(Object.keys(parameters).map((name) => [name, ""]));
}

function atPath(path: string, value: unknown): Record<string, unknown> {
  const [name = "", ...rest] = path.split(".");
  return { [name]: rest.length === 0 ? value : atPath(rest.join("."), value) };
}
