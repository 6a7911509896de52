import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { DOCUMENTED_VALUE } from "../../src/connect/find-needs.ts";
import { createSimulatedClient } from "../../src/connect/simulation/simulated-client.ts";
import { simulateDefinition } from "../../src/connect/simulation/simulated-definition.ts";
import {
  routesToProvider,
  startSimulatedProvider,
} from "../../src/connect/simulation/simulated-provider.ts";
import { testAuthentication } from "../../src/connect/simulation/test-authentication.ts";
import { isPackError } from "../../src/errors.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { findProfile, PROVIDER_PROFILES } from "../../src/provider/profiles/catalogue.ts";
import { inParallel } from "../../src/shared/concurrency.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { makeProject } from "../support/project.ts";

const CODE = {
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/oauth/authorize",
  tokenUrl: "https://login.tasks.example/oauth/token",
  scopes: ["read", "write"],
} as const satisfies OAuthDefinition;
const CREDENTIALS = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.tasks.example/oauth/token",
  scopes: ["read", "write"],
} as const satisfies OAuthDefinition;

/** Profiles whose providers say too little for the complete edit, and what is found. */
const PARTIAL: Readonly<Record<string, string | undefined>> = {
  "pkce-plain": "add useProofKeyForCodeExchange: true",
  "own-grant-type": `add grantType: "${DOCUMENTED_VALUE}"`,
  // The provider shows a page instead of sending the browser back.
  "pushed-required": undefined,
  "renamed-parameters": undefined,
  "renamed-token-parameters": undefined,
  "fragment-parameters": undefined,
  "tenant-endpoint": undefined,
};

const PROFILES = PROVIDER_PROFILES.filter(({ needs }) => needs !== undefined).map(
  ({ name }) => name,
);

describe("a failed connection", () => {
  it.each(
    chooseCases(
      [
        ["a code flow", CODE],
        ["client credentials", CREDENTIALS],
      ],
      2,
    ),
  )("has the edit of auth test as its hint: %s", async (_, definition) => {
    using project = makeProject({ "pack.ts": packWith(definition) });
    const { results } = await testAuthentication({
      file: "pack.ts",
      cwd: project.path,
      profiles: chooseCases(PROFILES, 3),
    });
    const failed = results.filter(
      // auth test compares the expiry with the truth, which a connection does not know.
      ({ failure, profile }) => failure?.step === "connect" && profile !== "expiry-milliseconds",
    );
    const expected: Record<string, string | undefined> = {};
    const found: Record<string, string | undefined> = {};
    await inParallel(
      failed,
      async ({ profile, edit }) => {
        expected[profile] = Object.hasOwn(PARTIAL, profile) ? PARTIAL[profile] : documented(edit);
        found[profile] = await connectWith(project.path, definition, profile);
      },
      4,
    );
    expect(found).toEqual(expected);
    expect(Object.keys(found).length).toBeGreaterThan(isLong ? 8 : 2);
  });
});

function packWith(definition: OAuthDefinition): string {
  return `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.setUserAuthentication(${JSON.stringify(definition)});
`;
}

/** Values that only the provider's documentation has are named so. */
function documented(edit: string | undefined): string | undefined {
  return edit
    ?.replace('"https://api.example"', `"${DOCUMENTED_VALUE}"`)
    .replace('"X-Api-Version": "2"', `"X-Api-Version": "${DOCUMENTED_VALUE}"`);
}

/** @returns the edit in the hint of the failure */
async function connectWith(
  cwd: string,
  definition: OAuthDefinition,
  profileName: string,
): Promise<string | undefined> {
  const profile = findProfile(profileName);
  const simulated = simulateDefinition(definition, ["tasks.example"]);
  const client = createSimulatedClient(definition, profile);
  await using provider = await startSimulatedProvider(simulated, profile, {
    ...client.registration,
    redirectUris: ["http://127.0.0.1/oauth/callback"],
    anyPathBelow: true,
    accessTokenTtlSeconds: 3_600,
  });
  const error: unknown = await connectAccount({
    file: "pack.ts",
    cwd,
    home: join(cwd, "home", profileName),
    client: client.credentials,
    routes: Object.entries(routesToProvider(simulated, provider)).map((pair) => pair.join("=")),
    browser: "headless",
    redactor: createRedactor(),
  }).then(
    () => new Error("It connects."),
    (failure: unknown) => failure,
  );
  if (!isPackError(error)) throw error;
  return /^Edit the authentication in the Pack: (.*)\. Then connect again\.$/.exec(
    error.hint ?? "",
  )?.[1];
}
