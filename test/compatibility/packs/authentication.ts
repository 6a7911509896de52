// An older Pack: every authentication, typed by name.
import * as coda from "@codahq/packs-sdk";
import {
  AuthenticationType,
  PostSetupType,
  TokenExchangeCredentialsLocation,
} from "@codahq/packs-sdk/dist/types";

export const pack = coda.newPack({
  networkDomains: ["accounts.example"],
  version: "2.0.0",
});

const step: coda.SetEndpointDef = {
  type: PostSetupType.SetEndpoint,
  name: "site",
  description: "Choose a site.",
  getOptions: async (context) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://accounts.example/sites",
    });
    return response.body.sites.map((site: { id: string; name: string }) => ({
      display: site.name,
      value: `https://${site.id}.accounts.example`,
    }));
  },
};
const steps: coda.PostSetupDef[] = [step];

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "/authorize",
  tokenUrl: "/token",
  scopes: ["read", "offline_access"],
  scopeDelimiter: " ",
  scopeParamName: "scope",
  additionalParams: { prompt: "consent", access_type: "offline" },
  useProofKeyForCodeExchange: true,
  pkceChallengeMethod: "S256",
  tokenPrefix: "Bearer",
  credentialsLocation: TokenExchangeCredentialsLocation.Automatic,
  nestedResponseKey: "data",
  requiresEndpointUrl: true,
  endpointDomain: "accounts.example",
  networkDomain: "accounts.example",
  instructionsUrl: "https://accounts.example/help",
  postSetup: steps,
  defaultConnectionRequirement: coda.ConnectionRequirement.Optional,
  getConnectionName: async (context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: "/me" });
    return response.body.name;
  },
});

const clientCredentials: coda.OAuth2ClientCredentialsAuthentication = {
  type: AuthenticationType.OAuth2ClientCredentials,
  tokenUrl: "https://accounts.example/token",
};
pack.setSystemAuthentication(clientCredentials);

const none: coda.NoAuthentication = { type: AuthenticationType.None };
const bearer: coda.HeaderBearerTokenAuthentication = { type: AuthenticationType.HeaderBearerToken };
const service: coda.CodaApiBearerTokenAuthentication = {
  type: AuthenticationType.CodaApiHeaderBearerToken,
  shouldAutoAuthSetup: true,
};
const header: coda.CustomHeaderTokenAuthentication = {
  type: AuthenticationType.CustomHeaderToken,
  headerName: "X-Key",
  tokenPrefix: "key",
};
const headers: coda.MultiHeaderTokenAuthentication = {
  type: AuthenticationType.MultiHeaderToken,
  headers: [{ name: "X-Key", description: "The key." }],
};
const query: coda.QueryParamTokenAuthentication = {
  type: AuthenticationType.QueryParamToken,
  paramName: "key",
};
const queries: coda.MultiQueryParamTokenAuthentication = {
  type: AuthenticationType.MultiQueryParamToken,
  params: [{ name: "key", description: "The key." }],
};
const basic: coda.WebBasicAuthentication = {
  type: AuthenticationType.WebBasic,
  uxConfig: { placeholderUsername: "Name", usernameOnly: true },
};
const entry: coda.CustomAuthParameter = { name: "secret", description: "The secret." };
const custom: coda.CustomAuthentication = { type: AuthenticationType.Custom, params: [entry] };
const key: coda.AWSAccessKeyAuthentication = {
  type: AuthenticationType.AWSAccessKey,
  service: "s3",
};
const role: coda.AWSAssumeRoleAuthentication = {
  type: AuthenticationType.AWSAssumeRole,
  service: "s3",
};
const delegation: coda.GoogleDomainWideDelegationAuthentication = {
  type: AuthenticationType.GoogleDomainWideDelegation,
  scopes: [],
};
const account: coda.GoogleServiceAccountAuthentication = {
  type: AuthenticationType.GoogleServiceAccount,
  scopes: [],
};
const various: coda.VariousAuthentication = { type: AuthenticationType.Various };

const every: coda.Authentication[] = [
  none,
  bearer,
  service,
  header,
  headers,
  query,
  queries,
  basic,
  custom,
  key,
  role,
];
const static_: coda.OAuth2StaticCodeAuthentication = {
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://accounts.example/authorize",
  tokenUrl: "https://accounts.example/token",
};
const dynamic: coda.OAuth2DynamicCodeAuthentication = {
  type: AuthenticationType.OAuth2,
  useDynamicClientRegistration: true,
};
const code: coda.OAuth2Authentication[] = [static_, dynamic];
const base: coda.BaseAuthentication = { requiresEndpointUrl: true };
const system: coda.SystemAuthentication = bearer;
const systemDef: coda.SystemAuthenticationDef = system;
const userDef: coda.UserAuthenticationDef = {
  ...basic,
  defaultConnectionRequirement: coda.ConnectionRequirement.Required,
};
const definition: coda.AuthenticationDef = bearer;
const supported: coda.VariousSupportedAuthentication = bearer;
const stepDef: coda.PostSetupDef = step;
const endpointDef: coda.SetEndpointDef = step;

pack.addAdminAuthentication({
  name: "admin",
  displayName: "Administrator",
  description: "May do everything.",
  authentication: bearer,
});

const reserved: string[] = Object.values(coda.ReservedAuthenticationNames);
export const all: object[] = [
  every,
  code,
  delegation,
  account,
  various,
  base,
  systemDef,
  userDef,
  definition,
  supported,
  stepDef,
  endpointDef,
  reserved,
];

pack.addFormula({
  name: "Me",
  description: "Who is connected.",
  parameters: [],
  resultType: coda.ValueType.String,
  allowedAuthenticationNames: ["admin"],
  purpose: coda.FormulaPurpose.Search,
  execute: async (_args, context) => {
    if (context.invocationLocation.source === coda.InvocationSource.Doc)
      return context.invocationLocation.protocolAndHost;
    const error = context.previousAttemptError;
    if (error?.type === coda.InvocationErrorType.HttpStatusError) return `${error.statusCode}`;
    return context.endpoint ?? "";
  },
});
