import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stepUp } from "../../src/cli/step-up.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { StepUp } from "../../src/execute/missing-access.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import type { ProviderOptions } from "../../src/provider/options.ts";
import type { ProviderProfile } from "../../src/provider/profile.ts";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeProject } from "../support/project.ts";

const CODE_FLOW = `setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token", scopes: ["read"], useProofKeyForCodeExchange: true })`;
const CREDENTIALS = `setSystemAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", scopes: ["read"] })`;

/** A connected account whose API demands more: `/me` needs the scope `docs`. */
async function startSetup(
  authentication = CODE_FLOW,
  account = "default",
  more: ProviderOptions = { meScope: "docs" },
) {
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
  const provider = await startProvider(more);
  const slot = authentication === CREDENTIALS ? ("system" as const) : ("user" as const);
  const options = {
    file: "pack.ts",
    cwd: project.path,
    home: join(project.path, "home"),
    redactor: createRedactor(),
    account,
    routes: ["login", "api"].map((name) => `https://${name}.tasks.example=${provider.origin}`),
  };
  const connect = (more: object = {}) =>
    connectAccount({ ...options, slot, browser: "headless", ...more });
  await connect({ client: { clientId: provider.clientId, clientSecret: provider.clientSecret } });
  return {
    provider,
    connect,
    run: (formula = "Me") => runFormula({ ...options, formula, args: { text: [], named: {} } }),
    async [Symbol.asyncDispose]() {
      await provider.close();
      project[Symbol.dispose]();
    },
  };
}

function readFailure(run: Awaited<ReturnType<typeof runFormula>>) {
  return run.ok ? undefined : run.failure.cause;
}

function listCalls(provider: LocalProvider): (number | undefined)[] {
  return provider.requests.filter(({ path }) => path === "/me").map(({ status }) => status);
}

