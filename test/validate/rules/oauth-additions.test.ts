import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../../src/validate/validate-definition.ts";
import { clientCredentials, type Definition, oauth2, withUser } from "../definitions.ts";

const at = "defaultAuthentication";
const region = {
  name: "region",
  label: "Region",
  kind: "choice",
  default: "eu",
  options: [
    {
      value: "eu",
      label: "Europe",
      parts: { auth: "login.eu.books.example", api: "api.eu.books.example" },
    },
    {
      value: "us",
      label: "United States",
      parts: { auth: "login.books.example", api: "api.books.example" },
    },
  ],
};
const tenant = { name: "tenant", label: "Tenant", kind: "segment" };
const team = { name: "team", label: "Team", kind: "label" };
const pin = { name: "pin", label: "PIN", kind: "text", secret: true };
const note = { name: "note", label: "Note", kind: "text" };

/**
 * An OAuth2 definition with these variables; the first is used in a parameter, so that none is
 * unused.
 */
function asking(variables: Definition[], members: Definition = {}): Definition {
  const tokenParams = Object.fromEntries(variables.map(({ name }) => [`v_${name}`, `{${name}}`]));
  return withUser(oauth2({ connectionVariables: variables, tokenParams, ...members }));
}
const url = (tokenUrl: string, ...variables: Definition[]): Definition =>
  asking(variables, { tokenUrl });
const machine = (members: Definition): Definition => withUser(clientCredentials(members));

