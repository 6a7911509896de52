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
    why: "packsmith compares the host of each request with the network domain. Write only the host name, such as tasks.example, without a protocol, a path, a port or a wildcard. Subdomains are included.",
    bad: domain('"https://api.tasks.example/v1"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_LOOPBACK: {
    why: "localhost is the machine on which the Pack runs, so users cannot reach your server. You can use the domain to test with a local server. Remove the domain before you publish the Pack.",
    bad: domain('"localhost:8080"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_PUBLIC_SUFFIX: {
    why: "Anyone can register a name under a public suffix, so a stranger could receive data and credentials. Declare the API's domain, such as tasks.example.",
    bad: domain('"com"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_DUPLICATE: {
    why: "The second declaration of a domain has no effect. Host names are not case-sensitive. Remove one of the two declarations.",
    bad: domain('"tasks.example", "Tasks.example"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_MISSING: {
    why: "A Pack can send requests and credentials only to domains that it declares. Declare the API's domain with pack.addNetworkDomain.",
    bad: "pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });",
    good: authentication({ type: "AuthenticationType.HeaderBearerToken" }),
  },
  AUTH_NETWORK_DOMAIN_EMPTY: {
    why: "An empty domain matches no host, so no request would contain the credentials. Set networkDomain to one of the Pack's domains, or remove it.",
    bad: oauth2({ networkDomain: "[]" }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_UNDECLARED: {
    why: "The Pack must declare each domain that receives credentials. Users see these domains before they connect an account. Declare the domain with pack.addNetworkDomain, or correct networkDomain.",
    bad: oauth2({ networkDomain: '"files.example"' }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_MISSING: {
    why: "The Pack has more than one network domain. Set networkDomain to the domains that can receive the credentials. Other domains do not receive them.",
    bad: oauth2({}, TWO),
    good: oauth2({ networkDomain: '"tasks.example"' }, TWO),
  },
  AUTH_ENDPOINT_DOMAIN: {
    why: "Each account's endpoint must belong to endpointDomain. The Pack does not declare this domain, so packsmith would reject every request. Declare the domain with pack.addNetworkDomain, or correct endpointDomain.",
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
    why: "Without scopes, Google rejects every request from the account. List the scopes that your formulas need.",
    bad: authentication({ type: "AuthenticationType.GoogleServiceAccount", scopes: "[]" }),
    good: authentication({
      type: "AuthenticationType.GoogleServiceAccount",
      scopes: '["https://auth.tasks.example/read"]',
    }),
  },
  AUTH_ADMIN_TYPE: {
    why: "An administrator enters credentials to set up the account, but this authentication type has no credentials. Choose another type.",
    bad: admin({ authentication: "{ type: AuthenticationType.None }" }),
    good: admin(),
  },
  AUTH_ADMIN_NAME: {
    why: "Formulas refer to the account by this name in allowedAuthenticationNames. Start the name with a letter, and use only letters, digits and underscores. The names userAuthentication and systemAuthentication are reserved.",
    bad: admin({ name: '"systemAuthentication"' }),
    good: admin(),
  },
  AUTH_ADMIN_TEXT: {
    why: "An administrator reads the display name and the description before entering credentials. Write a display name of 1 to 50 characters and a description of 1 to 1,000 characters.",
    bad: admin({ description: '""' }),
    good: admin(),
  },
  AUTH_SERVICE_DOMAIN: {
    why: "The token gives access to the user's documents, so only the document service can receive it. Set networkDomain to coda.io.",
    bad: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }),
    good: authentication({ type: "AuthenticationType.CodaApiHeaderBearerToken" }, '"coda.io"'),
  },
  AUTH_TYPE_UNKNOWN: {
    why: "The type determines which credentials users enter and how requests carry them. Use an AuthenticationType constant.",
    bad: authentication({ type: '"Oauth2"' }),
    good: oauth2(),
  },
  AUTH_SYSTEM_TYPE: {
    why: "setSystemAuthentication is for an account that all users share. With this authentication type, each user must log in. Choose another type, or use setUserAuthentication.",
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
    why: "The user chooses an endpoint in this set-up step, but no function returns the choices. Add getOptions to the step.",
    bad: step(""),
    good: step(", getOptions: async () => []"),
  },
  AUTH_NAME_DUPLICATE: {
    why: "A user would enter two values with the same name, and the second would replace the first. Give each credential a different name.",
    bad: custom(
      '[\n  { name: "key", description: "Key" },\n  { name: "key", description: "Secret" },\n]',
    ),
    good: custom(
      '[\n  { name: "key", description: "Key" },\n  { name: "secret", description: "Secret" },\n]',
    ),
  },
  AUTH_ENTRIES_MISSING: {
    why: "Users enter credentials to connect an account, but params is empty. Add at least one entry to params.",
    bad: custom("[]"),
    good: custom('[{ name: "key", description: "Key" }]'),
  },
  AUTH_HEADER_NAME: {
    why: "A header name can contain only letters, digits and characters such as - and _ (RFC 9110 §5.6.2). Remove spaces and line breaks from the name.",
    bad: header('"X Api Key"'),
    good: header('"X-Api-Key"'),
  },
  AUTH_PARAM_NAME: {
    why: "The name identifies the query parameter that contains the token, or a value in your request templates. Write a name without spaces, such as key.",
    bad: query('""'),
    good: query('"key"'),
  },
  AUTH_INSTRUCTIONS_URL: {
    why: "Users open the instructions page while they set up an account. Write a complete https URL.",
    bad: oauth2({ instructionsUrl: '"help.tasks.example"' }),
    good: oauth2({ instructionsUrl: '"https://help.tasks.example/connect"' }),
  },
  AUTH_AUTHORIZATION_URL_MISSING: {
    why: "The user's browser opens authorizationUrl for the login. Copy the URL from the provider's documentation, or set issuer.",
    bad: oauth2({ authorizationUrl: "" }),
    good: oauth2(),
  },
  AUTH_AUTHORIZATION_URL_INVALID: {
    why: "Write a complete https URL. A relative URL is only allowed if each account has its own endpoint (requiresEndpointUrl without endpointKey).",
    bad: oauth2({ authorizationUrl: '"/authorize"' }),
    good: oauth2({
      requiresEndpointUrl: "true",
      authorizationUrl: '"/authorize"',
      tokenUrl: '"/token"',
    }),
  },
  AUTH_AUTHORIZATION_URL_INSECURE: {
    why: "The user logs in at the authorization URL (RFC 6749 §3.1). Without TLS, others on the network can read the user's credentials. Use https.",
    bad: oauth2({ authorizationUrl: '"http://login.tasks.example/authorize"' }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_MISSING: {
    why: "packsmith requests tokens from tokenUrl. Copy the URL from the provider's documentation, or set issuer.",
    bad: oauth2({ tokenUrl: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_URL_INVALID: {
    why: "Write a complete https URL. A relative URL is only allowed if each account has its own endpoint (requiresEndpointUrl).",
    bad: clientCredentials({ tokenUrl: '"/token"' }),
    good: clientCredentials({ tokenUrl: '"/token"', requiresEndpointUrl: "true" }),
  },
  AUTH_TOKEN_URL_INSECURE: {
    why: "The token URL receives the client secret and returns the tokens (RFC 6749 §3.2). Without TLS, others on the network can read the secret and the tokens. Use https.",
    bad: clientCredentials({ tokenUrl: '"http://login.tasks.example/token"' }),
    good: clientCredentials(),
  },
  AUTH_URL_LOOPBACK: {
    why: "Users cannot reach a server on your machine. Use the public URL in the Pack. To test with a local server, use --route or --local.",
    bad: clientCredentials({ tokenUrl: '"http://127.0.0.1:4000/token"' }),
    good: clientCredentials(),
  },
  AUTH_MEMBER_REPEATED: {
    why: "packsmith reads the issuer's metadata whenever it connects an account. Without this option, the Pack uses the server's current value, even after an endpoint moves. packsmith validate compares the option with the metadata that auth connect or auth discover last read on this machine.",
    bad: oauth2({ issuer: '"https://login.tasks.example"' }),
    good: authentication({
      type: "AuthenticationType.OAuth2",
      issuer: '"https://login.tasks.example"',
    }),
  },
  AUTH_RESOURCE_INVALID: {
    why: "The resource is the API for which the provider issues the tokens (RFC 8707 §2). Write the complete URL of the API.",
    bad: oauth2({ resource: '"api.tasks.example"' }),
    good: oauth2({ resource: '"https://api.tasks.example"' }),
  },
  AUTH_SCOPE_DELIMITER: {
    why: "Spaces separate scopes (RFC 6749 §3.3). A few providers expect commas or semicolons instead. Use a space, a comma or a semicolon as the delimiter.",
    bad: oauth2({ scopeDelimiter: '"|"' }),
    good: oauth2({ scopeDelimiter: '","' }),
  },
  AUTH_SCOPE_INVALID: {
    why: "packsmith sends a scope that contains the delimiter as two scopes, and does not send an empty scope. Write each scope as a separate string.",
    bad: oauth2({ scopes: '["tasks.read tasks.write"]' }),
    good: oauth2({ scopes: '["tasks.read", "tasks.write"]' }),
  },
  AUTH_PKCE_METHOD: {
    why: "RFC 7636 defines the methods S256 and plain. Use S256. The method plain is weaker. Use plain only if the provider does not support S256.",
    bad: oauth2({ pkceChallengeMethod: '"SHA256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_METHOD_UNUSED: {
    why: "pkceChallengeMethod has no effect, because useProofKeyForCodeExchange is false. Set useProofKeyForCodeExchange to true, or remove pkceChallengeMethod.",
    bad: oauth2({ useProofKeyForCodeExchange: "false", pkceChallengeMethod: '"S256"' }),
    good: oauth2({ pkceChallengeMethod: '"S256"' }),
  },
  AUTH_PKCE_MISSING: {
    why: "With PKCE, an attacker who steals the authorization code cannot exchange it for tokens (RFC 9700 §2.1.1). Set useProofKeyForCodeExchange to true. If the provider rejects PKCE, set the option to false.",
    bad: oauth2({ useProofKeyForCodeExchange: "" }),
    good: oauth2(),
  },
  AUTH_TOKEN_PLACE: {
    why: "tokenPrefix is for the Authorization header, but tokenQueryParam puts the token into the URL. Remove one of the two options. Prefer the header, because logs contain URLs.",
    bad: oauth2({ tokenPrefix: '"token"', tokenQueryParam: '"access_token"' }),
    good: oauth2({ tokenPrefix: '"token"' }),
  },
  AUTH_PARAM_RESERVED: {
    why: "packsmith sets parameters such as state to a new value for each login. With a fixed state, another website could connect a stranger's account. Remove the parameter.",
    bad: oauth2({ additionalParams: '{ state: "fixed" }' }),
    good: oauth2({ additionalParams: '{ prompt: "consent" }' }),
  },
  AUTH_CREDENTIALS_LOCATION: {
    why: "Token requests carry the client credentials in the body or in the Authorization header. Use a TokenExchangeCredentialsLocation constant. With Automatic, packsmith tries the body first.",
    bad: clientCredentials({ credentialsLocation: '"Header"' }),
    good: clientCredentials({
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
  },
  AUTH_CLIENT_AUTHENTICATION: {
    why: 'Write "private_key_jwt" for a private key, or "tls_client_auth" for a TLS certificate. For a client secret, leave out clientAuthentication.',
    bad: clientCredentials({ clientAuthentication: '"jwt"' }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_CLIENT_AUTHENTICATION_CONFLICT: {
    why: "A client may use only one authentication method per request (RFC 6749 §2.3). Remove one of the two options.",
    bad: clientCredentials({
      clientAuthentication: '"private_key_jwt"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
    good: clientCredentials({ clientAuthentication: '"private_key_jwt"' }),
  },
  AUTH_SIGNING_ALGORITHM: {
    why: "signingAlgorithm is the signature algorithm of private_key_jwt. Without signingAlgorithm, packsmith uses the algorithm of the key. Remove signingAlgorithm, or use an algorithm that the key supports.",
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
    why: "endpointUrl is for one endpoint that all accounts share. requiresEndpointUrl is for a different endpoint per account. Remove one of the two options.",
    bad: oauth2({
      endpointUrl: '"https://api.tasks.example"',
      requiresEndpointUrl: "true",
      endpointKey: '"url"',
    }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_REFRESH_URL_INVALID: {
    why: "packsmith sends refresh requests to refreshUrl. Write a complete https URL. A relative URL is only allowed if each account has its own endpoint (requiresEndpointUrl).",
    bad: oauth2({ refreshUrl: '"/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_REFRESH_URL_INSECURE: {
    why: "The refresh URL receives the refresh token and the client secret. Without TLS, others on the network can read the token and the secret. Use https.",
    bad: oauth2({ refreshUrl: '"http://login.tasks.example/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_ENDPOINT_URL_INVALID: {
    why: "packsmith appends the relative URLs of requests to the endpoint. Write a complete https URL.",
    bad: oauth2({ endpointUrl: '"api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_ENDPOINT_URL_INSECURE: {
    why: "The endpoint receives requests with the account's credentials. Without TLS, others on the network can read the credentials. Use https.",
    bad: oauth2({ endpointUrl: '"http://api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_DPOP_TOKEN_PLACE: {
    why: "With DPoP, the Authorization header must contain the token (RFC 9449 §7.1). Remove tokenHeaderName, tokenQueryParam and tokenPrefix, or remove dpop.",
    bad: oauth2({ dpop: "true", tokenHeaderName: '"X-Access-Token"' }),
    good: oauth2({ dpop: "true" }),
  },
  AUTH_RENEWAL_SIGNAL_INVALID: {
    why: "When a response matches a refresh rule, packsmith refreshes the token and sends the request again. With a rule that matches every response, packsmith would send each request twice. Write a rule that matches only responses to an expired token.",
    bad: oauth2({ refreshOn: "[{ status: 200 }]" }),
    good: oauth2({
      refreshOn: '[{ status: 200, bodyPath: "error.code", equals: "token_expired" }]',
    }),
  },
  AUTH_ISSUER_INVALID: {
    why: "packsmith uses the issuer to find the server's metadata. The metadata must contain exactly the same issuer (RFC 8414 §2). Copy the issuer from the metadata. An issuer is an https URL without a query or a fragment.",
    bad: oauth2({ issuer: '"https://login.tasks.example?tenant=1"' }),
    good: oauth2({ issuer: '"https://login.tasks.example"' }),
  },
  AUTH_REQUEST_FORMAT: {
    why: "The URL of the token request would contain the client secret, and servers write URLs to their logs. Send the secret in a header or in the body.",
    bad: clientCredentials({ tokenRequestFormat: '"query"' }),
    good: clientCredentials({
      tokenRequestFormat: '"query"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
  },
  AUTH_GRANT_TYPE_INVALID: {
    why: "The grant types authorization_code and refresh_token require an authorization code or a refresh token. Client credentials have neither. Remove the grant type, or use AuthenticationType.OAuth2.",
    bad: clientCredentials({ grantType: '"authorization_code"' }),
    good: clientCredentials({ grantType: '"account_credentials"' }),
  },
  AUTH_GRANT_TYPE_PASSWORD: {
    why: "A password gives access to the user's entire account. A token expires, and can be limited to a part of the account (RFC 9700 §2.4). If the provider supports another grant type, use that one.",
    bad: clientCredentials({ grantType: '"password"' }),
    good: clientCredentials(),
  },
  AUTH_SECRET_LITERAL: {
    why: "Anyone who has the Pack can read its code. Replace the secret with a connection variable that has secret: true. The user then enters the secret, and packsmith encrypts it.",
    bad: password("letmein"),
    good: password("{secret}"),
  },
  AUTH_VARIABLE_INVALID: {
    why: "Users enter the value of a variable when they connect an account. Start the name with a lowercase letter, and use only letters and digits. The kind determines where you can use the value.",
    bad: oauth2({ connectionVariables: `[${TENANT.replace('"tenant"', '"Tenant"')}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_DUPLICATE: {
    why: "A placeholder with this name could refer to either variable. Rename or remove one of the variables.",
    bad: inParam(`[${TENANT}, ${TENANT}]`, "{tenant}"),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_UNUSED: {
    why: "Users would enter a value that has no effect. Use the variable in a URL or a parameter, or remove it.",
    bad: oauth2({ connectionVariables: `[${TENANT}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_CALLBACK_PARAM_INVALID: {
    why: "An attacker can forge the parameters of a redirect, because the redirect passes through the user's browser. List the domains that a host can belong to. OAuth protocol parameters, such as code and state, are not allowed.",
    bad: oauth2({ callbackParams: '[{ name: "api", kind: "host" }]' }),
    good: oauth2({ callbackParams: '[{ name: "api", kind: "host", domains: ["tasks.example"] }]' }),
  },
  AUTH_PLACEHOLDER_UNKNOWN: {
    why: "No variable has the same name as this placeholder, so packsmith cannot replace it with a value. Declare the variable in connectionVariables, or correct the name.",
    bad: tenantUrl('"https://login.tasks.example/{tenat}/token"'),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
  AUTH_PLACEHOLDER_UNDECLARED: {
    why: "packsmith sends the text in braces unchanged, because some providers expect braces. If you mean a connection variable, declare the variable or correct its name.",
    bad: oauth2({ tokenParams: '{ tenant: "{tenat}" }' }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_PLACEHOLDER_PLACE: {
    why: "The kind of a variable determines where you can use it in a URL. Otherwise, a value could send the client secret to another host. Move the placeholder, or change the kind.",
    bad: tenantUrl('"https://login.tasks.example/{note}/token"', NOTE),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
