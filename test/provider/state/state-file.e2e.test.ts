import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { chooseCases } from "../../support/breadth.ts";
import { runCli, startCliServer } from "../../support/cli.ts";
import { makeProject } from "../../support/project.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

interface Facts {
  issuer: string;
  tokenUrl: string;
  registrationUrl: string;
  meUrl: string;
  controlUrl: string;
  clientId: string;
  clientSecret: string;
}

const OPTIONS = {
  grants: ["password" as const],
  users: [{ id: "ada", name: "Ada", password: "planted-password-1" }],
  jwtAccessTokens: {},
};
const LOGIN = { grant_type: "password", username: "ada", password: "planted-password-1" };

async function ask(
  { tokenUrl, clientId, clientSecret }: Facts | LocalProvider,
  form: Record<string, string>,
) {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...form });
  const response = await fetch(tokenUrl, { method: "POST", body });
  return {
    status: response.status,
    ...((await response.json()) as { access_token: string; refresh_token: string; error?: string }),
  };
}

async function readStatus(meUrl: string, token: string): Promise<number> {
  const response = await fetch(meUrl, { headers: { Authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

describe("a provider with a file for its state", () => {
  it("killed and started again, it knows its tokens, clients, secrets and key; the file has no token and only its user reads it", async () => {
    using project = makeProject({ "provider.json": JSON.stringify(OPTIONS) });
    const start = (port: string) =>
      startCliServer<Facts>(
        ["provider", "--options", "provider.json", "--state", "state.json", "--port", port],
        { cwd: project.path },
      );
    const fetchKeys = async ({ issuer }: Facts) => await (await fetch(`${issuer}/jwks`)).json();
    const first = await start("0");
    const tokens = await ask(first.facts, LOGIN);
    const metadata = {
      redirect_uris: ["http://127.0.0.1/oauth/callback"],
      grant_types: ["authorization_code"],
      client_name: "Other",
    };
    const registered = await fetch(first.facts.registrationUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...metadata, token_endpoint_auth_method: "client_secret_post" }),
    });
    const client = (await registered.json()) as { client_id: string; client_secret: string };
    const keys = await fetchKeys(first.facts);
    await first.stop("SIGKILL");
    const file = join(project.path, "state.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(
      [tokens.access_token, tokens.refresh_token].filter((token) => text.includes(token)),
    ).toEqual([]);
    expect(readdirSync(project.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await using second = await start(new URL(first.facts.issuer).port);
    // Only the key of the control endpoints is new.
    expect(second.facts.controlUrl).not.toBe(first.facts.controlUrl);
    expect({ ...second.facts, controlUrl: "" }).toEqual({ ...first.facts, controlUrl: "" });
    expect(await fetchKeys(second.facts)).toEqual(keys);
    expect(await readStatus(second.facts.meUrl, tokens.access_token)).toBe(200);
    expect(
      (
        await ask(second.facts, {
          grant_type: "refresh_token",
          refresh_token: tokens.refresh_token,
        })
      ).status,
    ).toBe(200);
    // The client is known: what is refused is its code.
    const { client_id, client_secret } = client;
    const wrongCode = {
      client_id,
      client_secret,
      grant_type: "authorization_code",
      code: "x",
      redirect_uri: "http://127.0.0.1/oauth/callback",
    };
    expect(await ask(second.facts, wrongCode)).toMatchObject({ error: "invalid_grant" });
  });

  it("still notices that a refresh token is used twice, and then revokes all tokens of the grant", async () => {
    using folder = makeTemporaryFolder();
    const state = join(folder.path, "state.json");
    let old = "";
    {
      await using provider = await startProvider({ ...OPTIONS, state });
      old = (await ask(provider, LOGIN)).refresh_token;
      expect(
        (await ask(provider, { grant_type: "refresh_token", refresh_token: old })).status,
      ).toBe(200);
    }
    await using provider = await startProvider({ ...OPTIONS, state });
    const fresh = await ask(provider, LOGIN);
    expect(await ask(provider, { grant_type: "refresh_token", refresh_token: old })).toMatchObject({
      error: "invalid_grant",
    });
    expect(await readStatus(provider.meUrl, fresh.access_token)).toBe(200);
    const { tokens } = JSON.parse(readFileSync(state, "utf8")) as {
      tokens: { grants: { revoked: boolean }[] };
    };
    expect(tokens.grants.map(({ revoked }) => revoked)).toEqual([true, false]);
  });

  it("keeps the time that tests have moved, and forgets everything on a reset", async () => {
    using folder = makeTemporaryFolder();
    const options = { ...OPTIONS, state: join(folder.path, "state.json"), now: () => 1_000_000 };
    let token = "";
    {
      await using provider = await startProvider(options);
      token = (await ask(provider, LOGIN)).access_token;
      await fetch(`${provider.controlUrl}/clock`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"advanceMs":60000}',
      });
    }
    {
      await using provider = await startProvider(options);
      expect(provider.clock.now()).toBe(1_060_000);
      await fetch(`${provider.controlUrl}/reset`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
    }
    await using provider = await startProvider(options);
    expect([provider.clock.now(), await readStatus(provider.meUrl, token)]).toEqual([
      1_000_000, 401,
    ]);
  });

  it("a token that cannot be kept is not sent", async () => {
    const folder = makeTemporaryFolder();
    await using provider = await startProvider({
      ...OPTIONS,
      state: join(folder.path, "state.json"),
    });
    rmSync(folder.path, { recursive: true });
    await expect(ask(provider, LOGIN)).rejects.toThrow();
    folder[Symbol.dispose]();
  });

  it.each<[string, string, string]>(
    chooseCases(
      [
        ["another file", "notes.json", '{"mine":true}'],
        ["a file that is not JSON", "notes.json", "my notes"],
        ["a folder that does not exist", "missing/state.json", ""],
      ],
      2,
    ),
  )("refuses %s, and changes nothing", async (_name, path, text) => {
    using folder = makeTemporaryFolder();
    if (text !== "") writeFileSync(join(folder.path, path), text);
    const run = await runCli(["provider", "--state", path, "--json"], { cwd: folder.path });
    expect([run.code, run.json()]).toMatchObject([
      2,
      { error: { code: "USAGE_INVALID", message: expect.stringContaining(path) } },
    ]);
    if (text !== "") expect(readFileSync(join(folder.path, path), "utf8")).toBe(text);
  });

  it.runIf(process.platform !== "win32").each<[string, (path: string) => void]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    [
      "a file that no memory holds",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 5_000_000_000);
      },
    ],
  ])("does not read %s", async (_name, put) => {
    using folder = makeTemporaryFolder();
    put(join(folder.path, "state.json"));
    for (const option of ["--state", "--options"]) {
      const run = await runCli(["provider", option, "state.json", "--json"], {
        cwd: folder.path,
      });
      expect([run.code, run.json()]).toMatchObject([2, { error: { code: "USAGE_INVALID" } }]);
    }
  });
});
