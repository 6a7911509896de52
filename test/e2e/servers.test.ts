import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCliServer } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

interface ProviderFacts {
  issuer: string;
  controlUrl: string;
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl: string;
  introspectionUrl: string;
  clientId: string;
  clientSecret: string;
}

interface ServiceFacts {
  url: string;
  controlUrl: string;
  token: string;
  docId: string;
  automationRuleId: string;
}

const packFor = (provider: ProviderFacts) => `
import { AuthenticationType, newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: ${JSON.stringify(provider.authorizationUrl)},
  tokenUrl: ${JSON.stringify(provider.tokenUrl)},
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: ${JSON.stringify(`${provider.issuer}/me`)} })).body.name,
});
pack.addFormula({
  name: "WhoAmI", description: "Who is connected.", parameters: [], resultType: ValueType.String,
  execute: async (_args, context) => (await context.fetcher.fetch({ method: "GET", url: ${JSON.stringify(`${provider.issuer}/me`)} })).body.name,
});
`;

describe("servers and accounts on the command line", () => {
  it("connects, lists, executes, refreshes and revokes against packsmith provider, without a browser", async () => {
    await using provider = await startCliServer<ProviderFacts>(["provider", "--port", "0"]);
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), packFor(provider.facts));
    const { clientId, clientSecret } = provider.facts;
    const options = {
      cwd: folder.path,
      env: { PACKSMITH_HOME: join(folder.path, "home"), PACKSMITH_CLIENT_SECRET: clientSecret },
    };
    const outputs: string[] = [];
    const local = ["--route", provider.facts.issuer];
    const run = async (...args: string[]) => {
      const result = await runCli([...args, "--json"], options);
      outputs.push(result.stdout, result.stderr);
      expect({ args, code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
        args,
        code: 0,
        stderr: "",
      });
      return result.json();
    };

    const connected = await run(
      "auth",
      "connect",
      "pack.ts",
      "--client-id",
      clientId,
      "--headless",
      ...local,
    );
    expect(connected).toMatchObject({
      ok: true,
      redirectUri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/[\w-]+$/),
      account: {
        slot: "user",
        name: "default",
        connectionName: "Local user",
        status: "connected",
        scopes: ["profile"],
        renewable: true,
      },
    });
    expect(outputs[1]).toContain("redirect URI to register with the provider: http://127.0.0.1:");
    expect(await run("execute", "pack.ts", "WhoAmI", ...local)).toMatchObject({
      ok: true,
      result: "Local user",
      logs: [],
      requests: [{ method: "GET", status: 200 }],
    });
    expect(await run("auth", "list")).toMatchObject({
      accounts: [{ connectionName: "Local user" }],
    });
    expect(await run("auth", "refresh", "pack.ts")).toMatchObject({ ok: true });
    expect(await run("execute", "pack.ts", "WhoAmI", ...local)).toMatchObject({
      result: "Local user",
    });
    expect(
      await run("auth", "revoke", "pack.ts", "--revocation-url", provider.facts.revocationUrl),
    ).toMatchObject({
      ok: true,
      revoked: true,
    });
    expect(await run("auth", "list")).toMatchObject({ ok: true, accounts: [] });
    expect(outputs.join("\n")).not.toContain(clientSecret);
    const journal = await (await fetch(`${provider.facts.controlUrl}/requests`)).text();
    expect(journal).not.toContain(clientSecret);
  });

  it("reports each way in which a provider fails to answer, with code and exit code, and keeps what was stored", async () => {
    await using provider = await startCliServer<ProviderFacts>(["provider", "--port", "0"]);
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), packFor(provider.facts));
    const { clientId, clientSecret, controlUrl, issuer } = provider.facts;
    const options = {
      cwd: folder.path,
      env: { PACKSMITH_HOME: join(folder.path, "home"), PACKSMITH_CLIENT_SECRET: clientSecret },
    };
    const connect = () =>
      runCli(
        [
          "auth",
          "connect",
          "pack.ts",
          "--client-id",
          clientId,
          "--headless",
          "--json",
          "--route",
          issuer,
        ],
        options,
      );
    expect((await connect()).code).toBe(0);

    const faults = [
      {
        fault: {
          kind: "response",
          status: 400,
          body: { error: "invalid_grant", error_description: "the code is unknown" },
        },
        code: "OAUTH_TOKEN_REJECTED",
        exit: 12,
      },
      { fault: { kind: "html" }, code: "OAUTH_TOKEN_RESPONSE_INVALID", exit: 12 },
      {
        fault: { kind: "response", status: 503, body: { message: "down" } },
        code: "OAUTH_TOKEN_UNAVAILABLE",
        exit: 11,
      },
      { fault: { kind: "drop" }, code: "OAUTH_TOKEN_UNAVAILABLE", exit: 11 },
    ];
    for (const { fault, code, exit } of faults) {
      const planned = await fetch(`${controlUrl}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ faults: [fault] }),
      });
      expect(planned.status).toBeLessThan(300);
      const failed = await connect();
      expect({ fault, exit: failed.code, document: failed.json() }).toMatchObject({
        exit,
        document: {
          ok: false,
          error: { code, message: expect.any(String), hint: expect.any(String) },
        },
      });
      const list = await runCli(["auth", "list", "--json"], options);
      expect(list.json()).toMatchObject({
        accounts: [{ status: "connected", connectionName: "Local user" }],
      });
    }
  });

  it("refuses an endpoint outside the declared domains, and stores nothing", async () => {
    const elsewhere = JSON.stringify({ service_url: "https://collector.example/v1" });
    await using provider = await startCliServer<ProviderFacts>([
      "provider",
      "--token-response",
      elsewhere,
    ]);
    using folder = makeTemporaryFolder();
    await writeFile(
      join(folder.path, "pack.ts"),
      packFor(provider.facts).replace("useProof", 'endpointKey: "service_url",\n  useProof'),
    );
    const { clientId, clientSecret } = provider.facts;
    const options = {
      cwd: folder.path,
      env: { PACKSMITH_HOME: join(folder.path, "home"), PACKSMITH_CLIENT_SECRET: clientSecret },
    };
    const run = await runCli(
      ["auth", "connect", "pack.ts", "--client-id", clientId, "--headless", "--json"],
      options,
    );
    expect({ code: run.code, document: run.json() }).toMatchObject({
      code: 1,
      document: { ok: false, error: { code: "ENDPOINT_OUTSIDE_DOMAIN" } },
    });
    expect((await runCli(["auth", "list", "--json"], options)).json()).toMatchObject({
      ok: true,
      accounts: [],
    });
  });

  it("asks for a client secret on stdin, and never takes it as an argument", async () => {
    await using provider = await startCliServer<ProviderFacts>(["provider"]);
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), packFor(provider.facts));
    const { clientId, clientSecret } = provider.facts;
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: join(folder.path, "home") } };
    const args = ["auth", "connect", "pack.ts", "--client-id", clientId, "--headless", "--json"];
    expect(
      (await runCli([...args, "--client-secret", clientSecret], options)).json(),
    ).toMatchObject({
      ok: false,
      error: { code: "USAGE_INVALID" },
    });
    const run = await runCli([...args, "--client-secret-stdin"], {
      ...options,
      stdin: `${clientSecret}\n`,
    });
    expect(run.json()).toMatchObject({ ok: true, account: { status: "connected" } });
  });

  it("refuses a vault that another key belongs to, and leaves its files alone", async () => {
    using folder = makeTemporaryFolder();
    const home = join(folder.path, "home");
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: home } };
    expect((await runCli(["auth", "list", "--json"], options)).code).toBe(0);
    const key = join(home, "vault.key");
    const own = await readFile(key);
    const foreign = Buffer.from(own);
    const middle = Math.floor(foreign.length / 2);
    foreign.write(String(own.toString("latin1")[middle] === "A" ? "B" : "A"), middle, "latin1");
    await writeFile(key, foreign, { mode: 0o600 });
    const run = await runCli(["auth", "list", "--json"], options);
    expect({ code: run.code, document: run.json() }).toMatchObject({
      code: 12,
      document: { error: { code: "VAULT_KEY_INVALID" } },
    });
    await writeFile(key, own, { mode: 0o600 });
    expect((await runCli(["auth", "list", "--json"], options)).code).toBe(0);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "the service prints one ready line, answers with its token, and ends on %s",
    async (signal) => {
      await using service = await startCliServer<ServiceFacts>(["service", "--port", "0"]);
      const { url, controlUrl, token, docId, automationRuleId } = service.facts;
      expect({ url, controlUrl, docId, automationRuleId }).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/apis\/v1$/),
        controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__emulator\/[\w-]{32}$/),
        docId: expect.stringMatching(/^[\w-]{10}$/),
        automationRuleId: expect.stringMatching(/^grid-auto-/),
      });
      const response = await fetch(`${url}/docs/${docId}/tables`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { items } = (await response.json()) as { items: { name: string; tableType: string }[] };
      expect(items.length).toBeGreaterThanOrEqual(3);
      expect(items.map(({ tableType }) => tableType)).toContain("view");
      expect(await service.stop(signal)).toBe(130);
    },
  );
});
