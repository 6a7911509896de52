import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as oidc from "openid-client";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { fromDist } from "./from-dist.ts";

interface ProviderFacts {
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface OAuthFigures {
  /**
   * Connections in a second: authorization request, pages, callback, exchange; `whole` with our own
   * pages and the vault.
   */
  connects: { ours: number; bare: number; whole: number };
  /** An access token that is valid already, in microseconds. */
  cachedTokenUs: number;
  /** Token requests that so many callers of an expired account cause. */
  renewals: { callers: number; requests: number };
}

const CYCLES = 150;
const WARM_UP = 40;

/**
 * Connects accounts to one local provider in a process of its own, beside a loop that uses only
 * openid-client.
 */
export async function measureOAuth(work: string): Promise<OAuthFigures> {
  const { child, facts } = await startProviderProcess();
  try {
    const { openVault } =
      await fromDist<typeof import("../../src/accounts/vault.ts")>("accounts/vault.js");
    await using vault = await openVault({ directory: join(work, "vault") });
    const cycles = {
      ours: () => connectOurs(facts),
      bare: () => connectBare(facts),
      whole: () => connectWhole(facts, vault),
    };
    const times: Record<keyof typeof cycles, number[]> = { ours: [], bare: [], whole: [] };
    // In turns, so that a noisy moment falls on all of them; the first ones warm up.
    for (let round = -WARM_UP; round < CYCLES; round++) {
      for (const name of ["ours", "bare", "whole"] as const) {
        const started = performance.now();
        await cycles[name]();
        if (round >= 0) times[name].push(performance.now() - started);
      }
    }
    const rate = (list: number[]) =>
      1_000 / (list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN);
    const connects = { ours: rate(times.ours), bare: rate(times.bare), whole: rate(times.whole) };
    return { connects, ...(await measureSession(facts, vault)) };
  } finally {
    child.kill("SIGINT");
    await once(child, "close");
  }
}

async function startProviderProcess(): Promise<{ child: ChildProcess; facts: ProviderFacts }> {
  const child = spawn(process.execPath, ["dist/bin/packsmith.cjs", "provider", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return { child, facts: JSON.parse(text) as ProviderFacts };
}

type Vault = import("../../src/accounts/vault.ts").Vault;

const KEY = { pack: "/bench/pack.ts", slot: "user", name: "default" } as const;

const createDefinition = ({ authorizationUrl, tokenUrl }: ProviderFacts): OAuth2Authentication => ({
  type: "OAuth2",
  authorizationUrl,
  tokenUrl,
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
});

/**
 * A whole connection of a person: our own server with its start and result pages, and the vault.
 */
async function connectWhole(facts: ProviderFacts, vault: Vault): Promise<void> {
  const { startCallbackServer } = await fromDist<
    typeof import("../../src/connect/callback/callback-server.ts")
  >("connect/callback/callback-server.js");
  const { walkHeadless } = await fromDist<typeof import("../../src/connect/headless-browser.ts")>(
    "connect/headless-browser.js",
  );
  const { createAuthorizationAttempt } = await fromDist<
    typeof import("../../src/oauth/connect/authorization-attempt.ts")
  >("oauth/connect/authorization-attempt.js");
  const { createStoredAccount } =
    await fromDist<typeof import("../../src/accounts/account.ts")>("accounts/account.js");
  const definition = createDefinition(facts);
  const client = { clientId: facts.clientId, clientSecret: facts.clientSecret };
  await using server = await startCallbackServer({
    packName: "bench",
    begin: (redirectUri) => createAuthorizationAttempt({ definition, client, redirectUri }),
    async complete(tokenSet) {
      const nowMs = Date.now();
      const account = createStoredAccount({
        key: KEY,
        pack: "bench",
        type: definition.type,
        client,
        tokenSet,
        hosts: "any",
        endpoint: undefined,
        connectionName: undefined,
        requestedScopes: ["profile"],
        scopes: tokenSet.scopes,
        status: "connected",
        createdAt: new Date(nowMs).toISOString(),
        updatedAt: new Date(nowMs).toISOString(),
      });
      await vault.save(account);
      return account;
    },
    describe: () => [],
  });
  const walk = walkHeadless(server.startUrl);
  const outcome = await server.outcome;
  if (!outcome.ok) throw outcome.error;
  await walk;
}

/** One trip through the provider's pages, with a server that does nothing but take the callback. */
async function trip(
  begin: (
    redirectUri: string,
  ) => Promise<{ url: string; complete(callback: URL): Promise<unknown> }>,
): Promise<void> {
  const { walkHeadless } = await fromDist<typeof import("../../src/connect/headless-browser.ts")>(
    "connect/headless-browser.js",
  );
  let complete: (callback: URL) => Promise<unknown> = () =>
    Promise.reject(new Error("The callback came before the trip."));
  let redirectUri = "";
  let finish: () => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    [finish, fail] = [resolve, reject];
  });
  const listener = createServer((request, response) => {
    complete(new URL(request.url ?? "/", redirectUri)).then(() => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>Connected</title>");
      finish();
    }, fail);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/oauth/callback`;
  const begun = await begin(redirectUri);
  complete = begun.complete;
  await Promise.all([walkHeadless(begun.url), finished]);
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
}

async function connectOurs(facts: ProviderFacts): Promise<void> {
  const { createAuthorizationAttempt } = await fromDist<
    typeof import("../../src/oauth/connect/authorization-attempt.ts")
  >("oauth/connect/authorization-attempt.js");
  const client = { clientId: facts.clientId, clientSecret: facts.clientSecret };
  await trip(async (redirectUri) => {
    const attempt = await createAuthorizationAttempt({
      definition: createDefinition(facts),
      client,
      redirectUri,
    });
    return {
      url: attempt.authorizationUrl,
      complete: ({ searchParams }) => attempt.complete(searchParams),
    };
  });
}

/** As the library's own documentation writes it. */
async function connectBare({
  issuer,
  authorizationUrl,
  tokenUrl,
  clientId,
  clientSecret,
}: ProviderFacts): Promise<void> {
  await trip(async (redirect_uri) => {
    const server = { issuer, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl };
    const config = new oidc.Configuration(
      server,
      clientId,
      clientSecret,
      oidc.ClientSecretPost(clientSecret),
    );
    oidc.allowInsecureRequests(config);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: "profile",
      state: expectedState,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    return {
      url: url.href,
      complete: (callback) =>
        oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState }),
    };
  });
}

const CALLS = 200_000;
const CALLERS = 1_000;

/** Looks at the account that the last connection stored. */
async function measureSession(
  facts: ProviderFacts,
  vault: Vault,
): Promise<Pick<OAuthFigures, "cachedTokenUs" | "renewals">> {
  const { openAccountSession } = await fromDist<
    typeof import("../../src/accounts/account-session.ts")
  >("accounts/account-session.js");
  let now = Date.now();
  let requests = 0;
  const session = await openAccountSession({
    vault,
    key: KEY,
    definition: createDefinition(facts),
    now: () => now,
    onExchange: () => requests++,
  });
  for (let count = 0; count < CALLS / 10; count++) await session.getAccessToken();
  const started = performance.now();
  for (let count = 0; count < CALLS; count++) await session.getAccessToken();
  const cachedTokenUs = ((performance.now() - started) / CALLS) * 1_000;
  now += 3_600_000;
  requests = 0;
  await Promise.all(Array.from({ length: CALLERS }, () => session.getAccessToken()));
  return { cachedTokenUs, renewals: { callers: CALLERS, requests } };
}
