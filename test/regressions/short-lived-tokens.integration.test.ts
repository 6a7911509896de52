import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { expiryLeewayMs, isExpired } from "../../src/oauth/token-set.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { isLong } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

const script = fileURLToPath(new URL("../accounts/fixtures/use-account.js", import.meta.url));

async function runChild(input: object): Promise<string> {
  const child = spawn(process.execPath, [script, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise((resolve) => child.on("close", resolve));
  const output = await text(child.stdout);
  await closed;
  return output;
}

/** An account whose token has expired, and a server whose tokens live 60 seconds. */
async function setUp() {
  const folder = makeTemporaryFolder();
  await using vault = await openVault({ directory: folder.path });
  await vault.save(makeAccount());
  let count = 0;
  const server = await startTokenServer(() => ({
    body: {
      access_token: `renewed-${++count}`,
      token_type: "Bearer",
      expires_in: 60,
      refresh_token: `rotated-${count}`,
    },
  }));
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  } as const;
  return {
    server,
    definition,
    directory: folder.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("a token that lives 60 seconds", () => {
  it("is renewed 6 seconds before its end: the leeway is a tenth of the lifetime, and 60 seconds at most", () => {
    const tokenSet = makeTokenSet({ expiresAtMs: 60_000, lifetimeMs: 60_000 });
    expect([0, 53_999, 54_000].map((nowMs) => isExpired(tokenSet, nowMs))).toEqual([
      false,
      false,
      true,
    ]);
    expect(
      [undefined, 3_600_000, 600_000, 1_000].map((lifetimeMs) =>
        expiryLeewayMs(makeTokenSet({ lifetimeMs })),
      ),
    ).toEqual([60_000, 60_000, 60_000, 100]);
  });

  it.runIf(isLong)("serves 5 fetches of each of 8 processes with one token request", async () => {
    await using run = await setUp();
    const input = {
      directory: run.directory,
      key: accountKey,
      definition: run.definition,
      calls: 5,
    };
    // Processes that start much later than the first would need a second token.
    const outputs = await Promise.all(Array.from({ length: 8 }, () => runChild(input)));
    expect(new Set(outputs)).toEqual(new Set(['["renewed-1"]\n']));
    expect(run.server.requests).toHaveLength(1);
  });
});

it("a process that was killed while it renewed does not hold up others", async () => {
  await using run = await setUp();
  const definition = run.definition;
  await runChild({ directory: run.directory, key: accountKey, definition, crashAt: "saveTokens" });
  expect(run.server.requests).toHaveLength(1);
  // By this clock the lease of the killed process never ends.
  const startedMs = Date.now() - 60_000;
  await using vault = await openVault({
    directory: run.directory,
    now: () => startedMs,
    lock: { waitMs: 500, pollMs: 25 },
  });
  const session = await openAccountSession({
    vault,
    key: accountKey,
    definition,
    now: () => startedMs,
  });
  expect(await session.getAccessToken()).toBe("renewed-1");
});
