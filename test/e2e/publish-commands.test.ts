import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../src/provider/provider.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { hello, packSource } from "../publish/registry/registry.ts";
import { runCli } from "../support/cli.ts";
import type { CliRun } from "../support/cli-run.ts";
import { makeProject } from "../support/project.ts";
import { startRecordingProxy } from "../support/recording-proxy.ts";

const main = fileURLToPath(new URL("../../dist/bin/packsmith.cjs", import.meta.url));

async function startPublishing(source = packSource(hello())) {
  const service = await startService({ mutationDelayMs: 0, token: "synthetic-token-0123456789" });
  const project = makeProject({
    "pack.ts": source,
    "package.json": '{ "name": "greetings", "type": "module" }',
  });
  const env = {
    PACKSMITH_HOME: `${project.path}/.home`,
    PACKSMITH_KEY_STORE: "file",
    PACKSMITH_REGISTRY: new URL(service.url).origin,
  };
  const run = (
    args: string[],
    options: { stdin?: string; env?: Record<string, string> } = {},
  ): Promise<CliRun> =>
    runCli(args, { cwd: project.path, ...options, env: { ...env, ...options.env } });
  return {
    service,
    project,
    env,
    run,
    login: () => run(["login", "--token-stdin"], { stdin: service.token }),
    async [Symbol.asyncDispose]() {
      await service.close();
      project[Symbol.dispose]();
    },
  };
}

interface FailedRun {
  error?: { code: string };
  /** Of a command that takes several Packs. */
  failures?: { error: { code: string } }[];
}

const readError = (run: CliRun) => {
  const { error, failures } = run.json<FailedRun>();
  return [run.code, (error ?? failures?.[0]?.error)?.code];
};

