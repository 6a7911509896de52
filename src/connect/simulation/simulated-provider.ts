import type { TokenResponseMembers } from "../../define/oauth.ts";
import type { ParamValue } from "../../define/oauth-parameters.ts";
import type { Routes } from "../../oauth/routes.ts";
import type { ProviderClient, ProviderOptions } from "../../provider/options.ts";
import { type DemandedParameters, type ProviderProfile, STRICT } from "../../provider/profile.ts";
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
  const pathOf = (url: string) => {
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
      authorize: pathOf(authorizationUrl).split("?")[0] ?? "",
      token: pathOf(tokenUrl),
      ...(refreshUrl === tokenUrl ? {} : { refresh: pathOf(refreshUrl) }),
      ...(pushedUrl === undefined ? {} : { par: pathOf(pushedUrl) }),
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
  { authorizationUrl, tokenUrl, refreshUrl, apiOrigin, issuer }: SimulatedDefinition,
  provider: LocalProvider,
): Routes {
  const { origin } = provider.mutualTls ?? provider;
  return Object.fromEntries(
    [authorizationUrl, tokenUrl, refreshUrl, apiOrigin, issuer ?? tokenUrl].map((url) => [
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
  callback,
}: SimulatedDefinition): ProviderProfile {
  const { credentialsLocation, endpointKey, refreshParams } = {
    endpointKey: undefined,
    refreshParams: undefined,
    ...definition,
  };
  const { parameterNames, codeParamName, clientAuthentication } = {
    codeParamName: undefined,
    ...definition,
  };
  const { assertionAudience: audience, assertionIssuer: assertedIssuer } = definition;
  return {
    ...STRICT,
    client:
      clientAuthentication === "private_key_jwt"
        ? { assertion: { audience, issuer: assertedIssuer } }
        : clientAuthentication === "secret_as_user"
          ? { secretAsUser: true }
          : credentialsLocation === "AuthorizationHeader"
            ? { methods: ["client_secret_basic"] }
            : credentialsLocation === "Body"
              ? { methods: ["client_secret_post"] }
              : undefined,
    scope: { parameter: definition.scopeParamName, delimiter: definition.scopeDelimiter },
    authorization: {
      pkce:
        definition.useProofKeyForCodeExchange === true
          ? (definition.pkceChallengeMethod ?? "S256")
          : undefined,
      ...(parameterNames === undefined ? {} : { names: parameterNames }),
      ...(codeParamName === undefined ? {} : { codeParameter: codeParamName }),
      ...(Object.keys(callback).length === 0 ? {} : { callback }),
    },
    token: {
      format: definition.tokenRequestFormat,
      parameters: demanded(definition.tokenParams),
      headers: definition.tokenHeaders,
      exchange: definition.tokenExchange === undefined ? undefined : true,
      clientCredentialsGrantType:
        definition.type === "OAuth2ClientCredentials" ? definition.grantType : undefined,
    },
    refresh: { ownEndpoint: refreshUrl !== tokenUrl, parameters: demanded(refreshParams) },
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

function demanded(
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
