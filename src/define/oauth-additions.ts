import type { OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "./oauth.ts";

/** Whether the platform knows a member, or only packsmith. */
type KnownTo = "platform" | "packsmith";
type Members<Definition> = Readonly<Record<keyof Definition, KnownTo>>;

const BOTH_FLOWS = {
  type: "platform",
  getConnectionName: "platform",
  getConnectionUserId: "platform",
  instructionsUrl: "platform",
  requiresEndpointUrl: "platform",
  endpointDomain: "platform",
  networkDomain: "platform",
  postSetup: "platform",
  scopes: "platform",
  scopeParamName: "platform",
  scopeDelimiter: "platform",
  credentialsLocation: "platform",
  nestedResponseKey: "platform",
  tokenUrl: "platform",
  tokenPrefix: "platform",
  tokenQueryParam: "platform",
  resource: "platform",
  clientAuthentication: "packsmith",
  signingAlgorithm: "packsmith",
  assertionAudience: "packsmith",
  assertionIssuer: "packsmith",
  parameterNames: "packsmith",
  tokenParameterNames: "packsmith",
  tokenResponse: "packsmith",
  tokenExchange: "packsmith",
  tokenHeaders: "packsmith",
  dpop: "packsmith",
  tokenHeaderName: "packsmith",
  refreshOn: "packsmith",
  issuer: "packsmith",
  connectionVariables: "packsmith",
  endpointUrl: "packsmith",
  tokenParams: "packsmith",
  tokenRequestFormat: "packsmith",
} as const;

/** The compiler reports a member of a definition that has no entry. */
const MEMBERS: {
  OAuth2: Members<OAuth2Authentication>;
  OAuth2ClientCredentials: Members<OAuth2ClientCredentialsAuthentication>;
} = {
  OAuth2: {
    ...BOTH_FLOWS,
    authorizationUrl: "platform",
    additionalParams: "platform",
    endpointKey: "platform",
    useProofKeyForCodeExchange: "platform",
    pkceChallengeMethod: "platform",
    useDynamicClientRegistration: "platform",
    pushedAuthorizationUrl: "packsmith",
    clientMetadataUrl: "packsmith",
    codeParamName: "packsmith",
    callbackParams: "packsmith",
    refreshUrl: "packsmith",
    refreshParams: "packsmith",
    tokenRenewal: "packsmith",
  },
  OAuth2ClientCredentials: {
    ...BOTH_FLOWS,
    additionalParams: "packsmith",
    grantType: "packsmith",
    authorizationUrl: "packsmith",
    useProofKeyForCodeExchange: "packsmith",
    pkceChallengeMethod: "packsmith",
  },
};

/**
 * The members of an authentication that only packsmith knows, so that it cannot be published with
 * them. `resource` is one of them if
 * it replaces the URLs of the authorization server.
 */
export function membersOfPacksmith(authentication: Readonly<Record<string, unknown>>): string[] {
  const { type, authorizationUrl, useDynamicClientRegistration, resource } = authentication;
  if (type !== "OAuth2" && type !== "OAuth2ClientCredentials") return [];
  const knownTo: Readonly<Record<string, KnownTo>> = MEMBERS[type];
  const names = Object.keys(authentication).filter(
    (name) => authentication[name] !== undefined && knownTo[name] === "packsmith",
  );
  const isDiscovered =
    type === "OAuth2" && authorizationUrl === undefined && useDynamicClientRegistration !== true;
  return isDiscovered && resource !== undefined ? [...names, "resource"] : names;
}
