import { describe, expect, it } from "vitest";
import { type OAuthSession, openAccountSession } from "../../../src/accounts/account-session.ts";
import { openVault, type Vault } from "../../../src/accounts/vault.ts";
import { isPackError } from "../../../src/errors.ts";
import type { OAuthDefinition } from "../../../src/oauth/definition.ts";
import { accountKey, makeAccount, makeTokenSet } from "../../support/accounts.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTokenServer } from "../../support/token-server.ts";

/** The writes of a renewal, in order. Each has three moments. */
const WRITES = ["take the lease", "keep the response", "store the tokens", "free the lease"];
const MOMENTS = ["before", "uncommitted", "after"];
/** Longer than the lease of a killed process lasts. */
const LEASE_OVER_MS = 20_000;

describe("an expired account", () => {
  it("is renewed once when two processes use it at once, and all calls get the same token", async () => {
    await using run = await connect();
    const sessions = [await run.open(), await run.open()];
    const tokens = await Promise.all(
      sessions.flatMap(({ session }) => Array.from({ length: 5 }, () => session.getAccessToken())),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(run.countTokenRequests()).toBe(1);
  });

  it("survives a kill at every moment of every write, except while only the provider knows the new tokens", async () => {
    const outcomes: string[] = [];
    for (const [write, name] of WRITES.entries())
      for (const [moment, when] of MOMENTS.entries()) {
        await using run = await connect();
        outcomes.push(`${when} ${name}: ${await killAt(run, write * 3 + moment)}`);
      }
    expect(outcomes).toEqual([
      "before take the lease: recovered, 1 token request",
      "uncommitted take the lease: recovered, 1 token request",
      "after take the lease: recovered, 1 token request",
      // The provider has rotated the tokens and its answer died with the process: it sees the old
      // refresh token again.
      "before keep the response: reconnect",
      "uncommitted keep the response: reconnect",
      "after keep the response: recovered, 0 token requests",
      "before store the tokens: recovered, 0 token requests",
      "uncommitted store the tokens: recovered, 0 token requests",
      "after store the tokens: recovered, 0 token requests",
      "before free the lease: recovered, 0 token requests",
      "uncommitted free the lease: recovered, 0 token requests",
      "after free the lease: recovered, 0 token requests",
    ]);
  });
});

interface Run extends AsyncDisposable {
  /** Opens the account as another process would. */
  open(onWrite?: () => void): Promise<{ vault: Vault; session: OAuthSession }>;
  /** Lets the lease of a killed process expire. */
  endLease(): void;
  countTokenRequests(): number;
}

/** An account with an expired token, at a provider that accepts each refresh token once. */
async function connect(): Promise<Run> {
  const folder = makeTemporaryFolder();
  const vaults: Vault[] = [];
  let nowMs = 1_800_000_000_000;
  const now = () => nowMs;
  let valid = "refresh-0";
  const server = await startTokenServer(({ params }) => {
    if (params.get("refresh_token") !== valid)
      return { status: 400, body: { error: "invalid_grant" } };
    valid = `refresh-${server.requests.length}`;
    const access = `access-${server.requests.length}`;
    const body = { access_token: access, token_type: "Bearer", expires_in: 3_600 };
    return { body: { ...body, refresh_token: valid } };
  });
  const definition: OAuthDefinition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/authorize`,
    tokenUrl: `${server.url}/token`,
  };
  const openOwn = async (onWrite?: () => void) => {
    const vault = await openVault({ directory: folder.path, now, onWrite });
    vaults.push(vault);
    return vault;
  };
  const vault = await openOwn();
  const tokenSet = makeTokenSet({ refreshToken: valid });
  await vault.save(makeAccount({ tokenSet, endpoint: undefined }));
  return {
    async open(onWrite) {
      const own = await openOwn(onWrite);
      const session = await openAccountSession({ vault: own, key: accountKey, definition, now });
      return { vault: own, session };
    },
    endLease() {
      nowMs += LEASE_OVER_MS;
    },
    countTokenRequests: () => server.requests.length,
    async [Symbol.asyncDispose]() {
      for (const each of vaults) await each[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Renews an account and fails every write from a moment on, as if the process were killed then. */
async function killAt(run: Run, moment: number): Promise<string> {
  let moments = 0;
  const killed = await run.open(() => {
    if (moments++ >= moment) throw new Error("killed");
  });
  await killed.session.getAccessToken().catch(() => undefined);
  expect(moments).toBeGreaterThan(moment);
  run.endLease();
  const before = run.countTokenRequests();
  const { vault, session } = await run.open();
  try {
    const token = await session.getAccessToken();
    const stored = await vault.get(accountKey);
    expect(stored?.tokenSet?.accessToken).toBe(token);
  } catch (error) {
    if (isPackError(error, "ACCOUNT_RECONNECT")) return "reconnect";
    throw error;
  }
  const count = run.countTokenRequests() - before;
  return `recovered, ${count} token ${count === 1 ? "request" : "requests"}`;
}