describe("an API that demands more than the account has (step-up)", () => {
  it.each([
    [
      "the user's account",
      CODE_FLOW,
      "default",
      'Run packsmith auth connect pack.ts --scopes "docs".',
    ],
    [
      "a named account",
      CODE_FLOW,
      "work",
      'Run packsmith auth connect pack.ts --account work --scopes "docs".',
    ],
    [
      "the Pack's own account",
      CREDENTIALS,
      "default",
      'Run packsmith auth connect pack.ts --system --scopes "docs".',
    ],
  ])(
    "names the scopes and the command for %s (RFC 6750 §3.1)",
    async (_name, authentication, account, hint) => {
      await using setup = await startSetup(authentication, account);
      expect(readFailure(await setup.run())).toMatchObject({
        code: "ACCOUNT_SCOPES",
        message: "api.tasks.example needs more scopes for this request: docs.",
        details: { account, missing: ["docs"] },
        hint,
      });
      // The Pack sees the status as before.
      expect(await setup.run("Status")).toMatchObject({ ok: true, result: "403" });
    },
  );

  it("connects again with these scopes and repeats the run, after the user agreed", async () => {
    await using setup = await startSetup();
    const asked: unknown[] = [];
    const offer = {
      confirm: async (missing: object) => asked.push(missing) > 0,
      connect: async ({ scopes }: { scopes: readonly string[] }) =>
        void (await setup.connect({ extraScopes: scopes })),
    };
    expect(await stepUp(await setup.run(), offer, setup.run)).toMatchObject({
      ok: true,
      result: "Local user",
    });
    expect(asked).toEqual([
      { account: "default", slot: "user", scopes: ["docs"], login: undefined },
    ]);
    expect(listCalls(setup.provider)).toEqual([403, 200]);
  });

  it("repeats nothing after a no, and asks nothing after another failure or without names of scopes", async () => {
    await using setup = await startSetup();
    let questions = 0;
    const offer = {
      confirm: async () => questions++ < 0,
      connect: () => Promise.reject(new Error("not agreed")),
    };
    const refused = await setup.run();
    expect(await stepUp(refused, offer, setup.run)).toBe(refused);
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 500 });
    const broken = await setup.run();
    expect(await stepUp(broken, offer, setup.run)).toBe(broken);
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 403, headers });
    const unnamed = await setup.run();
    expect(readFailure(unnamed)).toMatchObject({
      code: "ACCOUNT_SCOPES",
      message: expect.stringContaining("the server did not list the scopes"),
    });
    expect(await stepUp(unnamed, offer, setup.run)).toBe(unnamed);
    expect([questions, listCalls(setup.provider)]).toEqual([1, [403, 500, 403]]);
  });

  it("names the login that is demanded and the command, connects with it, and repeats the run (RFC 9470)", async () => {
    await using setup = await startSetup(CODE_FLOW, "default", {
      profiles: [strong({ acr: "urn:strong", maxAgeSeconds: 300 })],
    });
    const refused = await setup.run();
    expect(readFailure(refused)).toMatchObject({
      code: "ACCOUNT_LOGIN",
      message:
        "api.tasks.example requires the user to log in again (authentication context urn:strong, at most 300 seconds ago).",
      details: { account: "default", slot: "user", acrValues: "urn:strong", maxAgeSeconds: 300 },
      hint: 'Run packsmith auth connect pack.ts --acr-values "urn:strong" --max-age "300".',
    });
    expect(listCalls(setup.provider), "renewing the token would not help").toEqual([401]);
    const asked: unknown[] = [];
    const offer = {
      confirm: async (wanted: object) => asked.push(wanted) > 0,
      connect: async ({ login }: StepUp) => void (await setup.connect({ login })),
    };
    expect(await stepUp(refused, offer, setup.run)).toMatchObject({
      ok: true,
      result: "Local user",
    });
    expect(asked).toEqual([
      {
        account: "default",
        slot: "user",
        scopes: [],
        login: { acrValues: "urn:strong", maxAgeSeconds: 300 },
      },
    ]);
    const { parameters } =
      setup.provider.requests.filter(({ path }) => path === "/authorize").at(-1) ?? {};
    expect(parameters).toMatchObject({ acr_values: "urn:strong", max_age: "300" });

    setup.provider.clock.advance(301_000);
    expect(readFailure(await setup.run()), "a login grows old").toMatchObject({
      code: "ACCOUNT_LOGIN",
    });
    await setup.connect({ login: { maxAgeSeconds: 300 } });
    expect(readFailure(await setup.run()), "only what is requested").toMatchObject({
      code: "ACCOUNT_LOGIN",
    });
  });

  it("replaces additionalParams of the definition by the demanded login", async () => {
    const definition = CODE_FLOW.replace(
      "scopes:",
      'additionalParams: { acr_values: "urn:weak", max_age: 9 }, scopes:',
    );
    await using setup = await startSetup(definition, "default", { profiles: ["step-up-login"] });
    await setup.connect({ login: { acrValues: "urn:packsmith:strong" } });
    const { parameters } =
      setup.provider.requests.filter(({ path }) => path === "/authorize").at(-1) ?? {};
    expect(parameters).toMatchObject({ acr_values: "urn:packsmith:strong", max_age: "9" });
    expect(await setup.run()).toMatchObject({ ok: true });
  });

  it("asks nothing when the API does not say which login it demands", async () => {
    await using setup = await startSetup();
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_user_authentication"' };
    setup.provider.addFaults({ kind: "response", endpoint: "me", status: 401, headers });
    const run = await setup.run();
    expect(readFailure(run)).toMatchObject({
      code: "ACCOUNT_LOGIN",
      hint: "Run packsmith auth connect pack.ts.",
    });
    const offer = {
      confirm: () => Promise.reject(new Error("asked")),
      connect: () => Promise.reject(new Error("connected")),
    };
    expect(await stepUp(run, offer, setup.run)).toBe(run);
  });

  it("puts nothing into a command that a shell would run", async () => {
    await using setup = await startSetup();
    for (const [status, challenge] of [
      [401, 'Bearer error="insufficient_user_authentication", acr_values="$(reboot)"'],
      [403, 'Bearer error="insufficient_scope", scope="`reboot`"'],
      [403, 'Bearer error="insufficient_scope", scope="a\\";reboot;\\""'],
    ] as const) {
      setup.provider.addFaults({
        kind: "response",
        endpoint: "me",
        status,
        headers: { "WWW-Authenticate": challenge },
      });
      const failure = readFailure(await setup.run()) as { hint: string };
      expect(failure.hint).toMatch(
        /^Run packsmith auth connect pack\.ts --(?:acr-values|scopes) …\.$/,
      );
    }
  });

  it.each([
    ["an account without a user", CREDENTIALS, {}],
    ["a code on another device", CODE_FLOW, { device: () => {} }],
  ])("is refused for %s", async (_name, authentication, more) => {
    await using setup = await startSetup(authentication);
    const connected = setup.connect({ ...more, login: { maxAgeSeconds: 0 } });
    await expect(connected).rejects.toMatchObject({
      code: "USAGE_INVALID",
      message: expect.stringContaining("packsmith can request a login"),
    });
  });
});

function strong(login: { acr?: string; maxAgeSeconds?: number }): ProviderProfile {
  return { name: "strong", summary: "demands a login", resource: { login } };
}
