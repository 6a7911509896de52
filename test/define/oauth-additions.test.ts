import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../../src/define/oauth.ts";
import { membersOfPacksmith } from "../../src/define/oauth-additions.ts";
import type * as platform from "../../src/legacy-types/authentication.ts";

/** Each member of the platform's definitions. */
const PLATFORM = {
  OAuth2: {
    authorizationUrl: 1,
    additionalParams: 1,
    endpointKey: 1,
    useProofKeyForCodeExchange: 1,
    pkceChallengeMethod: 1,
    useDynamicClientRegistration: 1,
    ...both(),
  } satisfies Record<keyof platform.OAuth2Authentication, 1>,
  OAuth2ClientCredentials: both() satisfies Record<
    keyof platform.OAuth2ClientCredentialsAuthentication,
    1
  >,
};

function both() {
  const account = {
    getConnectionName: 1,
    getConnectionUserId: 1,
    instructionsUrl: 1,
    requiresEndpointUrl: 1,
    endpointDomain: 1,
  } as const;
  const scopes = { scopes: 1, scopeParamName: 1, scopeDelimiter: 1 } as const;
  const tokens = {
    credentialsLocation: 1,
    nestedResponseKey: 1,
    tokenUrl: 1,
    tokenPrefix: 1,
    tokenQueryParam: 1,
  } as const;
  return {
    type: 1,
    networkDomain: 1,
    postSetup: 1,
    resource: 1,
    ...account,
    ...scopes,
    ...tokens,
  } as const;
}

describe("members that only packsmith knows", () => {
  it.each(["OAuth2", "OAuth2ClientCredentials"] as const)(
    "a definition of %s with every member of the platform has none",
    (type) => {
      expect(membersOfPacksmith({ ...PLATFORM[type], type })).toEqual([]);
    },
  );

  it("are all others of the code flow", () => {
    type Added = Exclude<keyof OAuth2Authentication, keyof platform.OAuth2Authentication>;
    const added = {
      clientAuthentication: 1,
      signingAlgorithm: 1,
      assertionAudience: 1,
      assertionIssuer: 1,
      parameterNames: 1,
      tokenParameterNames: 1,
      tokenResponse: 1,
      tokenExchange: 1,
      tokenHeaders: 1,
      dpop: 1,
      tokenHeaderName: 1,
      refreshOn: 1,
      issuer: 1,
      connectionVariables: 1,
      endpointUrl: 1,
      tokenParams: 1,
      tokenRequestFormat: 1,
      pushedAuthorizationUrl: 1,
      clientMetadataUrl: 1,
      codeParamName: 1,
      callbackParams: 1,
      refreshUrl: 1,
      refreshParams: 1,
      tokenRenewal: 1,
    } satisfies Record<Added, 1>;
    expectTypeOf<keyof typeof added>().toEqualTypeOf<Added>();
    expect(membersOfPacksmith({ ...PLATFORM.OAuth2, ...added, type: "OAuth2" }).toSorted()).toEqual(
      Object.keys(added).toSorted(),
    );
  });

  it("are all others of client credentials", () => {
    type Added = Exclude<
      keyof OAuth2ClientCredentialsAuthentication,
      keyof platform.OAuth2ClientCredentialsAuthentication
    >;
    const added: Record<string, 1> = { additionalParams: 1, grantType: 1, tokenParams: 1, dpop: 1 };
    expectTypeOf<"additionalParams" | "grantType" | "tokenParams" | "dpop">().toExtend<Added>();
    expect(membersOfPacksmith({ ...added, type: "OAuth2ClientCredentials" })).toEqual(
      Object.keys(added),
    );
  });

  it("include a resource that replaces the URLs of the server", () => {
    const resource = "https://api.tasks.example";
    expect(membersOfPacksmith({ type: "OAuth2", resource })).toEqual(["resource"]);
    expect(
      membersOfPacksmith({ type: "OAuth2", resource, useDynamicClientRegistration: true }),
    ).toEqual([]);
  });

  it("are not counted if their value is undefined, nor in another type of authentication", () => {
    expect(
      membersOfPacksmith({
        type: "OAuth2",
        authorizationUrl: "https://a.example",
        dpop: undefined,
      }),
    ).toEqual([]);
    expect(membersOfPacksmith({ type: "Custom", params: [], dpop: true })).toEqual([]);
  });
});
