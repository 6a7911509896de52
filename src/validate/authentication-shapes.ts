import * as z from "zod/mini";
import type {
  AdminAuthentication,
  AWSAccessKeyAuthentication,
  AWSAssumeRoleAuthentication,
  CodaApiBearerTokenAuthentication,
  CustomAuthentication,
  CustomHeaderTokenAuthentication,
  GoogleDomainWideDelegationAuthentication,
  GoogleServiceAccountAuthentication,
  HeaderBearerTokenAuthentication,
  MultiHeaderTokenAuthentication,
  MultiQueryParamTokenAuthentication,
  NoAuthentication,
  QueryParamTokenAuthentication,
  VariousAuthentication,
  WebBasicAuthentication,
} from "../define/authentication.ts";
import type { AuthenticationType } from "../define/enumerations.ts";
import type {
  BaseAuthentication,
  BaseOAuthAuthentication,
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
  SetEndpoint,
  TokenExchange,
  TokenRenewal,
  TokenResponseMembers,
} from "../define/oauth.ts";
import {
  anything,
  optionalFlag,
  optionalFunction,
  optionalText,
  optionalTexts,
  type ShapeOf,
  text,
} from "./shape.ts";

const postSetup = z.strictObject({
  type: z.literal("SetEndPoint"),
  name: text,
  description: text,
  getOptions: optionalFunction,
  getOptionsFormula: optionalFunction,
} satisfies ShapeOf<SetEndpoint>);

const base = {
  getConnectionName: optionalFunction,
  getConnectionUserId: optionalFunction,
  instructionsUrl: optionalText,
  requiresEndpointUrl: optionalFlag,
  endpointDomain: optionalText,
  networkDomain: z.optional(
    z.custom<unknown>(
      (value) =>
        value === undefined ||
        typeof value === "string" ||
        (Array.isArray(value) && value.every((item) => typeof item === "string")),
      "text, or a list of texts",
    ),
  ),
  postSetup: z.optional(z.array(postSetup)),
} satisfies ShapeOf<BaseAuthentication>;

const credentials = z.array(z.strictObject({ name: text, description: text }));

/** Parameters of a request, by name. */
const param = z.custom(
  (value) => ["string", "number", "boolean"].includes(typeof value),
  "text, a number, true or false",
);
const params = z.optional(z.record(z.string(), param));

const tokenResponse = z.strictObject({
  accessToken: optionalText,
  refreshToken: optionalText,
  expiresIn: optionalText,
  expiresInUnit: z.optional(z.enum(["seconds", "milliseconds"])),
  refreshKeepsToken: optionalFlag,
} satisfies ShapeOf<TokenResponseMembers>);

const tokenExchange = z.strictObject({
  url: text,
  method: z.optional(z.enum(["POST", "GET"])),
  grantType: optionalText,
  params: z.record(z.string(), param),
  clientId: optionalText,
  clientSecret: optionalText,
} satisfies ShapeOf<TokenExchange>);

const tokenRenewal = z.strictObject({
  url: text,
  method: z.optional(z.enum(["POST", "GET"])),
  grantType: optionalText,
  params: z.record(z.string(), param),
  withClient: optionalFlag,
} satisfies ShapeOf<TokenRenewal>);

const oauth = {
  ...base,
  ...({
    scopes: optionalTexts,
    scopeParamName: optionalText,
    scopeDelimiter: optionalText,
    credentialsLocation: optionalText,
    clientAuthentication: optionalText,
    signingAlgorithm: optionalText,
    assertionAudience: optionalText,
    assertionIssuer: optionalText,
    dpop: optionalFlag,
    nestedResponseKey: optionalText,
    tokenPrefix: optionalText,
    tokenQueryParam: optionalText,
    tokenHeaderName: optionalText,
    refreshOn: z.optional(z.array(z.unknown())),
    resource: optionalText,
    issuer: optionalText,
    // Rules check these and report more than a shape can.
    connectionVariables: z.optional(z.array(z.unknown())),
    endpointUrl: optionalText,
    tokenParams: params,
    parameterNames: z.optional(z.record(z.string(), z.string())),
    tokenParameterNames: z.optional(z.record(z.string(), z.string())),
    tokenHeaders: z.optional(z.record(z.string(), z.string())),
    tokenResponse: z.optional(tokenResponse),
    tokenExchange: z.optional(tokenExchange),
  } satisfies ShapeOf<Omit<BaseOAuthAuthentication, keyof BaseAuthentication>>),
};

