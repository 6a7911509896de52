import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../../src/connect/connect-account.ts";
import { walkHeadless } from "../../../src/connect/headless-browser.ts";
import type { AccountsView, FlowView } from "../../../src/dev/wire/accounts.ts";
import type { RunView } from "../../../src/dev/wire/run.ts";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";

/** `/me` of its API needs the scope `docs`. */
const PACK = `import { MissingScopesError, newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token",
  scopes: ["read"], useProofKeyForCodeExchange: true,
});
const add = (name: string, execute: (context: any) => Promise<string>, more: object = {}) =>
  pack.addFormula({ name, description: "Runs.", resultType: "string", parameters: [], execute: (_, context) => execute(context), ...more } as never);
const me = async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://api.tasks.example/me" })).body.name;
const refuse = async () => { throw new MissingScopesError("Only for admins."); };
add("Me", me);
add("Declared", async () => "never", { extraOAuthScopes: ["tasks.delete"] });
add("Thrown", refuse);
add("Named", refuse, { extraOAuthScopes: ["read"] });
add("Public", refuse, { connectionRequirement: "none" });
add("Broken", async () => { throw new TypeError("no"); });
`;

describe("a run whose account lacks scopes", () => {
  let provider: LocalProvider;
  let dev: DevProject;
  beforeAll(async () => {
    provider = await startProvider({ meScope: "docs" });
    const routes = ["login", "api"].map(
      (name) => `https://${name}.tasks.example=${provider.origin}`,
    );
    dev = await startDevProject({ "pack.ts": PACK }, { routes });
    const { cwd, home = "" } = dev.server.session.options;
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    const redirect = {
      redirectHost: "localhost",
      redirectPath: "/oauth/callback/registered",
    } as const;
    await connectAccount({
      file: "pack.ts",
      cwd,
      home,
      client,
      routes,
      ...redirect,
      browser: "headless",
      redactor: createRedactor(),
    });
  });
  afterAll(async () => {
    await dev?.[Symbol.asyncDispose]();
    await provider?.close();
  });
  const catchFailure = async (target: string) => {
    const run = (await (await dev.post("/api/runs", { target, args: [] })).json()) as RunView;
    return run.failure;
  };

  it.each([
    ["the API refuses the token (RFC 6750 §3.1)", "Me", "ACCOUNT_SCOPES", ["docs"]],
    [
      "the formula declares scopes that were not granted",
      "Declared",
      "ACCOUNT_SCOPES",
      ["tasks.delete"],
    ],
    ["the Pack throws MissingScopesError", "Thrown", "FORMULA_FAILED", []],
    ["the Pack throws it in a formula that declares scopes", "Named", "FORMULA_FAILED", ["read"]],
  ])("names account and scopes when %s", async (_name, target, code, scopes) => {
    expect(await catchFailure(target)).toMatchObject({
      code,
      stepUp: { slot: "user", account: "default", scopes },
    });
  });

  it("names the login that the API demands, and connects with it (RFC 9470) and with the redirect URI of the account", async () => {
    const headers = {
      "WWW-Authenticate":
        'Bearer error="insufficient_user_authentication", acr_values="urn:strong", max_age="60"',
    };
    provider.addFaults({ kind: "response", endpoint: "me", status: 401, headers, times: 1 });
    const login = { acrValues: "urn:strong", maxAgeSeconds: 60 };
    const failure = await catchFailure("Me");
    expect(failure).toMatchObject({
      code: "ACCOUNT_LOGIN",
      stepUp: { slot: "user", account: "default", scopes: [], login },
    });
    const request = { slot: "user", account: "default", login: failure?.stepUp?.login };
    const { id, additional } = (await (
      await dev.post("/api/accounts/connect", request)
    ).json()) as FlowView;
    expect(additional).toEqual({ login });
    const flow = async (): Promise<FlowView> =>
      (await (await dev.get(`/api/flows/${id}`)).json()) as FlowView;
    await expect.poll(async () => (await flow()).startUrl).toBeDefined();
    // The provider may know no other redirect URI.
    expect((await flow()).redirectUri).toMatch(
      /^http:\/\/localhost:\d+\/oauth\/callback\/registered$/,
    );
    await walkHeadless((await flow()).startUrl ?? "");
    await expect.poll(async () => (await flow()).state).toBe("connected");
    const { slots } = (await (await dev.get("/api/accounts")).json()) as AccountsView;
    expect(slots[0]?.accounts[0]?.redirect).toEqual({
      redirectHost: "localhost",
      redirectPath: "/oauth/callback/registered",
    });
    const asked = provider.requests.filter(({ path }) => path === "/authorize").at(-1);
    expect(asked?.parameters).toMatchObject({ acr_values: "urn:strong", max_age: "60" });
    const refused = await dev.post("/api/accounts/connect", {
      ...request,
      login: { maxAgeSeconds: "soon" },
    });
    expect(refused.status).toBe(400);
  });

  it("keeps the place where the Pack threw", async () => {
    expect((await catchFailure("Thrown"))?.stack[0]).toMatchObject({ file: "pack.ts" });
  });

  it.each(["Public", "Broken"])(
    "asks for nothing when the formula %s fails, which has no account or another error",
    async (target) => {
      expect(await catchFailure(target)).toMatchObject({ code: "FORMULA_FAILED" });
      expect((await catchFailure(target))?.stepUp).toBeUndefined();
    },
  );
});
