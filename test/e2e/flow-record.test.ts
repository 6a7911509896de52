import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { FlowRecord } from "../../src/connect/flow-event.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PACK = `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
pack.setUserAuthentication({
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token",
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
});
`;

describe("the record of the last connection", () => {
  it("tells each step of a connection that worked, without a secret", async () => {
    await using setup = await startSetup();
    await setup.connect(setup.provider.clientSecret);
    const { code, stdout } = await setup.cli("auth", "explain", "--json");
    const { flow } = JSON.parse(stdout) as { flow: FlowRecord };
    expect(code).toBe(0);
    expect(flow.events.map(({ step }) => step)).toEqual(["authorize", "callback", "token"]);
    expect(flow.events[0]?.facts).toMatchObject({
      "> response_type": "code",
      "> scope": "profile",
      "> code_challenge_method": "S256",
    });
    expect(flow.events[1]?.facts["< parameters"]).toBe("code, state, iss");
    expect(flow.events[2]?.facts).toMatchObject({
      status: "200",
      "client authentication": "body",
      "> code": "••••",
      "> client_secret": "••••",
    });
    expect(flow.outcome).toEqual({ ok: true });
    const text = await readFile(join(setup.home, "last-connection.json"), "utf8");
    expect(text).not.toContain(setup.provider.clientSecret);
    // Tokens, codes, verifiers and states have 43 characters here.
    expect(text).not.toMatch(/[\w-]{43}/);
    expect(statSync(join(setup.home, "last-connection.json")).mode & 0o777).toBe(0o600);
  });

  it("tells why one failed: the provider's error, the reason, and where the authentication is defined", async () => {
    await using setup = await startSetup();
    await expect(setup.connect("wrong-secret-1")).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
    });
    const { code, stdout, stderr } = await setup.cli("auth", "explain");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain("invalid_client");
    expect(stdout).toContain("failed OAUTH_TOKEN_REJECTED");
    expect(stdout).toContain("pack.ts:3:6  RFC 6749 §5.2");
    expect(stdout).not.toContain("wrong-secret-1");
    const doctor = (await setup.cli("auth", "doctor")).stdout;
    expect(doctor).toMatch(/^The last connection failed before packsmith received a token/);
    expect(doctor).not.toContain("strict client");
  });

  it("is missing on a new machine, and auth doctor praises a provider that keeps the rules", async () => {
    await using setup = await startSetup();
    expect((await setup.cli("auth", "explain")).stderr).toContain("FLOW_RECORD_MISSING");
    await setup.connect(setup.provider.clientSecret);
    expect((await setup.cli("auth", "doctor")).stdout).toContain(
      "A strict client would accept every response",
    );
  });

  it("auth doctor names what a strict client refuses", async () => {
    await using setup = await startSetup({
      kind: "response",
      status: 200,
      body: { access_token: "t1", expires_in: "3600" },
    });
    await setup.connect(setup.provider.clientSecret);
    const { stdout } = await setup.cli("auth", "doctor", "--json");
    expect((JSON.parse(stdout) as { deviations: string[] }).deviations.join("\n")).toMatch(
      /token_type/,
    );
  });
});

async function startSetup(fault?: object) {
  const provider = await startProvider(fault === undefined ? {} : { faults: [fault as never] });
  const folder = makeTemporaryFolder();
  const home = join(folder.path, "home");
  await writeFile(join(folder.path, "pack.ts"), PACK);
  return {
    provider,
    home,
    connect: (clientSecret: string) =>
      connectAccount({
        file: "pack.ts",
        cwd: folder.path,
        home,
        client: { clientId: provider.clientId, clientSecret },
        routes: [`https://login.tasks.example=${provider.issuer}`],
        browser: "headless",
        redactor: createRedactor(),
      }),
    cli: (...args: string[]) => runCli(args, { cwd: folder.path, env: { PACKSMITH_HOME: home } }),
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}
