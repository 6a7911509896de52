import {
  clientCredentials,
  type Definition,
  oauth2,
  pack,
  withSystem,
  withUser,
} from "../definitions.ts";
import type { Row } from "./row.ts";

const user = "defaultAuthentication";
const relative = { requiresEndpointUrl: true, authorizationUrl: "/authorize", tokenUrl: "/token" };
const step = (members: Definition) =>
  oauth2({ postSetup: [{ type: "SetEndPoint", name: "site", description: "Site?", ...members }] });
const headers = (...names: string[]) => ({
  type: "MultiHeaderToken",
  headers: names.map((name) => ({ name, description: "Key" })),
});
const params = (type: string, ...names: string[]) => ({
  type,
  params: names.map((name) => ({ name, description: "Key" })),
});
const admin = "adminAuthentications[0]";
const withAdmin = (members: Definition) =>
  pack({
    adminAuthentications: [
      {
        name: "audit",
        displayName: "Audit",
        description: "For audits.",
        authentication: { type: "HeaderBearerToken" },
        ...members,
      },
    ],
  });

export const authenticationRows: Row[] = [
  [
    "1",
    withUser(oauth2({ networkDomain: "tasks.example" })),
    withUser(oauth2({ networkDomain: "" })),
    `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`,
  ],
  [
    "2",
    withUser(oauth2({ networkDomain: ["tasks.example"] })),
    withUser(oauth2({ networkDomain: "tasks .example" })),
    `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`,
    `AUTH_NETWORK_DOMAIN_UNDECLARED ${user}.networkDomain`,
  ],
  [
    "3",
    withUser(oauth2()),
    withUser(oauth2({ networkDomain: [] })),
    `AUTH_NETWORK_DOMAIN_EMPTY ${user}.networkDomain`,
  ],
  [
    "4",
    withUser(step({ getOptions: () => [] })),
    withUser(step({})),
    `AUTH_POST_SETUP_OPTIONS ${user}.postSetup[0]`,
  ],
  [
    "5",
    withUser(headers("X-A", "X-B")),
    withUser(headers("X-A", "x-a")),
    `AUTH_NAME_DUPLICATE ${user}.headers[1].name`,
  ],
  [
    "6",
    withUser(params("MultiQueryParamToken", "a", "A")),
    withUser(params("MultiQueryParamToken", "a", "a")),
    `AUTH_NAME_DUPLICATE ${user}.params[1].name`,
  ],
  [
    "7",
    withUser(params("Custom", "a", "b")),
    withUser(params("Custom", "a", "a")),
    `AUTH_NAME_DUPLICATE ${user}.params[1].name`,
  ],
  [
    "8",
    withUser(oauth2()),
    withUser(oauth2({ authorizationUrl: "https://" })),
    `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`,
  ],
  [
    "9",
    withUser(oauth2()),
    withUser(oauth2({ tokenUrl: "https://a b/" })),
    `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`,
  ],
  [
    "10",
    withUser(oauth2({ scopeDelimiter: ";" })),
    withUser(oauth2({ scopeDelimiter: "|" })),
    `AUTH_SCOPE_DELIMITER ${user}.scopeDelimiter`,
  ],
  [
    "11",
    withUser(oauth2({ pkceChallengeMethod: "plain" })),
    withUser(oauth2({ pkceChallengeMethod: "SHA256" })),
    `AUTH_PKCE_METHOD ${user}.pkceChallengeMethod`,
  ],
  [
    "12",
    withUser(oauth2({ resource: "https://api.tasks.example/" })),
    withUser(oauth2({ resource: "https://" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "13",
    withUser(oauth2({ credentialsLocation: "Body" })),
    withUser(oauth2({ credentialsLocation: "Header" })),
    `AUTH_CREDENTIALS_LOCATION ${user}.credentialsLocation`,
  ],
  [
    "14",
    withUser(
      oauth2({
        useDynamicClientRegistration: true,
        authorizationUrl: undefined,
        tokenUrl: undefined,
      }),
    ),
    withUser(oauth2({ authorizationUrl: undefined })),
    `AUTH_AUTHORIZATION_URL_MISSING ${user}.authorizationUrl`,
  ],
  [
    "15",
    withUser(oauth2()),
    withUser(oauth2({ tokenUrl: undefined })),
    `AUTH_TOKEN_URL_MISSING ${user}.tokenUrl`,
  ],
  [
    "16 relative where an endpoint is asked for",
    withUser(oauth2(relative)),
    withUser(oauth2({ ...relative, authorizationUrl: "https://login.tasks.example/authorize" })),
    `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`,
  ],
  [
    "16 https elsewhere",
    withUser(oauth2({ requiresEndpointUrl: true, endpointKey: "url" })),
    withUser(oauth2({ authorizationUrl: "http://login.tasks.example/authorize" })),
    `AUTH_AUTHORIZATION_URL_INSECURE ${user}.authorizationUrl`,
  ],
  [
    "16 one slash",
    withUser(oauth2(relative)),
    withUser(oauth2({ ...relative, authorizationUrl: "//evil.example/" })),
    `AUTH_AUTHORIZATION_URL_INVALID ${user}.authorizationUrl`,
  ],
  [
    "17",
    withUser(oauth2(relative)),
    withUser(oauth2({ ...relative, tokenUrl: "/\\evil" })),
    `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`,
  ],
  [
    "17 no way out of the endpoint's path",
    withUser(oauth2({ ...relative, tokenUrl: "/a..b/.well?x=/../" })),
    withUser(oauth2({ ...relative, tokenUrl: "/a/%2E%2e/token" })),
    `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`,
  ],
  [
    "18",
    withUser(oauth2({ ...relative, resource: "/api" })),
    withUser(oauth2({ resource: "/api" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "19",
    withUser(clientCredentials({ requiresEndpointUrl: true, tokenUrl: "/token" })),
    withUser(clientCredentials({ tokenUrl: "/token" })),
    `AUTH_TOKEN_URL_INVALID ${user}.tokenUrl`,
  ],
  [
    "20",
    withUser(clientCredentials({ resource: "https://api.tasks.example" })),
    withUser(clientCredentials({ requiresEndpointUrl: true, resource: "/api" })),
    `AUTH_RESOURCE_INVALID ${user}.resource`,
  ],
  [
    "23",
    withUser({ type: "HeaderBearerToken" }),
    withUser({ type: "HeaderBearerToken", tokenUrl: "x" }),
    `AUTH_KEY_UNKNOWN ${user}.tokenUrl`,
  ],
  [
    "23 in nested objects",
    withUser({ type: "WebBasic", uxConfig: { usernameOnly: true } }),
    withUser({ type: "WebBasic", uxConfig: { userNameOnly: true } }),
    `AUTH_KEY_UNKNOWN ${user}.uxConfig.userNameOnly`,
  ],
  [
    "23 types",
    withUser({ type: "None" }),
    withUser({ type: "Oauth2" }),
    `AUTH_TYPE_UNKNOWN ${user}.type`,
  ],
  [
    "24",
    withSystem(clientCredentials()),
    withSystem(oauth2()),
    "AUTH_SYSTEM_TYPE systemConnectionAuthentication.type",
  ],
  [
    "A1",
    withUser(clientCredentials()),
    withUser(clientCredentials({ tokenUrl: "http://a.example/" })),
    `AUTH_TOKEN_URL_INSECURE ${user}.tokenUrl`,
  ],
  [
    "A1 on loopback is a warning",
    withUser(clientCredentials()),
    withUser(clientCredentials({ tokenUrl: "http://[::1]:4711/token" })),
    `AUTH_URL_LOOPBACK ${user}.tokenUrl`,
  ],
  [
    "A3",
    withUser(oauth2({ scopes: ["a b"], scopeDelimiter: "," })),
    withUser(oauth2({ scopes: ["a", "", "b c"] })),
    `AUTH_SCOPE_INVALID ${user}.scopes[1]`,
    `AUTH_SCOPE_INVALID ${user}.scopes[2]`,
  ],
  [
    "A4",
    withUser(oauth2({ pkceChallengeMethod: "S256" })),
    withUser(oauth2({ pkceChallengeMethod: "S256", useProofKeyForCodeExchange: false })),
    `AUTH_PKCE_METHOD_UNUSED ${user}.pkceChallengeMethod`,
  ],
  [
    "A5",
    withUser(oauth2({ tokenPrefix: "" })),
    withUser(oauth2({ tokenPrefix: "token", tokenQueryParam: "t" })),
    `AUTH_TOKEN_PLACE ${user}.tokenPrefix`,
  ],
  [
    "A6",
    withUser(
      oauth2({
        additionalParams: { prompt: "consent", response_type: "code", max_age: 1, x: true },
      }),
    ),
    withUser(oauth2({ additionalParams: { state: "x", redirect_uri: "x" } })),
    `AUTH_PARAM_RESERVED ${user}.additionalParams.state`,
    `AUTH_PARAM_RESERVED ${user}.additionalParams.redirect_uri`,
  ],
  [
    "A7 headers",
    withUser({ type: "CustomHeaderToken", headerName: "X-Api-Key" }),
    withUser({ type: "CustomHeaderToken", headerName: "X-Key\r\nX-Evil" }),
    `AUTH_HEADER_NAME ${user}.headerName`,
  ],
  [
    "A7 params",
    withUser({ type: "QueryParamToken", paramName: "key" }),
    withUser({ type: "QueryParamToken", paramName: "" }),
    `AUTH_PARAM_NAME ${user}.paramName`,
  ],
  [
    "A8",
    withUser(params("Custom", "a")),
    withUser(params("Custom")),
    `AUTH_ENTRIES_MISSING ${user}.params`,
  ],
  [
    "A9",
    withUser(oauth2({ instructionsUrl: "https://help.tasks.example" })),
    withUser(oauth2({ instructionsUrl: "help.tasks.example" })),
    `AUTH_INSTRUCTIONS_URL ${user}.instructionsUrl`,
  ],
  [
    "A definition says whether it uses PKCE",
    withUser(oauth2({ useProofKeyForCodeExchange: false })),
    withUser(oauth2({ useProofKeyForCodeExchange: undefined })),
    `AUTH_PKCE_MISSING ${user}`,
  ],
  [
    "21",
    withUser({ type: "GoogleDomainWideDelegation", scopes: ["read"] }),
    withUser({ type: "GoogleDomainWideDelegation", scopes: [] }),
    `AUTH_SCOPES_MISSING ${user}.scopes`,
  ],
  [
    "22",
    withSystem({ type: "GoogleServiceAccount", scopes: ["read"] }),
    withSystem({ type: "GoogleServiceAccount", scopes: [] }),
    "AUTH_SCOPES_MISSING systemConnectionAuthentication.scopes",
  ],
  [
    "25",
    withAdmin({}),
    withAdmin({ authentication: { type: "None" } }),
    `AUTH_ADMIN_TYPE ${admin}.authentication.type`,
  ],
  [
    "25 Various",
    withAdmin({ authentication: clientCredentials() }),
    withAdmin({ authentication: { type: "Various" } }),
    `AUTH_ADMIN_TYPE ${admin}.authentication.type`,
  ],
  [
    "23 accounts of administrators",
    withAdmin({ authentication: { type: "HeaderBearerToken" } }),
    withAdmin({ authentication: { type: "HeaderBearerToken", tokenUrl: "x" } }),
    `AUTH_KEY_UNKNOWN ${admin}.authentication.tokenUrl`,
  ],
  [
    "26 Various is set up elsewhere",
    withUser({ type: "Various" }, { networkDomains: [] }),
    withUser(
      { type: "Various", headerName: "X-Key" },
      { networkDomains: ["tasks.example", "files.example"] },
    ),
    `AUTH_KEY_UNKNOWN ${user}.headerName`,
  ],
  [
    "27",
    withAdmin({ name: "n".repeat(50) }),
    withAdmin({ name: "" }),
    `AUTH_ADMIN_NAME ${admin}.name`,
  ],
  [
    "28",
    withAdmin({ name: "audit_1" }),
    withAdmin({ name: "audit account" }),
    `AUTH_ADMIN_NAME ${admin}.name`,
  ],
  [
    "29",
    withAdmin({ name: "system" }),
    withAdmin({ name: "systemAuthentication" }),
    `AUTH_ADMIN_NAME ${admin}.name`,
  ],
  [
    "30",
    withAdmin({ displayName: "d".repeat(50) }),
    withAdmin({ displayName: "d".repeat(51) }),
    `AUTH_ADMIN_TEXT ${admin}.displayName`,
  ],
  [
    "31",
    withAdmin({ description: "d".repeat(1000) }),
    withAdmin({ description: "" }),
    `AUTH_ADMIN_TEXT ${admin}.description`,
  ],
  [
    "A12 accounts of administrators",
    withAdmin({}),
    withAdmin({ title: "Audit" }),
    `KEY_UNKNOWN ${admin}.title`,
  ],
];
