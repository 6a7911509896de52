import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stepUp } from "../../src/cli/step-up.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { runFormula } from "../../src/execute/run-formula.ts";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeProject } from "../support/project.ts";

const CODE_FLOW = `setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token", scopes: ["read"], useProofKeyForCodeExchange: true })`;
const CREDENTIALS = `setSystemAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", scopes: ["read"] })`;

/** A connected account whose API demands more: `/me` needs the scope `docs`. */
async function startSetup(authentication = CODE_FLOW, account = "default") {
  const project = makeProject({
    "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.${authentication};
for (const catches of [true, false]) pack.addFormula({
  name: catches ? "Status" : "Me", description: "Reads the user.", resultType: "string", parameters: [],
  execute: async ([], context) => {
    try {
      return (await context.fetcher.fetch({ method: "GET", url: "https://api.tasks.example/me" })).body.name;
    } catch (error) {
      if (catches) return String(error.statusCode);
      throw error;
    }
  },
});
`,
  });
  const provider = await startProvider({ meScope: "docs" });
  const slot = authentication === CREDENTIALS ? ("system" as const) : ("user" as const);
  const options = {
    ...{ file: "pack.ts", cwd: project.path, home: join(project.path, "home"), redactor: createRedactor(), account },
    routes: ["login", "api"].map((name) => `https://${name}.tasks.example=${provider.origin}`),
  };
  const connect = (more: object = {}) => connectAccount({ ...options, slot, browser: "headless", ...more });
  await connect({ client: { clientId: provider.clientId, clientSecret: provider.clientSecret } });
  return {
    ...{ provider, connect },
    run: (formula = "Me") => runFormula({ ...options, formula, args: { text: [], named: {} } }),
    async [Symbol.asyncDispose]() {
      await provider.close();
      project[Symbol.dispose]();
    },
  };
}

function failureOf(run: Awaited<ReturnType<typeof runFormula>>) {
  return run.ok ? undefined : run.failure.cause;
}

function callsOf(provider: LocalProvider): (number | undefined)[] {
  return provider.requests.filter(({ path }) => path === "/me").map(({ status }) => status);
}

describe("an API that demands more than the account has (step-up)", () => {
  it.each([
    ["the user's account", CODE_FLOW, "default", 'Run packsmith auth connect pack.ts --scopes "docs".'],
    ["a named account", CODE_FLOW, "work", 'Run packsmith auth connect pack.ts --account work --scopes "docs".'],
    ["the Pack's own account", CREDENTIALS, "default", 'Run packsmith auth connect pack.ts --system --scopes "docs".'],
  ])("names the scopes and the command for %s (RFC 6750 §3.1)", async (_name, authentication, account, hint) => {
    await using setup = await startSetup(authentication, account);
    expect(failureOf(await setup.run())).toMatchObject({
      code: "ACCOUNT_SCOPES",
      message: "api.tasks.example needs more scopes for this request: docs.",
      details: { account, missing: ["docs"] },
      hint,
    });
    // The Pack sees the status as before.
    expect(await setup.run("Status")).toMatchObject({ ok: true, result: "403" });
  });

  it("connects again with these scopes and repeats the run, after the user agreed", async () => {
    await using setup = await startSetup();
    const asked: unknown[] = [];
    const offer = {
      confirm: async (missing: object) => asked.push(missing) > 0,
      connect: async ({ scopes }: { scopes: readonly string[] }) => void (await setup.connect({ extraScopes: scopes })),
    };
    expect(await stepUp(await setup.run(), offer, setup.run)).toMatchObject({ ok: true, result: "Local user" });
    expect(asked).toEqual([{ account: "default", slot: "user", scopes: ["docs"] }]);
    expect(callsOf(setup.provider)).toEqual([403, 200]);
  });

  it("repeats nothing after a no, and asks nothing after another failure or without names of scopes", async () => {
    await using setup = await startSetup();
    let questions = 0;
    const offer = { confirm: async () => questions++ < 0, connect: () => Promise.reject(new Error("not agreed")) };
    const refused = await setup.run();
    expect(await stepUp(refused, offer, setup.run)).toBe(refused);
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 500 });
    const broken = await setup.run();
    expect(await stepUp(broken, offer, setup.run)).toBe(broken);
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 403, headers });
    const unnamed = await setup.run();
    expect(failureOf(unnamed)).toMatchObject({ code: "ACCOUNT_SCOPES", message: expect.stringContaining("it does not say which") });
    expect(await stepUp(unnamed, offer, setup.run)).toBe(unnamed);
    expect([questions, callsOf(setup.provider)]).toEqual([1, [403, 500, 403]]);
  });

  it("says which login is demanded, and how to request it (RFC 9470 §3)", async () => {
    await using setup = await startSetup();
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication", acr_values="urn:strong", max_age="60"' };
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 401, headers, times: 2 });
    expect(failureOf(await setup.run())).toMatchObject({
      code: "FETCH_STATUS",
      details: { status: 401 },
      message: 'api.tasks.example demands another login of the user (acr_values: "urn:strong", max_age: "60").',
      hint: 'As RFC 9470 describes: add additionalParams: { acr_values: "urn:strong", max_age: "60" } to the authentication, then run packsmith auth connect pack.ts.',
    });
  });
});
