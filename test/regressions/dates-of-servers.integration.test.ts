import fc from "fast-check";
import { expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { requestDeviceToken } from "../../src/oauth/connect/device-authorization.ts";
import { readingOfGrant } from "../../src/oauth/step.ts";
import { parseRetryAfter } from "../../src/oauth/token-failure.ts";
import { readTokenResponse, toTokenSet } from "../../src/oauth/token-response.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { baseTokens, startTokenServer } from "../support/token-server.ts";

const definition = {
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/a",
  tokenUrl: "https://login.tasks.example/t",
} as const;
const NOW = 1_780_000_000_000;

it("every expiry that a server can send becomes a date or unknown", () => {
  const expiry = fc.oneof(
    fc.double(),
    fc.maxSafeInteger(),
    fc.double().map(String),
    fc
      .date({ noInvalidDate: false })
      .map((date) => (Number.isNaN(date.getTime()) ? "2026-99-99" : date.toISOString())),
    fc.constantFrom<unknown>(
      1e20,
      "1e20",
      1e300,
      Number.MAX_VALUE,
      -1e20,
      "+275760-09-13",
      "9999999-01-01",
      null,
      [],
      {},
      true,
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom("expires_in", "expires_at"), expiry, (name, value) => {
      const text = JSON.stringify({ access_token: "at", token_type: "Bearer", [name]: value });
      const read = readTokenResponse(
        { status: 200, contentType: "application/json", text, receivedAtMs: NOW },
        readingOfGrant(definition),
      );
      if (read.kind !== "tokens") throw new Error(read.kind);
      const { expiresAtMs, lifetimeMs } = toTokenSet(read.tokens, " ", "body");
      expect(expiresAtMs === undefined).toBe(lifetimeMs === undefined);
      if (expiresAtMs !== undefined)
        expect(Date.parse(new Date(expiresAtMs).toISOString())).toBeGreaterThanOrEqual(NOW);
    }),
    { numRuns: 2_000 },
  );
});

it("every Retry-After becomes seconds or unknown", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        fc.double().map(String),
      ),
      (header) => {
        const seconds = parseRetryAfter(header, NOW);
        expect(seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0)).toBe(true);
      },
    ),
  );
});

it("auth list shows all accounts when one was stored with a date that no calendar has", async () => {
  using folder = makeTemporaryFolder();
  await using vault = await openVault({ directory: folder.path });
  await vault.save(makeAccount({ tokenSet: makeTokenSet({ expiresAtMs: 1e20 }) }));
  await vault.save(makeAccount({ key: { ...accountKey, name: "other" } }));
  for (const flags of [["--json"], []]) {
    const run = await runCli(["auth", "list", ...flags], {
      cwd: folder.path,
      env: { PACKSMITH_HOME: folder.path },
    });
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining("INTERNAL")]);
    expect(run.stdout).toContain("other");
  }
});

it("a device code that lives longer than any timer can run is used", async () => {
  await using server = await startTokenServer(({ url }) =>
    url === "/device"
      ? {
          body: {
            device_code: "planted-device",
            user_code: "AB-CD",
            verification_uri: "https://login.tasks.example/d",
            expires_in: 1e20,
            interval: 0.001,
          },
        }
      : { body: baseTokens },
  );
  const seen: number[] = [];
  const tokenSet = await requestDeviceToken({
    definition,
    client: { clientId: "client-1", clientSecret: undefined },
    networkDomains: [],
    routes: { "https://login.tasks.example": server.url },
    tokenUrl: "https://login.tasks.example/t",
    deviceAuthorizationUrl: "https://login.tasks.example/device",
    instruct: ({ expiresInSeconds }) => void seen.push(expiresInSeconds),
  });
  expect([tokenSet.accessToken, seen]).toEqual(["at", [86_400]]);
});