/** The shape of each type of authentication. */
export const authenticationShapes: Readonly<Record<AuthenticationType, z.ZodMiniObject>> = {
  None: z.strictObject({ type: text } satisfies ShapeOf<NoAuthentication>),
  HeaderBearerToken: z.strictObject({
    ...base,
    type: text,
  } satisfies ShapeOf<HeaderBearerTokenAuthentication>),
  CodaApiHeaderBearerToken: z.strictObject({
    ...({
      ...base,
      type: text,
      shouldAutoAuthSetup: optionalFlag,
    } satisfies ShapeOf<CodaApiBearerTokenAuthentication>),
    deferConnectionSetup: anything,
  }),
  CustomHeaderToken: z.strictObject({
    ...base,
    type: text,
    headerName: text,
    tokenPrefix: optionalText,
  } satisfies ShapeOf<CustomHeaderTokenAuthentication>),
  MultiHeaderToken: z.strictObject({
    ...base,
    type: text,
    headers: z.array(z.strictObject({ name: text, description: text, tokenPrefix: optionalText })),
  } satisfies ShapeOf<MultiHeaderTokenAuthentication>),
  QueryParamToken: z.strictObject({
    ...base,
    type: text,
    paramName: text,
  } satisfies ShapeOf<QueryParamTokenAuthentication>),
  MultiQueryParamToken: z.strictObject({
    ...base,
    type: text,
    params: credentials,
  } satisfies ShapeOf<MultiQueryParamTokenAuthentication>),
  OAuth2: z.strictObject({
    ...oauth,
    type: text,
    // Rules check these, including their absence, and report more than a shape can.
    authorizationUrl: anything,
    tokenUrl: anything,
    pushedAuthorizationUrl: optionalText,
    clientMetadataUrl: optionalText,
    additionalParams: params,
    endpointKey: optionalText,
    useProofKeyForCodeExchange: optionalFlag,
    pkceChallengeMethod: optionalText,
    useDynamicClientRegistration: optionalFlag,
    tokenRequestFormat: z.optional(z.enum(["form", "json", "query"])),
    callbackParams: z.optional(z.array(z.unknown())),
    codeParamName: optionalText,
    refreshUrl: optionalText,
    refreshParams: params,
    tokenRenewal: z.optional(tokenRenewal),
  } satisfies ShapeOf<OAuth2Authentication>),
  OAuth2ClientCredentials: z.strictObject({
    ...oauth,
    type: text,
    tokenUrl: anything,
    additionalParams: params,
    tokenRequestFormat: z.optional(z.enum(["form", "json", "query"])),
    grantType: optionalText,
  } satisfies ShapeOf<
    Omit<
      OAuth2ClientCredentialsAuthentication,
      "authorizationUrl" | "useProofKeyForCodeExchange" | "pkceChallengeMethod"
    >
  >),
  WebBasic: z.strictObject({
    ...base,
    type: text,
    uxConfig: z.optional(
      z.strictObject({
        placeholderUsername: optionalText,
        placeholderPassword: optionalText,
        usernameOnly: optionalFlag,
      }),
    ),
  } satisfies ShapeOf<WebBasicAuthentication>),
  Custom: z.strictObject({
    ...base,
    type: text,
    params: credentials,
  } satisfies ShapeOf<CustomAuthentication>),
  AWSAccessKey: z.strictObject({
    ...base,
    type: text,
    service: text,
  } satisfies ShapeOf<AWSAccessKeyAuthentication>),
  AWSAssumeRole: z.strictObject({
    ...base,
    type: text,
    service: text,
  } satisfies ShapeOf<AWSAssumeRoleAuthentication>),
  GoogleDomainWideDelegation: z.strictObject({
    ...base,
    type: text,
    scopes: z.array(z.string()),
  } satisfies ShapeOf<GoogleDomainWideDelegationAuthentication>),
  GoogleServiceAccount: z.strictObject({
    ...base,
    type: text,
    scopes: z.array(z.string()),
  } satisfies ShapeOf<GoogleServiceAccountAuthentication>),
  Various: z.strictObject({ type: text } satisfies ShapeOf<VariousAuthentication>),
};

/** The shape of an entry of `adminAuthentications`; the authentication in it has its own. */
export const adminAuthenticationShape = z.strictObject({
  name: text,
  displayName: text,
  description: text,
  authentication: anything,
} satisfies ShapeOf<AdminAuthentication>);
