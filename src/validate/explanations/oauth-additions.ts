import type { IssueCode } from "../codes.ts";
import { clientCredentials, oauth2 } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

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

/** Of connection variables, callback parameters and other requests of tokens than the usual ones. */
export const oauthAdditionExplanations = {
  AUTH_ENDPOINT_CONFLICT: {
    why: "One of them says that all accounts have the same endpoint, the other that each has its own.",
    bad: oauth2({ endpointUrl: '"https://api.tasks.example"', requiresEndpointUrl: "true", endpointKey: '"url"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_REFRESH_URL_INVALID: {
    why: "Tokens are renewed there. A relative URL is joined with the account's endpoint, so it needs requiresEndpointUrl.",
    bad: oauth2({ refreshUrl: '"/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_REFRESH_URL_INSECURE: {
    why: "The refresh token and the client secret travel through this URL. Without TLS anybody on the way has them.",
    bad: oauth2({ refreshUrl: '"http://login.tasks.example/refresh"' }),
    good: oauth2({ refreshUrl: '"https://login.tasks.example/refresh"' }),
  },
  AUTH_ENDPOINT_URL_INVALID: {
    why: "Relative URLs of requests are joined with the endpoint, so it has to be absolute.",
    bad: oauth2({ endpointUrl: '"api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_ENDPOINT_URL_INSECURE: {
    why: "Every request with the account's credentials goes there. Without TLS anybody on the way has them.",
    bad: oauth2({ endpointUrl: '"http://api.tasks.example"' }),
    good: oauth2({ endpointUrl: '"https://api.tasks.example"' }),
  },
  AUTH_DPOP_TOKEN_PLACE: {
    why: "RFC 9449 §7.1 knows one place for a bound token. An API that reads it elsewhere cannot check the proof.",
    bad: oauth2({ dpop: "true", tokenHeaderName: '"X-Access-Token"' }),
    good: oauth2({ dpop: "true" }),
  },
  AUTH_RENEWAL_SIGNAL_INVALID: {
    why: "After such an answer the token is renewed and the request sent again. A signal that every answer gives would double all requests.",
    bad: oauth2({ refreshOn: "[{ status: 200 }]" }),
    good: oauth2({ refreshOn: '[{ status: 200, bodyPath: "error.code", equals: "token_expired" }]' }),
  },
  AUTH_ISSUER_INVALID: {
    why: "The server's metadata is looked up under the issuer and must name it in the same way (RFC 8414 §2).",
    bad: oauth2({ issuer: '"https://login.tasks.example?tenant=1"' }),
    good: oauth2({ issuer: '"https://login.tasks.example"' }),
  },
  AUTH_REQUEST_FORMAT: {
    why: "URLs end up in the logs of every server on the way. The client secret belongs into a header or a body.",
    bad: clientCredentials({ tokenRequestFormat: '"query"' }),
    good: clientCredentials({
      tokenRequestFormat: '"query"',
      credentialsLocation: "TokenExchangeCredentialsLocation.AuthorizationHeader",
    }),
  },
  AUTH_GRANT_TYPE_INVALID: {
    why: "authorization_code needs a code and refresh_token a refresh token; this flow has neither to send.",
    bad: clientCredentials({ grantType: '"authorization_code"' }),
    good: clientCredentials({ grantType: '"account_credentials"' }),
  },
  AUTH_GRANT_TYPE_PASSWORD: {
    why: "The Pack would see a password that opens the whole account, where a token opens a part of it for a while (RFC 9700 §2.4).",
    bad: clientCredentials({ grantType: '"password"' }),
    good: clientCredentials(),
  },
  AUTH_SECRET_LITERAL: {
    why: "A Pack's source and bundle are read by many. What is secret is asked for when an account is connected, and kept in the vault.",
    bad: password("letmein"),
    good: password("{secret}"),
  },
  AUTH_VARIABLE_INVALID: {
    why: "Users answer the variable while they connect an account, and templates name it: a small letter, then letters and digits.",
    bad: oauth2({ connectionVariables: `[${TENANT.replace('"tenant"', '"Tenant"')}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_DUPLICATE: {
    why: "A placeholder could mean either of them.",
    bad: inParam(`[${TENANT}, ${TENANT}]`, "{tenant}"),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_VARIABLE_UNUSED: {
    why: "Users would be asked for something that changes nothing.",
    bad: oauth2({ connectionVariables: `[${TENANT}]` }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_CALLBACK_PARAM_INVALID: {
    why: "The redirect comes through the user's browser, so what it says of hosts is only taken from a list, and the protocol's own parameters never.",
    bad: oauth2({ callbackParams: '[{ name: "api", kind: "host" }]' }),
    good: oauth2({ callbackParams: '[{ name: "api", kind: "host", domains: ["tasks.example"] }]' }),
  },
  AUTH_PLACEHOLDER_UNKNOWN: {
    why: "Nothing would fill the placeholder, and a URL with a brace in it leads nowhere.",
    bad: tenantUrl('"https://login.tasks.example/{tenat}/token"'),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
  AUTH_PLACEHOLDER_UNDECLARED: {
    why: "Some providers expect braces in a parameter, so the text is sent as it is; most often a name is misspelled.",
    bad: oauth2({ tokenParams: '{ tenant: "{tenat}" }' }),
    good: inParam(`[${TENANT}]`, "{tenant}"),
  },
  AUTH_PLACEHOLDER_PLACE: {
    why: "In a URL, the kind of a variable decides where it may stand, so that no answer of a user can lead the client secret to another host.",
    bad: tenantUrl('"https://login.tasks.example/{note}/token"', NOTE),
    good: tenantUrl('"https://login.tasks.example/{tenant}/token"', TENANT),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
