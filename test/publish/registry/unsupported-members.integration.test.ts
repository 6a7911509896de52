import { describe, expect, it } from "vitest";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../../../src/define/oauth.ts";
import { isPackError } from "../../../src/errors.ts";
import { openPack } from "../../../src/execute/open-pack.ts";
import type * as platform from "../../../src/legacy-types/authentication.ts";
import { assertSupported } from "../../../src/publish/registry/unsupported-members.ts";
import { makeProject } from "../../support/project.ts";

type Added<Ours, Theirs> = Exclude<keyof Ours, Theirs extends unknown ? keyof Theirs : never>;

/** All of them: the compiler reports one that is missing, and one that the platform knows. */
const CODE_MEMBERS = {
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
} satisfies Record<Added<OAuth2Authentication, platform.OAuth2Authentication>, 1>;
const CREDENTIALS_MEMBERS = {
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
  additionalParams: 1,
  grantType: 1,
  authorizationUrl: 1,
  useProofKeyForCodeExchange: 1,
  pkceChallengeMethod: 1,
} satisfies Record<
  Added<OAuth2ClientCredentialsAuthentication, platform.OAuth2ClientCredentialsAuthentication>,
  1
>;

const URLS = {
  OAuth2: 'authorizationUrl: "https://tasks.example/a", ',
  OAuth2ClientCredentials: "",
};

/** A Pack with each member on a line of its own, from line 5. */
const packWith = (
  setter: string,
  type: keyof typeof URLS,
  members: readonly string[],
): string => `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
${setter} { type: "${type}", ${URLS[type]}tokenUrl: "https://tasks.example/t",
${members.map((name) => `  ${name}: "x",`).join("\n")}
}${setter.includes("authentication:") ? "}" : ""} as never);
`;

async function refusedIn(
  source: string,
): Promise<{ members: readonly string[]; place: unknown } | undefined> {
  using project = makeProject({ "pack.ts": source });
  await using pack = await openPack("pack.ts", { cwd: project.path });
  try {
    assertSupported(pack);
    return undefined;
  } catch (error) {
    if (!isPackError(error, "UPLOAD_UNSUPPORTED")) throw error;
    return { members: error.details.members, place: error.place };
  }
}

describe("a Pack with members that only packsmith knows", () => {
  it.each([
    ["the user's account", "OAuth2", "pack.setUserAuthentication(", Object.keys(CODE_MEMBERS)],
    [
      "the user's account",
      "OAuth2ClientCredentials",
      "pack.setUserAuthentication(",
      Object.keys(CREDENTIALS_MEMBERS),
    ],
    [
      "the Pack's account",
      "OAuth2ClientCredentials",
      "pack.setSystemAuthentication(",
      Object.keys(CREDENTIALS_MEMBERS),
    ],
    [
      "an administrator's account",
      "OAuth2",
      'pack.addAdminAuthentication({ name: "Nightly", authentication:',
      Object.keys(CODE_MEMBERS),
    ],
  ] as const)(
    "is refused with the place of each of them: %s, %s",
    async (_whose, type, setter, names) => {
      const refused = await refusedIn(packWith(setter, type, names));
      expect(refused?.members.toSorted()).toEqual(
        names.map((name, at) => `${name} (pack.ts:${5 + at}:3)`).toSorted(),
      );
    },
  );

  it("is not refused without them", async () => {
    expect(await refusedIn(packWith("pack.setUserAuthentication(", "OAuth2", []))).toBe(undefined);
    expect(
      await refusedIn(
        packWith("pack.setUserAuthentication(", "OAuth2", ["scopeParamName", "tokenPrefix"]),
      ),
    ).toBe(undefined);
  });
});
