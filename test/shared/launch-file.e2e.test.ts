import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCallbackServer } from "../../src/connect/callback/callback-server.ts";
import type { TokenSet } from "../../src/oauth/token-set.ts";
import { writeLaunchFile } from "../../src/shared/launch-file.ts";
import { listenOnLoopback } from "../../src/shared/loopback-server.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { oneFormula } from "../support/dev-pack.ts";
import { asOther, canBecomeOther, OTHER_USER } from "../support/second-user/become-other.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** Tries as another user to read the file and its folder, and to open its link. */
async function tryAsOther(path: string, link: string): Promise<unknown> {
  const script = `
    const { readFileSync, readdirSync } = require("node:fs");
    const attempt = (work) => { try { return work(); } catch ({ code }) { return code; } };
    const read = attempt(() => readFileSync(${JSON.stringify(path)}, "utf8"));
    const list = attempt(() => readdirSync(${JSON.stringify(dirname(path))}));
    fetch(${JSON.stringify(link)}, { redirect: "manual" }).then(({ status, headers }) =>
      console.log(JSON.stringify({ uid: process.getuid(), read, list, status, cookie: headers.get("set-cookie") })));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], asOther);
  return JSON.parse(stdout);
}

/** A callback server, and a provider whose only page has a link back. */
async function startLogin() {
  const provider = await listenOnLoopback((request, response) => {
    response.setHeader("content-type", "text/html");
    const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    response.end(`<a href="${searchParams.get("to")}?state=S&amp;code=c1">Approve</a>`);
  }, 0);
  const server = await startCallbackServer<string>({
    packName: "tasks",
    describe: (account) => [["Account", account]],
    begin: async (redirectUri) => ({
      authorizationUrl: `http://localhost:${provider.port}/?to=${encodeURIComponent(redirectUri)}`,
      redirectUri,
      state: "S",
      requestedScopes: [],
      callbackParams: {},
      namedIssuer: false,
      complete: async () => ({ accessToken: "at-canary-1" }) as TokenSet,
    }),
    complete: async () => "First Account",
  });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.close();
      await provider.close();
    },
  };
}

function readLink(path: string): string {
  return /url=(http[^"]+)"/.exec(readFileSync(path, "utf8"))?.[1] ?? "";
}

describe("the file that opens a local server", () => {
  let dev: DevProject;
  beforeAll(async () => {
    dev = await startDevProject({ "pack.ts": oneFormula('return "hello";') });
  });
  afterAll(() => dev?.[Symbol.asyncDispose]());

  it("is removed when its link was used, or when it is disposed of", async () => {
    using home = makeTemporaryFolder();
    using used = await writeLaunchFile(home.path, dev.server);
    using unused = await writeLaunchFile(home.path, dev.server);
    const [first = "", second = ""] = [used?.path, unused?.path];
    expect((await fetch(readLink(first), { redirect: "manual" })).status).toBe(303);
    expect([first, second].map((path) => existsSync(path))).toEqual([false, true]);
    unused?.[Symbol.dispose]();
    expect(existsSync(second)).toBe(false);
  });

  it.runIf(canBecomeOther).each(["packsmith dev", "a login"])(
    "is of no use to another user of the machine, for %s",
    async (kind) => {
      using home = makeTemporaryFolder();
      await using login = await startLogin();
      const server = kind === "a login" ? login.server : dev.server;
      using file = await writeLaunchFile(home.path, server);
      const path = file?.path ?? "";
      const link = readLink(path);
      expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
      using next = await writeLaunchFile(home.path, server);
      expect(await tryAsOther(next?.path ?? "", link)).toEqual({
        uid: OTHER_USER,
        read: "EACCES",
        list: "EACCES",
        status: 403,
        cookie: null,
      });
      expect(existsSync(next?.path ?? "")).toBe(true);
      const late = server.createLink({ lifetimeMs: 0 });
      expect(await tryAsOther(next?.path ?? "", late)).toMatchObject({ status: 403, cookie: null });
    },
  );

  it.runIf(hasChromium)("leads a browser through a login, also a second time", async () => {
    using home = makeTemporaryFolder();
    await using login = await startLogin();
    const { server } = login;
    using file = await writeLaunchFile(home.path, server);
    const path = file?.path ?? "";
    const link = readLink(path);
    await using browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(pathToFileURL(path).href);
    await page.getByText("Approve").waitFor();
    expect(existsSync(path)).toBe(false);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(403);
    await page.goto(link);
    await page.getByText("Approve").click();
    await page.getByText("First Account").waitFor();
    expect(await server.outcome).toEqual({ ok: true, account: "First Account" });
  });

  it.runIf(hasChromium)("leads a browser to the page, which it can load again", async () => {
    using home = makeTemporaryFolder();
    using file = await writeLaunchFile(home.path, dev.server);
    await using browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(pathToFileURL(file?.path ?? "").href);
    await page.getByText("Hello").first().waitFor();
    expect(page.url().startsWith(`${dev.server.origin}/`)).toBe(true);
    expect(page.url()).not.toContain("launch");
    await page.reload();
    await page.getByText("Hello").first().waitFor();
    const other = await browser.newContext();
    const refused = await (await other.newPage()).goto(`${dev.server.origin}/`);
    expect(refused?.status()).toBe(403);
  });
});