/** What breaks, a definition that obeys, one that does not, and what is reported then. */
const rows: [what: string, obeys: Definition, breaks: Definition, ...reported: string[]][] = [
  [
    "a variable in a query",
    url("https://login.books.example/token?note={note}&tenant={tenant}", note, tenant),
    url("https://login.books.example/token?{note}={tenant}x", note, tenant),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "the parameters of an exchange",
    asking([pin], {
      tokenExchange: {
        url: "https://login.books.example/long",
        params: { token: "{token}" },
        clientId: "other",
        clientSecret: "{pin}",
      },
    }),
    asking([pin], {
      tokenExchange: {
        url: "http://login.books.example/long",
        params: { token: "{state}" },
        clientId: "other",
        clientSecret: "hunter2",
      },
    }),
    `AUTH_TOKEN_URL_INSECURE ${at}.tokenExchange.url`,
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenExchange.params.token`,
    `AUTH_SECRET_LITERAL ${at}.tokenExchange.clientSecret`,
  ],
  [
    "the state in a token request",
    asking([], { tokenParams: { state: "{state}" } }),
    asking([], { refreshParams: { state: "{state}" } }),
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.refreshParams.state`,
  ],
  [
    "headers of token requests",
    machine({ tokenHeaders: { "X-Api-Version": "2" } }),
    machine({ tokenHeaders: { Authorization: "x", "a b": "x" } }),
    `AUTH_HEADER_NAME ${at}.tokenHeaders.Authorization`,
    `AUTH_HEADER_NAME ${at}.tokenHeaders["a b"]`,
  ],
  [
    "where a request is pushed, and where its client is described",
    asking([], {
      pushedAuthorizationUrl: "https://login.books.example/par",
      clientMetadataUrl: "https://books.example/client.json",
    }),
    asking([], { pushedAuthorizationUrl: "/par", clientMetadataUrl: "books" }),
    `AUTH_AUTHORIZATION_URL_INVALID ${at}.pushedAuthorizationUrl`,
    `AUTH_AUTHORIZATION_URL_INVALID ${at}.clientMetadataUrl`,
  ],
  [
    "a secret as the user name",
    machine({ clientAuthentication: "secret_as_user" }),
    machine({ clientAuthentication: "secret_as_user", credentialsLocation: "Body" }),
    `AUTH_CLIENT_AUTHENTICATION_CONFLICT ${at}.credentialsLocation`,
  ],
  [
    "the place of a bound token",
    machine({ dpop: true, tokenPrefix: "DPoP" }),
    machine({ dpop: true, tokenQueryParam: "access_token" }),
    `AUTH_DPOP_TOKEN_PLACE ${at}.dpop`,
  ],
  [
    "the status of a signal",
    machine({ refreshOn: [{ status: 403 }] }),
    machine({ refreshOn: [{ status: 99 }, { status: 401 }, { status: 302 }, { status: 403.5 }] }),
    ...[0, 1, 2, 3].map((index) => `AUTH_RENEWAL_SIGNAL_INVALID ${at}.refreshOn[${index}].status`),
  ],
  [
    "a signal in a good answer",
    machine({ refreshOn: [{ status: 200, bodyPath: "error.code", equals: 7 }] }),
    machine({ refreshOn: [{ status: 200 }] }),
    `AUTH_RENEWAL_SIGNAL_INVALID ${at}.refreshOn[0].status`,
  ],
  [
    "the path of a signal",
    machine({ refreshOn: [{ status: 403, bodyPath: "error" }] }),
    machine({
      refreshOn: [
        { status: 403, bodyPath: "error..code" },
        { status: 403, equals: "x" },
      ],
    }),
    `AUTH_RENEWAL_SIGNAL_INVALID ${at}.refreshOn[0].bodyPath`,
    `AUTH_RENEWAL_SIGNAL_INVALID ${at}.refreshOn[1].equals`,
  ],
  [
    "the client authentication",
    machine({ clientAuthentication: "private_key_jwt" }),
    machine({ clientAuthentication: "client_secret_jwt" }),
    `AUTH_CLIENT_AUTHENTICATION ${at}.clientAuthentication`,
  ],
  [
    "one client authentication only",
    machine({ clientAuthentication: "private_key_jwt", signingAlgorithm: "PS256" }),
    machine({ clientAuthentication: "private_key_jwt", credentialsLocation: "Body" }),
    `AUTH_CLIENT_AUTHENTICATION_CONFLICT ${at}.credentialsLocation`,
  ],
  [
    "a key of a client that registers itself",
    withUser(oauth2({ clientAuthentication: "private_key_jwt" })),
    withUser(
      oauth2({ clientAuthentication: "private_key_jwt", useDynamicClientRegistration: true }),
    ),
    `AUTH_CLIENT_AUTHENTICATION_CONFLICT ${at}.clientAuthentication`,
  ],
  [
    "a certificate of a client that registers itself",
    withUser(oauth2({ clientAuthentication: "tls_client_auth" })),
    withUser(
      oauth2({ clientAuthentication: "tls_client_auth", useDynamicClientRegistration: true }),
    ),
    `AUTH_CLIENT_AUTHENTICATION_CONFLICT ${at}.clientAuthentication`,
  ],
  [
    "a certificate, which signs nothing",
    machine({ clientAuthentication: "tls_client_auth" }),
    machine({ clientAuthentication: "tls_client_auth", signingAlgorithm: "ES256" }),
    `AUTH_SIGNING_ALGORITHM ${at}.signingAlgorithm`,
  ],
  [
    "an algorithm that exists",
    machine({ clientAuthentication: "private_key_jwt", signingAlgorithm: "ES256" }),
    machine({ clientAuthentication: "private_key_jwt", signingAlgorithm: "HS256" }),
    `AUTH_SIGNING_ALGORITHM ${at}.signingAlgorithm`,
  ],
  [
    "an algorithm with nothing to sign",
    machine({}),
    machine({ signingAlgorithm: "ES256" }),
    `AUTH_SIGNING_ALGORITHM ${at}.signingAlgorithm`,
  ],
  [
    "the audience of an assertion without one",
    machine({
      clientAuthentication: "private_key_jwt",
      assertionAudience: "https://books.example",
    }),
    machine({ assertionAudience: "https://books.example" }),
    `AUTH_SIGNING_ALGORITHM ${at}.assertionAudience`,
  ],
  [
    "the issuer of an assertion without one",
    machine({ clientAuthentication: "private_key_jwt", assertionIssuer: "app.example" }),
    machine({ assertionIssuer: "app.example" }),
    `AUTH_SIGNING_ALGORITHM ${at}.assertionIssuer`,
  ],
  [
    "the kind of a variable",
    asking([tenant]),
    asking([{ ...tenant, kind: "path" }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].kind`,
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenParams.v_tenant`,
  ],
  [
    "the name of a variable",
    asking([tenant]),
    asking([{ ...tenant, name: "Tenant" }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].name`,
  ],
  [
    "the reserved name",
    asking([tenant]),
    asking([{ ...tenant, name: "callback" }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].name`,
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenParams.v_callback`,
  ],
  [
    "a name given twice",
    asking([tenant, team]),
    asking([tenant, tenant]),
    `AUTH_VARIABLE_DUPLICATE ${at}.connectionVariables[1].name`,
  ],
  [
    "an unknown key",
    asking([tenant]),
    asking([{ ...tenant, hidden: true }]),
    `AUTH_KEY_UNKNOWN ${at}.connectionVariables[0].hidden`,
  ],
  [
    "the flags of a pattern",
    asking([{ ...tenant, pattern: /^\d+$/i }]),
    asking([{ ...tenant, pattern: /^\d+$/g }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].pattern`,
  ],
  [
    "the default of a pattern",
    asking([{ ...tenant, pattern: /\d+/, default: "12" }]),
    asking([{ ...tenant, pattern: /\d+/, default: "a1" }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].default`,
  ],
  [
    "the default of a choice",
    asking([region]),
    asking([{ ...region, default: "ap" }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].default`,
  ],
  [
    "a choice without options",
    asking([region]),
    asking([{ ...region, default: undefined, options: [] }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].options`,
  ],
  [
    "options with the same value",
    asking([region]),
    asking([{ ...region, options: [region.options[0], region.options[0]] }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].options[1].value`,
  ],
  [
    "options with other parts",
    asking([region]),
    asking([{ ...region, options: [region.options[0], { value: "us", label: "US" }] }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].options[1]`,
  ],
  [
    "a variable that nothing uses",
    asking([tenant]),
    asking([tenant], { tokenParams: {} }),
    `AUTH_VARIABLE_UNUSED ${at}.connectionVariables[0]`,
  ],

  [
    "a placeholder of a URL",
    url("https://login.books.example/{tenant}/token", tenant),
    url("https://login.books.example/{tenat}/token", tenant),
    `AUTH_PLACEHOLDER_UNKNOWN ${at}.tokenUrl`,
  ],
  [
    "a malformed placeholder",
    url("https://login.books.example/{tenant}/token", tenant),
    url("https://login.books.example/{tenant id}/token", tenant),
    `AUTH_PLACEHOLDER_UNKNOWN ${at}.tokenUrl`,
  ],
  [
    "a part that no option has",
    url("https://{region.auth}/token", region),
    url("https://{region.login}/token", region),
    `AUTH_PLACEHOLDER_UNKNOWN ${at}.tokenUrl`,
  ],
  [
    "an option that is no host",
    url("https://{region.auth}/token", region),
    url("https://{region}/token", region),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a top-level domain as option",
    url("https://login.books.{region}/token", {
      ...region,
      options: [
        { value: "eu", label: "EU" },
        { value: "com.au", label: "AU" },
      ],
    }),
    url("https://login.books.{region}/token", {
      ...region,
      options: [
        { value: "eu", label: "EU" },
        { value: "a b", label: "AU" },
      ],
    }),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a segment inside a segment",
    url("https://login.books.example/{tenant}/token", tenant),
    url("https://login.books.example/t-{tenant}/token", tenant),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a segment as host",
    url("https://login.books.example/{tenant}", tenant),
    url("https://{tenant}/token", tenant),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "text in a URL",
    url("https://login.books.example/{tenant}", tenant),
    url("https://login.books.example/{note}", note),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a secret in a URL",
    url("https://login.books.example/{tenant}", tenant),
    url("https://login.books.example/{pin}", pin),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "an optional variable in a URL",
    url("https://login.books.example/{tenant}", tenant),
    url("https://login.books.example/{tenant}", { ...tenant, optional: true }),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "what follows a label",
    url("https://{team}.books.example/token", team),
    url("https://{team}.com/token", team),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a label before a public suffix of two parts",
    url("https://{team}.books.example/token", team),
    url("https://{team}.co.uk/token", team),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a host that the user names",
    url("https://{site}/token", {
      name: "site",
      label: "Site",
      kind: "host",
      domains: ["books.example"],
    }),
    url("https://{site}/token", { name: "site", label: "Site", kind: "host" }),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a host with a port",
    url("https://{site}/token", {
      name: "site",
      label: "Site",
      kind: "host",
      domains: ["books.example"],
    }),
    url("https://{site}:8443/token", {
      name: "site",
      label: "Site",
      kind: "host",
      domains: ["books.example"],
    }),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenUrl`,
  ],
  [
    "a template that is not https",
    url("https://{region.auth}/token", region),
    url("http://{region.auth}/token", region),
    `AUTH_TOKEN_URL_INSECURE ${at}.tokenUrl`,
  ],

  [
    "a placeholder of a parameter",
    asking([tenant]),
    asking([tenant], { tokenParams: { a: "{tenant}", b: "{tenat}" } }),
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenParams.b`,
  ],
  [
    "JSON in a parameter",
    asking([], { additionalParams: { claims: '{"id":{"a":1}}' } }),
    asking([], { additionalParams: { claims: "{id}" } }),
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.additionalParams.claims`,
  ],
  [
    "a secret in the authorization request",
    asking([pin]),
    asking([pin], { additionalParams: { pin: "{pin}" } }),
    `AUTH_PLACEHOLDER_PLACE ${at}.additionalParams.pin`,
  ],
  [
    "a secret in a scope",
    asking([pin]),
    asking([pin], { scopes: ["{pin}"] }),
    `AUTH_PLACEHOLDER_PLACE ${at}.scopes[0]`,
  ],
  [
    "a callback value before the redirect",
    asking([], { callbackParams: ["realm"], tokenParams: { r: "{callback.realm}" } }),
    asking([], { callbackParams: ["realm"], additionalParams: { r: "{callback.realm}" } }),
    `AUTH_PLACEHOLDER_PLACE ${at}.additionalParams.r`,
  ],
  [
    "a callback value that is not kept",
    asking([], { callbackParams: ["realm"], tokenParams: { r: "{callback.realm}" } }),
    asking([], { tokenParams: { r: "{callback.realm}" } }),
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenParams.r`,
  ],
  [
    "a callback parameter of the protocol",
    asking([], { callbackParams: ["realm"] }),
    asking([], { callbackParams: ["code"] }),
    `AUTH_CALLBACK_PARAM_INVALID ${at}.callbackParams[0]`,
  ],
  [
    "the placeholder name of a callback parameter",
    asking([], { callbackParams: [{ name: "company-id", as: "companyId", kind: "segment" }] }),
    asking([], { callbackParams: [{ name: "company-id", kind: "segment" }] }),
    `AUTH_CALLBACK_PARAM_INVALID ${at}.callbackParams[0].as`,
  ],
  [
    "the domains of a callback host",
    asking([], { callbackParams: [{ name: "dc", kind: "host", domains: ["books.example"] }] }),
    asking([], { callbackParams: [{ name: "dc", kind: "host" }] }),
    `AUTH_CALLBACK_PARAM_INVALID ${at}.callbackParams[0].domains`,
  ],
  [
    "a callback host under any owner's domain",
    asking([], {
      callbackParams: [{ name: "dc", kind: "origin", domains: ["books.example", "localhost"] }],
    }),
    asking([], {
      callbackParams: [{ name: "dc", kind: "origin", domains: ["books.example", "co.uk"] }],
    }),
    `AUTH_CALLBACK_PARAM_INVALID ${at}.callbackParams[0].domains[1]`,
  ],
  [
    "a host variable under any owner's domain",
    asking([{ name: "site", label: "Site", kind: "host", domains: ["books.example"] }]),
    asking([{ name: "site", label: "Site", kind: "host", domains: ["com", "*.books.example"] }]),
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].domains[0]`,
    `AUTH_VARIABLE_INVALID ${at}.connectionVariables[0].domains[1]`,
  ],
  [
    "a callback parameter whose name is a number",
    asking([], { callbackParams: [{ name: "dc", kind: "text" }] }),
    asking([], { callbackParams: [{ name: 5, as: "dc", kind: "text" }] }),
    `MEMBER_TYPE ${at}.callbackParams[0].name`,
  ],
  [
    "a callback parameter without a name",
    asking([], { callbackParams: [{ name: "dc", kind: "text" }] }),
    asking([], { callbackParams: [{ kind: "text" }] }),
    `MEMBER_MISSING ${at}.callbackParams[0].name`,
  ],
  [
    "two callback parameters of one name",
    asking([], { callbackParams: ["a", "b"] }),
    asking([], { callbackParams: ["a", { name: "b", as: "a", kind: "text" }] }),
    `AUTH_CALLBACK_PARAM_INVALID ${at}.callbackParams[1].as`,
  ],

  [
    "a reserved token parameter",
    asking([], { tokenParams: { audience: "a" } }),
    asking([], { tokenParams: { code: "a" } }),
    `AUTH_PARAM_RESERVED ${at}.tokenParams.code`,
  ],
  [
    "scopes in token parameters",
    asking([], { tokenParams: { audience: "a" } }),
    asking([], { tokenParams: { scope: "a" } }),
    `AUTH_PARAM_RESERVED ${at}.tokenParams.scope`,
  ],
  [
    "a reserved refresh parameter",
    asking([], { refreshParams: { scope: "a" } }),
    asking([], { refreshParams: { refresh_token: "a" } }),
    `AUTH_PARAM_RESERVED ${at}.refreshParams.refresh_token`,
  ],
  [
    "a reserved parameter of client credentials",
    machine({ additionalParams: { audience: "a" } }),
    machine({ additionalParams: { grant_type: "a" } }),
    `AUTH_PARAM_RESERVED ${at}.additionalParams.grant_type`,
  ],
  [
    "the grant type",
    machine({ grantType: "account_credentials" }),
    machine({ grantType: "refresh_token" }),
    `AUTH_GRANT_TYPE_INVALID ${at}.grantType`,
  ],
  [
    "the password grant",
    machine({ grantType: "openapi_2lo" }),
    machine({ grantType: "password" }),
    `AUTH_GRANT_TYPE_PASSWORD ${at}.grantType`,
  ],
  [
    "a password in the definition",
    machine({ connectionVariables: [pin], tokenParams: { password: "{pin}" } }),
    machine({ tokenParams: { password: "hunter2" } }),
    `AUTH_SECRET_LITERAL ${at}.tokenParams.password`,
  ],
  [
    "a request in the URL",
    machine({ tokenRequestFormat: "query", credentialsLocation: "AuthorizationHeader" }),
    machine({ tokenRequestFormat: "query" }),
    `AUTH_REQUEST_FORMAT ${at}.tokenRequestFormat`,
  ],
  [
    "a request in the URL with a secret",
    machine({
      tokenRequestFormat: "json",
      connectionVariables: [pin],
      tokenParams: { pin: "{pin}" },
    }),
    machine({
      tokenRequestFormat: "query",
      credentialsLocation: "AuthorizationHeader",
      connectionVariables: [pin],
      tokenParams: { pin: "{pin}" },
    }),
    `AUTH_PLACEHOLDER_PLACE ${at}.tokenParams.pin`,
  ],
  [
    "the format of the code flow",
    asking([], { tokenRequestFormat: "json" }),
    asking([], { tokenRequestFormat: "xml" }),
    `VALUE_UNKNOWN ${at}.tokenRequestFormat`,
  ],
  [
    "a client secret in the URL that the author did not ask for",
    asking([], { tokenRequestFormat: "query", credentialsLocation: "Body" }),
    asking([], { tokenRequestFormat: "query" }),
    `AUTH_REQUEST_FORMAT ${at}.tokenRequestFormat`,
  ],
  [
    "the URL of a renewal",
    withUser(
      oauth2({ tokenRenewal: { url: "https://a.example/renew", params: { t: "{token}" } } }),
    ),
    withUser(oauth2({ tokenRenewal: { url: "http://a.example/renew", params: { t: "{token}" } } })),
    `AUTH_TOKEN_URL_INSECURE ${at}.tokenRenewal.url`,
  ],
  [
    "the placeholders in the URL of a renewal",
    withUser(oauth2({ tokenRenewal: { url: "https://a.example/renew", params: {} } })),
    withUser(oauth2({ tokenRenewal: { url: "https://a.example/{shop}", params: {} } })),
    `AUTH_PLACEHOLDER_UNKNOWN ${at}.tokenRenewal.url`,
  ],
  [
    "the placeholders of a renewal",
    withUser(
      oauth2({ tokenRenewal: { url: "https://a.example/renew", params: { t: "{token}" } } }),
    ),
    withUser(oauth2({ tokenRenewal: { url: "https://a.example/renew", params: { t: "{tokn}" } } })),
    `AUTH_PLACEHOLDER_UNDECLARED ${at}.tokenRenewal.params.t`,
  ],
  [
    "the members of a renewal",
    withUser(oauth2({ tokenRenewal: { url: "https://a.example/renew", params: {} } })),
    withUser(oauth2({ tokenRenewal: { url: "https://a.example/renew", params: {}, at: 1 } })),
    `AUTH_KEY_UNKNOWN ${at}.tokenRenewal.at`,
  ],
  [
    "two endpoints",
    asking([], { endpointUrl: "https://api.books.example/v2" }),
    asking([], {
      endpointUrl: "https://api.books.example/v2",
      requiresEndpointUrl: true,
      authorizationUrl: "/a",
      tokenUrl: "/t",
    }),
    `AUTH_ENDPOINT_CONFLICT ${at}.endpointUrl`,
  ],
  [
    "an insecure endpoint",
    asking([], { endpointUrl: "https://api.books.example" }),
    asking([], { endpointUrl: "http://api.books.example" }),
    `AUTH_ENDPOINT_URL_INSECURE ${at}.endpointUrl`,
  ],
  [
    "a relative endpoint",
    asking([], { endpointUrl: "https://api.books.example" }),
    asking([], { endpointUrl: "/v2" }),
    `AUTH_ENDPOINT_URL_INVALID ${at}.endpointUrl`,
  ],
  [
    "the refresh URL",
    asking([], { refreshUrl: "https://login.books.example/refresh?refresh" }),
    asking([], { refreshUrl: "ftp://login.books.example" }),
    `AUTH_REFRESH_URL_INSECURE ${at}.refreshUrl`,
  ],
  [
    "a relative refresh URL without an endpoint",
    asking([], { refreshUrl: "https://login.books.example" }),
    asking([], { refreshUrl: "/refresh" }),
    `AUTH_REFRESH_URL_INVALID ${at}.refreshUrl`,
  ],
  [
    "the issuer",
    asking([], { issuer: "https://login.books.example/t1" }),
    asking([], { issuer: "https://login.books.example?t=1" }),
    `AUTH_ISSUER_INVALID ${at}.issuer`,
  ],
  [
    "URLs that are discovered",
    asking([], {
      issuer: "https://login.books.example",
      authorizationUrl: undefined,
      tokenUrl: undefined,
    }),
    asking([], { authorizationUrl: undefined }),
    `AUTH_AUTHORIZATION_URL_MISSING ${at}.authorizationUrl`,
  ],
  [
    "the token's header",
    asking([], { tokenHeaderName: "X-Token" }),
    asking([], { tokenHeaderName: "X Token" }),
    `AUTH_HEADER_NAME ${at}.tokenHeaderName`,
  ],
  [
    "a header of the connection",
    asking([], { tokenHeaderName: "X-Token" }),
    asking([], { tokenHeaderName: "Host" }),
    `AUTH_HEADER_NAME ${at}.tokenHeaderName`,
  ],
  [
    "two places for the token",
    asking([], { tokenHeaderName: "X-Token" }),
    asking([], { tokenHeaderName: "X-Token", tokenQueryParam: "token" }),
    `AUTH_TOKEN_PLACE ${at}.tokenHeaderName`,
  ],
];

const codes = (definition: Definition): string[] =>
  validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

describe("the OAuth additions", () => {
  it.each(rows)("checks %s", (_what, obeys, breaks, ...reported) => {
    expect(codes(obeys)).toEqual([]);
    expect(codes(breaks)).toEqual(reported);
  });

  it("accepts a definition that uses all of them", () => {
    const definition = oauth2({
      connectionVariables: [region],
      authorizationUrl: "https://{region.auth}/oauth/authorize",
      tokenUrl: "https://{region.api}/oauth/token",
      refreshUrl: "https://{region.api}/oauth/refresh",
      tokenRequestFormat: "json",
      callbackParams: [{ name: "company-id", as: "companyId", kind: "segment" }],
      endpointUrl: "https://{region.api}/v2/{callback.companyId}",
      scopes: ["ledger.read"],
    });
    expect(codes(withUser(definition))).toEqual([]);
  });

  it("says what to do, in words", () => {
    const texts = (definition: Definition) =>
      validateDefinition(definition).map(({ message, hint }) => `${message} → ${hint}`);
    expect([
      ...texts(url("https://{team}.com/token", team)),
      ...texts(url("https://login.books.example/t-{tenant}/token", tenant)),
      ...texts(url("https://{region}/token", region)),
      ...texts(asking([], { callbackParams: [{ name: "dc", kind: "host" }] })),
      ...texts(asking([], { tokenParams: { r: "{callback.realm}" } })),
    ]).toMatchInlineSnapshot(`
      [
        "The domain after {team} has many owners, so the value determines who receives the client secret. → Write a registered domain after the placeholder, as in https://{name}.host.example/path.",
        "{tenant} is a segment and is not allowed in this part of tokenUrl. → A segment is a complete segment of the path, between two slashes.",
        "The option "eu" has a value that is not allowed for {region} in this part of the URL. → Correct the option, or add a part with the host to the option.",
        ""dc" determines which host receives the client secret. → Add the domains member with the allowed hosts.",
        "{callback.realm} is not the name of a callback parameter. → Add "realm" to callbackParams.",
      ]
    `);
  });
});
