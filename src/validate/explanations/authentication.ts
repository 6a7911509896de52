import type { IssueCode } from "../codes.ts";
import {
  authentication,
  clientCredentials,
  type Explanation,
  members,
  oauth2,
} from "./explanation.ts";

const domain = (text: string): string => `pack.addNetworkDomain(${text});`;
const TWO = '"tasks.example", "files.example"';
const custom = (params: string): string =>
  authentication({ type: "AuthenticationType.Custom", params });
const header = (headerName: string): string =>
  authentication({ type: "AuthenticationType.CustomHeaderToken", headerName });
const query = (paramName: string): string =>
  authentication({ type: "AuthenticationType.QueryParamToken", paramName });
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
const TENANT = '{ name: "tenant", label: "Tenant", kind: "segment" }';
const NOTE = '{ name: "note", label: "Note", kind: "text" }';
const tenantUrl = (tokenUrl: string, ...variables: string[]): string =>
  oauth2({ connectionVariables: `[${variables.join(", ")}]`, tokenUrl });
const inParam = (variables: string, template: string): string =>
  oauth2({ connectionVariables: variables, tokenParams: `{ tenant: "${template}" }` });
const password = (text: string): string =>
  clientCredentials({
    connectionVariables: '[{ name: "secret", label: "Password", kind: "text", secret: true }]',
    tokenParams: `{ password: "${text}", pin: "{secret}" }`,
  });

