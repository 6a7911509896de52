import type { IssueCode } from "../codes.ts";
import { authentication, clientCredentials, members, oauth2 } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const custom = (params: string): string => authentication({ type: "AuthenticationType.Custom", params });
const header = (headerName: string): string => authentication({ type: "AuthenticationType.CustomHeaderToken", headerName });
const query = (paramName: string): string => authentication({ type: "AuthenticationType.QueryParamToken", paramName });
const step = (members: string): string =>
  oauth2({
    postSetup: `[\n  { type: PostSetupType.SetEndpoint, name: "site", description: "Which site?"${members} },\n]`,
  });

const admin = (own: Readonly<Record<string, string>> = {}): string =>
  `pack.addNetworkDomain("tasks.example");\npack.addAdminAuthentication(${members({
    name: '"audit"',
    displayName: '"Audit"',
    description: '"Reads everything, for audits."',
    authentication: "{ type: AuthenticationType.HeaderBearerToken }",
    ...own,
  })});`;

export const authenticationExplanations = {
  AUTH_SCOPES_MISSING: {
    why: "A Google account acts within the scopes that it was given; without one every request is refused.",
    bad: authentication({ type: "AuthenticationType.GoogleServiceAccount", scopes: "[]" }),
    good: authentication({ type: "AuthenticationType.GoogleServiceAccount", scopes: '["https://auth.tasks.example/read"]' }),
  },
  AUTH_ADMIN_TYPE: {
    why: "An administrator sets up an account with credentials; this type has none.",
    bad: admin({ authentication: "{ type: AuthenticationType.None }" }),
    good: admin(),
  },
  AUTH_ADMIN_NAME: {
    why: "Formulas name the account in allowedAuthenticationNames, so it is one word, and none of the two that stand for the user's and the Pack's own account.",
    bad: admin({ name: '"systemAuthentication"' }),
    good: admin(),
  },
  AUTH_ADMIN_TEXT: {
    why: "An administrator reads what the account is for before giving it credentials. The display name has at most 50 characters, the description 1,000.",
    bad: admin({ description: '""' }),
    good: admin(),
  },
  AUTH_SERVICE_DOMAIN: {
    why: "The token opens the user's documents. It may go to the document service and to nobody else.",
    bad: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }),
    good: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }, '"coda.io"'),
  },
  AUTH_TYPE_UNKNOWN: {
    why: "The type decides what users are asked for and where their credentials go. An unknown one cannot be set up.",
    bad: authentication({ type: '"Oauth2"' }),
    good: oauth2(),
  },
  AUTH_SYSTEM_TYPE: {
    why: "The Pack's own account is set up once, without a user in front of it. This type sends a person to a login page, or uses the person's own token.",
    bad: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }, '"coda.io"', "setSystemAuthentication"),
    good: authentication({ type: "AuthenticationType.HeaderBearerToken" }, undefined, "setSystemAuthentication"),
  },
  AUTH_POST_SETUP_OPTIONS: {
    why: "The step asks the user to choose an endpoint; without options there is nothing to choose from, and the account cannot be finished.",
    bad: step(""),
    good: step(", getOptions: async () => []"),
  },
  AUTH_NAME_DUPLICATE: {
    why: "The second value would replace the first, and the user would be asked twice for the same thing.",
    bad: custom('[\n  { name: "key", description: "Key" },\n  { name: "key", description: "Secret" },\n]'),
    good: custom('[\n  { name: "key", description: "Key" },\n  { name: "secret", description: "Secret" },\n]'),
  },
  AUTH_ENTRIES_MISSING: {
    why: "Users connect an account by filling in the entries; with none there is no credential to send.",
    bad: custom("[]"),
    good: custom('[{ name: "key", description: "Key" }]'),
  },
  AUTH_HEADER_NAME: {
    why: "A header name is an HTTP token (RFC 9110 §5.6.2). With a space or a line break in it, requests fail, or carry headers that nobody meant.",
    bad: header('"X Api Key"'),
    good: header('"X-Api-Key"'),
  },
  AUTH_PARAM_NAME: {
    why: "The token goes into the URL under this name; without one it cannot be sent.",
    bad: query('""'),
    good: query('"key"'),
  },
  AUTH_INSTRUCTIONS_URL: {
    why: "Users follow the link while they set up an account, a moment in which they trust it. Over http its page could be another one.",
    bad: oauth2({ instructionsUrl: '"help.tasks.example"' }),
    good: oauth2({ instructionsUrl: '"https://help.tasks.example/connect"' }),
  },
  AUTH_AUTHORIZATION_URL_MISSING: {
    why: "The flow begins by sending the user there.",
    bad: oauth2({ authorizationUrl: "" }),
    good: oauth2(),
  },
  AUTH_AUTHORIZATION_URL_INVALID: {
    why: "A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl and no endpointKey; every other one must be absolute.",
    bad: oauth2({ authorizationUrl: '"/authorize"' }),
    good: oauth2({ requiresEndpointUrl: "true", authorizationUrl: '"/authorize"', tokenUrl: '"/token"' }),
  },
  AUTH_AUTHORIZATION_URL_INSECURE: {
    why: "The user's login and the redirect with the code pass through this URL (RFC 6749 §3.1). Without TLS anybody on the way reads them.",
    bad: oauth2({ authorizationUrl: '"http://login.tasks.example/authorize"' }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_MISSING: {
    why: "The code, or the client credentials, are exchanged for tokens there.",
    bad: oauth2({ tokenUrl: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_INVALID: {
    why: "A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl; every other one must be absolute.",
    bad: clientCredentials({ tokenUrl: '"/token"' }),
    good: clientCredentials({ tokenUrl: '"/token"', requiresEndpointUrl: "true" }),
  },
  AUTH_TOKEN_URL_INSECURE: {
    why: "The client secret and the tokens travel through this URL (RFC 6749 §3.2). Without TLS anybody on the way has them.",
    bad: clientCredentials({ tokenUrl: '"http://login.tasks.example/token"' }),
    good: clientCredentials(),
  },
  AUTH_URL_LOOPBACK: {
    why: "A server on this machine is fine while you try the Pack; for everybody else the URL leads nowhere. --route keeps the public URL in the Pack.",
    bad: clientCredentials({ tokenUrl: '"http://127.0.0.1:4000/token"' }),
    good: clientCredentials(),
  },
  AUTH_RESOURCE_INVALID: {
    why: "The resource names the API that the tokens are for, as an absolute URL (RFC 8707 §2). Servers refuse requests with another form.",
    bad: oauth2({ resource: '"api.tasks.example"' }),
    good: oauth2({ resource: '"https://api.tasks.example"' }),
  },
  AUTH_SCOPE_DELIMITER: {
    why: "Scopes are joined with a space (RFC 6749 §3.3); a few providers want a comma or a semicolon. None wants another one.",
    bad: oauth2({ scopeDelimiter: '"|"' }),
    good: oauth2({ scopeDelimiter: '","' }),
  },
  AUTH_SCOPE_INVALID: {
    why: "A scope with the delimiter in it becomes two, and an empty one none: the user would consent to something else than was asked for.",
    bad: oauth2({ scopes: '["tasks.read tasks.write"]' }),
    good: oauth2({ scopes: '["tasks.read", "tasks.write"]' }),
  },
  AUTH_PKCE_METHOD: {
    why: "RFC 7636 knows two methods, and only S256 protects. Write plain for a provider that knows nothing else.",
    bad: oauth2({ pkceChallengeMethod: '"SHA256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_METHOD_UNUSED: {
    why: "The method has no effect while PKCE is off, although it reads as if it were on.",
    bad: oauth2({ useProofKeyForCodeExchange: "false", pkceChallengeMethod: '"S256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_MISSING: {
    why: "With PKCE a stolen code is worthless without the verifier that never left the client (RFC 9700 §2.1.1). Say false for a provider that refuses it.",
    bad: oauth2({ useProofKeyForCodeExchange: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_PLACE: {
    why: "The prefix belongs to the Authorization header; with tokenQueryParam the token goes into the URL instead, where logs keep it.",
    bad: oauth2({ tokenPrefix: '"token"', tokenQueryParam: '"access_token"' }),
    good: oauth2({ tokenPrefix: '"token"' }),
  },
  AUTH_PARAM_RESERVED: {
    why: "These parameters carry the flow's protection. A fixed state, for example, would let another site finish the flow for the user.",
    bad: oauth2({ additionalParams: '{ state: "fixed" }' }),
    good: oauth2({ additionalParams: '{ prompt: "consent" }' }),
  },
  AUTH_CREDENTIALS_LOCATION: {
    why: "The client credentials go into the body or into the Authorization header. Automatic tries the body first.",
    bad: clientCredentials({ credentialsLocation: '"Header"' }),
    good: clientCredentials({ credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader" }),
  },
  AUTH_CLIENT_AUTHENTICATION: {
    why: "A client proves who it is with a secret, which needs no member, or with a private key.",
    bad: clientCredentials({ clientAuthentication: '"jwt"' }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: {
    why: "A request proves in one way only who sends it; servers refuse two (RFC 6749 §2.3).",
    bad: clientCredentials({
      clientAuthentication: '"private_key_jwt"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_SIGNING_ALGORITHM: {
    why: "The algorithm belongs to the signature of private_key_jwt. Without it, the key's own is taken, which is nearly always right.",
    bad: clientCredentials({ clientAuthentication: '"private_key_jwt"', signingAlgorithm: '"HS256"' }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"', signingAlgorithm: '"PS256"' }),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