describe("publishing from the command line", () => {
  it("without a token, with a wrong one, and without a terminal: a code and the next step, and no token in any file of the project", async () => {
    await using publishing = await startPublishing();
    const { run, project, service } = publishing;
    expect(readError(await run(["whoami", "--json"]))).toEqual([12, "REGISTRY_TOKEN_MISSING"]);
    expect(readError(await run(["login", "--json"]))).toEqual([2, "USAGE_INVALID"]);
    expect(
      readError(
        await run(["login", "--token-stdin", "--json"], { stdin: "wrong-token-0123456789" }),
      ),
    ).toEqual([12, "REGISTRY_TOKEN_REFUSED"]);
    expect(readError(await run(["whoami", "--json"]))).toEqual([12, "REGISTRY_TOKEN_MISSING"]);
    const registered = await run(["register", "--token-stdin"], { stdin: `${service.token}\n` });
    expect(registered).toMatchObject({ code: 0, stdout: "" });
    expect(registered.stderr).toContain("logged in");
    expect((await run(["whoami", "--json"])).json()).toMatchObject({
      loginId: "first.owner@service.example",
      source: "the vault",
    });
    expect(project.read(".home/vault.db")).not.toContain(service.token);
    expect((await run(["logout", "--json"])).json()).toMatchObject({ removed: true });
    expect(readError(await run(["whoami", "--json"]))).toEqual([12, "REGISTRY_TOKEN_MISSING"]);
  });

  it("a Pack without an id, a file that is not there, and a registry that is not one", async () => {
    await using publishing = await startPublishing();
    const { run, login } = publishing;
    publishing.project.write(".coda-pack.json", JSON.stringify({ packId: 7 }));
    const early = (await run(["upload", "--no-types", "--json"])).json<{
      failures: { error: { code: string; hint: string } }[];
    }>();
    expect(early.failures).toMatchObject([
      {
        error: { code: "REGISTRY_TOKEN_MISSING", hint: expect.stringContaining("packsmith login") },
      },
    ]);
    await login();
    const report = (await run(["upload", "--no-types", "--json"])).json<{
      failures: { error: { code: string } }[];
    }>();
    expect(report.failures).toMatchObject([{ error: { code: "PACK_ID_MISSING" } }]);
    expect(readError(await run(["create", "none.ts", "--json"]))).toEqual([
      2,
      "PACK_FILE_UNREADABLE",
    ]);
    expect(
      readError(await run(["versions", "--registry", "http://docs.example", "--json"])),
    ).toEqual([2, "REGISTRY_URL_INVALID"]);
    const gone = ["whoami", "--registry", "http://127.0.0.1:1", "--json"];
    expect(
      readError(await run(gone, { env: { PACKSMITH_REGISTRY_TOKEN: "x-0123456789" } })),
    ).toEqual([11, "REGISTRY_UNREACHABLE"]);
  });

  it("killed between register and complete: the next run completes the upload, and there is one version", async () => {
    await using publishing = await startPublishing();
    const { run, login, service, env, project } = publishing;
    await login();
    await run(["create"]);
    const fault = { faults: [{ operation: "completePackVersion", delayMs: 60_000, count: 1 }] };
    await fetch(`${service.controlUrl}/faults`, { method: "POST", body: JSON.stringify(fault) });
    const child = spawn(process.execPath, [main, "upload", "--no-types"], {
      cwd: project.path,
      env: { PATH: process.env["PATH"], HOME: project.path, CI: "1", ...env },
      stdio: "ignore",
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    const faultsLeft = async () =>
      ((await (await fetch(`${service.controlUrl}/faults`)).json()) as { faults: unknown[] }).faults
        .length;
    // The fault is taken when the last request has arrived.
    while ((await faultsLeft()) > 0) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    await closed;
    expect((await run(["versions", "--json"])).json()).toMatchObject({
      results: [{ versions: [] }],
    });
    expect((await run(["upload", "--no-types", "--json"])).json()).toMatchObject({
      results: [{ version: "1", state: "uploaded" }],
    });
    expect((await run(["versions", "--json"])).json()).toMatchObject({
      results: [{ versions: [{ packVersion: "1" }] }],
    });
    expect((await run(["upload", "--no-types", "--json"])).json()).toMatchObject({
      results: [{ version: "1", state: "known" }],
    });
  }, 120_000);

  it("oauth-config push sends the client of the vault, and prints the redirect URI of the platform, never the secret", async () => {
    const auth = `pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://tasks.example/token" });`;
    await using publishing = await startPublishing(packSource(`${hello()}\n${auth}`));
    await using provider = await startProvider();
    await using proxy = await startRecordingProxy(publishing.env.PACKSMITH_REGISTRY);
    const { login, project, service } = publishing;
    const run: typeof publishing.run = (args, options) =>
      publishing.run(args, {
        ...options,
        env: { PACKSMITH_REGISTRY: proxy.origin, PACKSMITH_REGISTRY_TOKEN: service.token },
      });
    await login();
    await run(["create"]);
    expect(readError(await run(["oauth-config", "push", "--json"]))).toEqual([
      12,
      "ACCOUNT_MISSING",
    ]);
    const { clientId, clientSecret = "" } = provider;
    const connect = [
      "auth",
      "connect",
      "pack.ts",
      "--route",
      `https://tasks.example=${provider.issuer}`,
      "--json",
    ];
    const client = { PACKSMITH_CLIENT_ID: clientId, PACKSMITH_CLIENT_SECRET: clientSecret };
    expect((await publishing.run(connect, { env: client })).json()).toMatchObject({ ok: true });

    // The service names its own address, not that of the proxy.
    const redirectUri = `${publishing.env.PACKSMITH_REGISTRY}/packsAuth/oauth2/1001`;
    const pushed = await run(["oauth-config", "push"]);
    expect(pushed).toMatchObject({ code: 0, stdout: `${redirectUri}\n` });
    expect(pushed.stderr).toContain("register this redirect URI with the provider:");
    const [sent] = proxy.requests.filter(({ path }) => path.endsWith("/oauthConfig"));
    expect([sent?.method, JSON.parse(sent?.body ?? "")]).toEqual([
      "PUT",
      { clientId, clientSecret },
    ]);
    const asData = await run(["oauth-config", "push", "--json"]);
    expect(asData.json()).toMatchObject({ ok: true, packId: 1001, redirectUri });
    for (const { stdout, stderr } of [pushed, asData])
      expect(stdout + stderr).not.toContain(clientSecret);
    expect(project.read(".coda-pack.json")).not.toContain(clientSecret);
    expect(clientSecret.length).toBeGreaterThan(8);
  });
});