export const authenticationExplanations = {
  // Network domains
  NETWORK_DOMAIN_INVALID: {
    why: "Each request's host is compared with the network domain. A domain with a protocol, a path, a port, a wildcard or an IP address never matches. Write the host name; its subdomains are included.",
    bad: domain('"https://api.tasks.example/v1"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_LOOPBACK: {
    why: "On another machine this name means that machine. It helps while you try the Pack with a local server. Remove it before you publish.",
    bad: domain('"localhost:8080"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_PUBLIC_SUFFIX: {
    why: "Anyone can register a name under a public suffix, so the Pack could send data and credentials to any of those hosts. Name your own domain.",
    bad: domain('"com"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_DUPLICATE: {
    why: "The second one has no effect. Host names ignore case.",
    bad: domain('"tasks.example", "Tasks.example"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_MISSING: {
    why: "Credentials are sent to declared domains only, and without a domain no request is allowed. Add one with pack.addNetworkDomain.",
    bad: "pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });",
    good: authentication({ type: "AuthenticationType.HeaderBearerToken" }),
  },
  AUTH_NETWORK_DOMAIN_EMPTY: {
    why: "An empty domain matches no host, so the credentials could not be used.",
    bad: oauth2({ networkDomain: "[]" }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_UNDECLARED: {
    why: "Credentials are sent to the Pack's own network domains only, which users see before they connect an account.",
    bad: oauth2({ networkDomain: '"files.example"' }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_MISSING: {
    why: "With several network domains, you must say which of them receive the credentials. A guess could leak them.",
    bad: oauth2({}, TWO),
    good: oauth2({ networkDomain: '"tasks.example"' }, TWO),
  },
  AUTH_ENDPOINT_DOMAIN: {
    why: "Each account's endpoint must be under this domain. If the domain is outside the network domains, every request is refused.",
    bad: oauth2({
      endpointKey: '"url"',
      requiresEndpointUrl: "true",
      endpointDomain: '"files.example"',
    }),
    good: oauth2({
      endpointKey: '"url"',
      requiresEndpointUrl: "true",
      endpointDomain: '"tasks.example"',
    }),
  },

  // Authentication
  AUTH_SCOPES_MISSING: {
    why: "A Google account can only use the scopes that it was given. Without any, every request is refused. Name the scopes that your formulas need.",
    bad: authentication({ type: "AuthenticationType.GoogleServiceAccount", scopes: "[]" }),
    good: authentication({
      type: "AuthenticationType.GoogleServiceAccount",
      scopes: '["https://auth.tasks.example/read"]',
    }),
  },
  AUTH_ADMIN_TYPE: {
    why: "An administrator sets up the account by entering credentials, and this type has none. Choose a type with credentials.",
    bad: admin({ authentication: "{ type: AuthenticationType.None }" }),
    good: admin(),
  },
  AUTH_ADMIN_NAME: {
    why: "Formulas name the account in allowedAuthenticationNames, so the name is one word. Two names are reserved for the user's account and the Pack's own account.",
    bad: admin({ name: '"systemAuthentication"' }),
    good: admin(),
  },
  AUTH_ADMIN_TEXT: {
    why: "An administrator reads these texts before giving credentials to the account. The display name has at most 50 characters, the description 1,000.",
    bad: admin({ description: '""' }),
    good: admin(),
  },
  AUTH_SERVICE_DOMAIN: {
    why: "The token opens the user's documents, so it may only be sent to the document service.",
    bad: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }),
    good: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }, '"coda.io"'),
  },
  AUTH_TYPE_UNKNOWN: {
    why: "The type decides what users enter and where their credentials are sent. Use a constant of AuthenticationType.",
    bad: authentication({ type: '"Oauth2"' }),
    good: oauth2(),
  },
  AUTH_SYSTEM_TYPE: {
    why: "The Pack's own account is set up once, without a user. This type needs a person to log in, or uses the person's own token. Choose another type.",
    bad: authentication(
      { type: "AuthenticationType.CodaApiHeaderBearerToken" },
      '"coda.io"',
      "setSystemAuthentication",
    ),
    good: authentication(
      { type: "AuthenticationType.HeaderBearerToken" },
      undefined,
      "setSystemAuthentication",
    ),
  },
  AUTH_POST_SETUP_OPTIONS: {
    why: "The step asks the user to choose an endpoint. Without options there is nothing to choose, and the account cannot be finished. Add getOptions.",
    bad: step(""),
    good: step(", getOptions: async () => []"),
  },
  AUTH_NAME_DUPLICATE: {
    why: "The second value would replace the first, and the user would have to enter both. Give each a different name.",
    bad: custom(
      '[\n  { name: "key", description: "Key" },\n  { name: "key", description: "Secret" },\n]',
    ),
    good: custom(
      '[\n  { name: "key", description: "Key" },\n  { name: "secret", description: "Secret" },\n]',
    ),
  },
  AUTH_ENTRIES_MISSING: {
    why: "Users connect an account by filling in its entries. Without an entry there is no credential to send.",
    bad: custom("[]"),
    good: custom('[{ name: "key", description: "Key" }]'),
  },
  AUTH_HEADER_NAME: {
    why: "A header name is an HTTP token (RFC 9110 §5.6.2). With a space or a line break in it, requests fail or contain headers that no one intended.",
    bad: header('"X Api Key"'),
    good: header('"X-Api-Key"'),
  },
  AUTH_PARAM_NAME: {
    why: "The name is the query parameter that carries the token. Without a name the token cannot be sent.",
    bad: query('""'),
    good: query('"key"'),
  },
  AUTH_INSTRUCTIONS_URL: {
    why: "Users follow the link while they set up an account, so it must lead to the right page. Over http, someone could replace the page. Use https.",
    bad: oauth2({ instructionsUrl: '"help.tasks.example"' }),
    good: oauth2({ instructionsUrl: '"https://help.tasks.example/connect"' }),
  },
  AUTH_AUTHORIZATION_URL_MISSING: {
    why: "The flow starts by sending the user to this URL.",
    bad: oauth2({ authorizationUrl: "" }),
    good: oauth2(),
  },
  AUTH_AUTHORIZATION_URL_INVALID: {
    why: "A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl and no endpointKey. Any other URL must be absolute.",
    bad: oauth2({ authorizationUrl: '"/authorize"' }),
    good: oauth2({
      requiresEndpointUrl: "true",
      authorizationUrl: '"/authorize"',
      tokenUrl: '"/token"',
    }),
  },
  AUTH_AUTHORIZATION_URL_INSECURE: {
    why: "The user's login and the redirect with the code use this URL (RFC 6749 §3.1). Without TLS, anyone on the network can read them.",
    bad: oauth2({ authorizationUrl: '"http://login.tasks.example/authorize"' }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_MISSING: {
    why: "This is where the code or the client credentials are exchanged for tokens.",
    bad: oauth2({ tokenUrl: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_INVALID: {
    why: "A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl. Any other URL must be absolute.",
    bad: clientCredentials({ tokenUrl: '"/token"' }),
    good: clientCredentials({ tokenUrl: '"/token"', requiresEndpointUrl: "true" }),
  },
  AUTH_TOKEN_URL_INSECURE: {
    why: "The client secret and the tokens are sent to and from this URL (RFC 6749 §3.2). Without TLS, anyone on the network can read them.",
    bad: clientCredentials({ tokenUrl: '"http://login.tasks.example/token"' }),
    good: clientCredentials(),
  },
  AUTH_URL_LOOPBACK: {
    why: "A server on your machine is fine while you try the Pack, but other users cannot reach it. Keep the public URL in the Pack and use --route.",
    bad: clientCredentials({ tokenUrl: '"http://127.0.0.1:4000/token"' }),
    good: clientCredentials(),
  },
  AUTH_RESOURCE_INVALID: {
    why: "The resource names the API that the tokens are for, as an absolute URL (RFC 8707 §2). Servers refuse any other form.",
    bad: oauth2({ resource: '"api.tasks.example"' }),
    good: oauth2({ resource: '"https://api.tasks.example"' }),
  },
  AUTH_SCOPE_DELIMITER: {
    why: "Scopes are joined with a space (RFC 6749 §3.3). A few providers want a comma or a semicolon. No other delimiter is allowed.",
    bad: oauth2({ scopeDelimiter: '"|"' }),
    good: oauth2({ scopeDelimiter: '","' }),
  },
  AUTH_SCOPE_INVALID: {
    why: "A scope that contains the delimiter becomes two scopes, and an empty one disappears. The user would consent to something other than you intended.",
    bad: oauth2({ scopes: '["tasks.read tasks.write"]' }),
    good: oauth2({ scopes: '["tasks.read", "tasks.write"]' }),
  },
  AUTH_PKCE_METHOD: {
    why: "RFC 7636 defines two methods, and only S256 protects the code. Use plain only for a provider that supports nothing else.",
    bad: oauth2({ pkceChallengeMethod: '"SHA256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_METHOD_UNUSED: {
    why: "PKCE is off, so the method has no effect, although it looks as if PKCE were on. Turn PKCE on, or remove the method.",
    bad: oauth2({ useProofKeyForCodeExchange: "false", pkceChallengeMethod: '"S256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_MISSING: {
    why: "With PKCE, a stolen code is useless without the verifier, which never leaves the client (RFC 9700 §2.1.1). Set useProofKeyForCodeExchange to false for a provider that refuses it.",
    bad: oauth2({ useProofKeyForCodeExchange: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_PLACE: {
    why: "The prefix belongs to the Authorization header. With tokenQueryParam the token is in the URL instead, where logs keep it. Remove one of the two.",
    bad: oauth2({ tokenPrefix: '"token"', tokenQueryParam: '"access_token"' }),
    good: oauth2({ tokenPrefix: '"token"' }),
  },
  AUTH_PARAM_RESERVED: {
    why: "These parameters protect the flow. With a fixed state, for example, another site could finish the flow for the user.",
    bad: oauth2({ additionalParams: '{ state: "fixed" }' }),
    good: oauth2({ additionalParams: '{ prompt: "consent" }' }),
  },
  AUTH_CREDENTIALS_LOCATION: {
    why: "The client credentials are sent in the body or in the Authorization header. Automatic tries the body first.",
    bad: clientCredentials({ credentialsLocation: '"Header"' }),
    good: clientCredentials({
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
  },
  AUTH_CLIENT_AUTHENTICATION: {
    why: "A client authenticates with a secret, which needs no member, with a private key (private_key_jwt), or with a TLS certificate (tls_client_auth).",
    bad: clientCredentials({ clientAuthentication: '"jwt"' }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: {
    why: "A request may use only one way to authenticate the client. Servers refuse two (RFC 6749 §2.3). Remove one member.",
    bad: clientCredentials({
      clientAuthentication: '"private_key_jwt"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_SIGNING_ALGORITHM: {
    why: "The algorithm is for the signature of private_key_jwt. Leave it out to use the key's own algorithm, which is nearly always right.",
    bad: clientCredentials({
      clientAuthentication: '"private_key_jwt"',
      signingAlgorithm: '"HS256"',
    }),
    good: clientCredentials({
      clientAuthentication: '"private_key_jwt"',
      signingAlgorithm: '"PS256"',
    }),
  },

  // Connection variables, callback parameters, and unusual token requests
  AUTH_ENDPOINT_CONFLICT: {
    why: "endpointUrl says that all accounts share one endpoint; requiresEndpointUrl says that each has its own. Keep one of them.",
    bad: oauth2({
      endpointUrl: '"https://api.tasks.example"',
      requiresEndpointUrl: "true",
      endpointKey: '"url"',
    }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_REFRESH_URL_INVALID: {
    why: "Tokens are refreshed at this URL. A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl.",
    bad: oauth2({ refreshUrl: '"/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_REFRESH_URL_INSECURE: {
    why: "The refresh token and the client secret are sent to this URL. Without TLS, anyone on the network can read them.",
    bad: oauth2({ refreshUrl: '"http://login.tasks.example/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_ENDPOINT_URL_INVALID: {
    why: "Relative request URLs are joined with the endpoint, so the endpoint must be absolute.",
    bad: oauth2({ endpointUrl: '"api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_ENDPOINT_URL_INSECURE: {
    why: "Every request with the account's credentials goes to this URL. Without TLS, anyone on the network can read them.",
    bad: oauth2({ endpointUrl: '"http://api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_DPOP_TOKEN_PLACE: {
    why: "RFC 9449 §7.1 allows one place for a DPoP-bound token: the Authorization header. Remove the other place.",
    bad: oauth2({ dpop: "true", tokenHeaderName: '"X-Access-Token"' }),
    good: oauth2({ dpop: "true" }),
  },
  AUTH_RENEWAL_SIGNAL_INVALID: {
    why: "After such an answer, packsmith refreshes the token and sends the request again. A signal that every answer matches would double all requests.",
    bad: oauth2({ refreshOn: "[{ status: 200 }]" }),
    good: oauth2({
      refreshOn: '[{ status: 200, bodyPath: "error.code", equals: "token_expired" }]',
    }),
  },
  AUTH_ISSUER_INVALID: {
    why: "The server's metadata is looked up under the issuer and must contain exactly the same issuer (RFC 8414 §2).",
    bad: oauth2({ issuer: '"https://login.tasks.example?tenant=1"' }),
    good: oauth2({ issuer: '"https://login.tasks.example"' }),
  },
  AUTH_REQUEST_FORMAT: {
    why: "URLs end up in server logs. Send the client secret in a header or a body.",
    bad: clientCredentials({ tokenRequestFormat: '"query"' }),
    good: clientCredentials({
      tokenRequestFormat: '"query"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
  },
  AUTH_GRANT_TYPE_INVALID: {
    why: "authorization_code needs a code and refresh_token needs a refresh token. This flow has neither.",
    bad: clientCredentials({ grantType: '"authorization_code"' }),
    good: clientCredentials({ grantType: '"account_credentials"' }),
  },
  AUTH_GRANT_TYPE_PASSWORD: {
    why: "The Pack would see a password that opens the complete account. A token opens only a part of it, and expires (RFC 9700 §2.4).",
    bad: clientCredentials({ grantType: '"password"' }),
    good: clientCredentials(),
  },
  AUTH_SECRET_LITERAL: {
    why: "Anyone who has the Pack can read its source and its bundle. Ask for the secret with a connection variable; it is then kept in the vault.",
    bad: password("letmein"),
    good: password("{secret}"),
  },
  AUTH_VARIABLE_INVALID: {
    why: "Users enter the value while they connect an account, and templates use the name: a lowercase letter, then letters and digits.",
    bad: oauth2({ connectionVariables: `[${TENANT.replace('"tenant"', '"Tenant"')}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_DUPLICATE: {
    why: "A placeholder could mean either variable. Rename or remove one.",
    bad: inParam(`[${TENANT}, ${TENANT}]`, "{tenant}"),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_UNUSED: {
    why: "Users would have to enter a value that changes nothing. Use the variable in a URL or a parameter, or remove it.",
    bad: oauth2({ connectionVariables: `[${TENANT}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_CALLBACK_PARAM_INVALID: {
    why: "The redirect comes through the user's browser and can be forged. A host is accepted only from a list of domains, and the protocol's own parameters are never accepted.",
    bad: oauth2({ callbackParams: '[{ name: "api", kind: "host" }]' }),
    good: oauth2({ callbackParams: '[{ name: "api", kind: "host", domains: ["tasks.example"] }]' }),
  },
  AUTH_PLACEHOLDER_UNKNOWN: {
    why: "No variable fills this placeholder, so the URL would contain a brace. Declare the variable, or correct its name.",
    bad: tenantUrl('"https://login.tasks.example/{tenat}/token"'),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
  AUTH_PLACEHOLDER_UNDECLARED: {
    why: "Some providers expect braces in a parameter, so the text is sent as it is. Most often the name is misspelled.",
    bad: oauth2({ tokenParams: '{ tenant: "{tenat}" }' }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_PLACEHOLDER_PLACE: {
    why: "In a URL, the kind of a variable decides where it is allowed. Otherwise a user's value could send the client secret to another host.",
    bad: tenantUrl('"https://login.tasks.example/{note}/token"', NOTE),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
