import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accountKey } from "../../src/accounts/pack-account.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { checkAccount, listAccounts, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { connectPack } from "../../src/testing/connect-pack.ts";
import { executeMetadata } from "../../src/testing/test-formula.ts";
import { json, startTestServer } from "../execute/http-server.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const ORIGIN = "https://api.tasks.example";

function packText(authentication: string, more = ""): string {
  return `import { newPack, PostSetupType, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: context.endpoint ? path : "${ORIGIN}" + path })).body;
pack.setUserAuthentication({ ${authentication}, getConnectionName: async (context: any) => (await get(context, "/me")).name });
${more}
pack.addFormula({
  name: "Seen", description: "What the service saw.", parameters: [], resultType: ValueType.String,
  execute: async (_, context) => (await get(context, "/seen")).seen,
});
`;
}

const startApi = () =>
  startTestServer((request, response) => {
    if (request.url?.includes("/me")) return json(response, 200, { name: "Ada" });
    if (request.url?.startsWith("/regions")) return json(response, 200, { name: "Ada" });
    const { authorization, "x-api-key": key } = request.headers;
    // Turned round, so that it does not look like the credential any more.
    return json(response, 200, {
      seen: [...`${request.url} ${authorization ?? ""} ${String(key ?? "")}`].reverse().join(""),
    });
  });

function createOptions(
  project: ProjectFolder,
  api: string,
  more: Partial<ConnectAccountOptions> = {},
): ConnectAccountOptions {
  const routes = [`${ORIGIN}=${api}`, `https://eu.tasks.example=${api}`];
  return {
    file: "pack.ts",
    cwd: project.path,
    home: join(project.path, "home"),
    routes,
    redactor: createRedactor(),
    ...more,
  };
}

const reversed = (text: string) => [...text].reverse().join("");

describe("an account whose credentials are entered", () => {
  it.each<[string, string, Record<string, string>, string]>(
    chooseCases<[string, string, Record<string, string>, string]>(
      [
        [
          "HeaderBearerToken",
          `type: "HeaderBearerToken"`,
          { token: "s3cret-token" },
          "/seen Bearer s3cret-token ",
        ],
        [
          "CustomHeaderToken",
          `type: "CustomHeaderToken", headerName: "X-Api-Key"`,
          { token: "s3cret-token" },
          "/seen  s3cret-token",
        ],
        [
          "MultiHeaderToken",
          `type: "MultiHeaderToken", headers: [{ name: "X-Api-Key", description: "Key." }, { name: "Authorization", description: "Token.", tokenPrefix: "Token" }]`,
          { "X-Api-Key": "s3cret-key", Authorization: "s3cret-token" },
          "/seen Token s3cret-token s3cret-key",
        ],
        [
          "QueryParamToken",
          `type: "QueryParamToken", paramName: "key"`,
          { token: "s3cret-token" },
          "/seen?key=s3cret-token  ",
        ],
        [
          "MultiQueryParamToken",
          `type: "MultiQueryParamToken", params: [{ name: "key", description: "Key." }, { name: "app", description: "App." }]`,
          { key: "s3cret-key", app: "s3cret-app" },
          "/seen?key=s3cret-key&app=s3cret-app  ",
        ],
        [
          "WebBasic",
          `type: "WebBasic"`,
          { username: "ada", password: "s3cret" },
          `/seen Basic ${Buffer.from("ada:s3cret").toString("base64")} `,
        ],
      ],
      2,
    ),
  )(
    "of type %s is asked for, kept, labelled, listed, tried, used and forgotten",
    async (type, authentication, secrets, seen) => {
      using project = makeProject({ "pack.ts": packText(authentication) });
      await using api = await startApi();
      const asked: string[] = [];
      const options = createOptions(project, api.origin, {
        askSecret: async ({ name }) => {
          asked.push(name);
          return secrets[name];
        },
      });
      const connected = await connectAccount(options);
      expect(asked).toEqual(Object.keys(secrets));
      expect(connected).toMatchObject({
        type,
        connectionName: "Ada",
        status: "connected",
        expiresAt: undefined,
        renewable: false,
      });
      expect(JSON.stringify(connected)).not.toContain("s3cret");
      expect(await listAccounts(options)).toMatchObject([{ type, connectionName: "Ada" }]);
      expect(await checkAccount(options)).toEqual({
        type,
        fields: Object.keys(secrets),
        connectionName: "Ada",
      });
      const run = await runFormula({ ...options, formula: "Seen", args: [] });
      expect(run).toMatchObject({ ok: true, result: reversed(seen) });
      expect(JSON.stringify(run.requests)).not.toContain("s3cret");
      expect(await revokeAccount(options)).toEqual({ revoked: false, warning: undefined });
      expect(await runFormula({ ...options, formula: "Seen", args: [] })).toMatchObject({
        failure: { error: { code: "ACCOUNT_MISSING" } },
      });
    },
  );

  it("has an endpoint where the definition asks for one, which must lie in its domain", async () => {
    using project = makeProject({
      "pack.ts": packText(
        `type: "HeaderBearerToken", requiresEndpointUrl: true, endpointDomain: "tasks.example"`,
      ),
    });
    await using api = await startApi();
    const options = createOptions(project, api.origin, { secrets: { token: "s3cret-token" } });
    await expect(connectAccount(options)).rejects.toMatchObject({ code: "ENDPOINT_MISSING" });
    await expect(
      connectAccount({ ...options, endpoint: "https://other.example" }),
    ).rejects.toMatchObject({
      code: "ENDPOINT_OUTSIDE_DOMAIN",
    });
    expect(await listAccounts(options)).toEqual([]);
    const connected = await connectAccount({ ...options, endpoint: "https://eu.tasks.example/v1" });
    expect(connected).toMatchObject({
      endpoint: "https://eu.tasks.example/v1",
      connectionName: "Ada",
    });
    expect(await runFormula({ ...options, formula: "Seen", args: [] })).toMatchObject({
      result: reversed("/v1/seen Bearer s3cret-token "),
    });
  });

  it("runs the steps of its set-up with the new credentials, and is not stored when one fails", async () => {
    const step = `postSetup: [{ type: PostSetupType.SetEndpoint, name: "Region", description: "Where?", getOptions: async (context: any) => {
      await get(context, "/regions");
      return ["https://eu.tasks.example", "https://us.tasks.example"];
    } }]`;
    using project = makeProject({
      "pack.ts": packText(`type: "HeaderBearerToken", networkDomain: "tasks.example", ${step}`),
    });
    await using api = await startApi();
    const options = createOptions(project, api.origin, { secrets: { token: "s3cret-token" } });
    await expect(connectAccount(options)).rejects.toMatchObject({ code: "POST_SETUP_CHOICE" });
    expect(await listAccounts(options)).toEqual([]);
    expect(
      await connectAccount({ ...options, choices: { Region: "https://eu.tasks.example" } }),
    ).toMatchObject({
      endpoint: "https://eu.tasks.example",
    });
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(
      api.requests.map(() => "Bearer s3cret-token"),
    );
    await expect(connectAccount({ ...options, secrets: { token: "newer" } })).rejects.toMatchObject(
      { code: "POST_SETUP_CHOICE" },
    );
    expect(await runFormula({ ...options, formula: "Seen", args: [] })).toMatchObject({
      result: reversed("/seen Bearer s3cret-token "),
    });
  });

  it.each(
    chooseCases(
      [
        ["a value is missing", {}, "CREDENTIAL_MISSING"],
        ["a value is empty", { token: "" }, "CREDENTIAL_MISSING"],
        ["a value belongs to nothing", { token: "1234", tokn: "5678" }, "CREDENTIAL_INVALID"],
        ["a value has a line break", { token: "1234\nX-Evil: 1" }, "CREDENTIAL_INVALID"],
      ],
      2,
    ),
  )("is not stored when %s", async (_, secrets, code) => {
    using project = makeProject({ "pack.ts": packText(`type: "HeaderBearerToken"`) });
    const options = createOptions(project, "http://127.0.0.1:1", { secrets });
    await expect(connectAccount(options)).rejects.toMatchObject({ code });
    expect(await listAccounts(options)).toEqual([]);
  });

  it.runIf(isLong)("must be connected again when the Pack has changed its type", async () => {
    using project = makeProject({ "pack.ts": packText(`type: "HeaderBearerToken"`) });
    await using api = await startApi();
    const options = createOptions(project, api.origin, { secrets: { token: "s3cret-token" } });
    await connectAccount(options);
    project.write("pack.ts", packText(`type: "QueryParamToken", paramName: "key"`));
    expect(await runFormula({ ...options, formula: "Seen", args: [] })).toMatchObject({
      failure: { error: { code: "ACCOUNT_RECONNECT" } },
    });
  });

  it.runIf(isLong)("may stand beside the Pack's own account, each for its hosts", async () => {
    const more = `
pack.addNetworkDomain("own.example");
pack.setSystemAuthentication({ type: "CustomHeaderToken", headerName: "X-Api-Key", networkDomain: "own.example" });
pack.addFormula({
  name: "Own", description: "What the other service saw.", parameters: [], resultType: ValueType.String, connectionRequirement: "none",
  execute: async (_, context) => (await context.fetcher.fetch({ method: "GET", url: "https://own.example/seen" })).body.seen,
});`;
    using project = makeProject({
      "pack.ts": packText(`type: "HeaderBearerToken", networkDomain: "tasks.example"`, more),
    });
    await using api = await startApi();
    const options = createOptions(project, api.origin);
    const routes = [...(options.routes ?? []), `https://own.example=${api.origin}`];
    await connectAccount({ ...options, secrets: { token: "users-token" } });
    await connectAccount({ ...options, routes, slot: "system", secrets: { token: "packs-token" } });
    expect((await listAccounts(options)).map(({ slot, type }) => [slot, type])).toEqual([
      ["system", "CustomHeaderToken"],
      ["user", "HeaderBearerToken"],
    ]);
    expect(await runFormula({ ...options, routes, formula: "Own", args: [] })).toMatchObject({
      result: reversed("/seen  packs-token"),
    });
    expect(await runFormula({ ...options, routes, formula: "Seen", args: [] })).toMatchObject({
      result: reversed("/seen Bearer users-token "),
    });
  });

  it("may be one that an administrator sets up, for the formulas that name it", async () => {
    const more = `
pack.addAdminAuthentication({ name: "Audit", displayName: "Audit", description: "Reads the log.", authentication: { type: "CustomHeaderToken", headerName: "X-Api-Key", networkDomain: "tasks.example" } });
pack.addFormula({
  name: "Log", description: "The log.", parameters: [], resultType: ValueType.String, connectionRequirement: "required", allowedAuthenticationNames: ["Audit"],
  execute: async (_, context) => (await get(context, "/seen")).seen,
} as never);`;
    using project = makeProject({
      "pack.ts": packText(`type: "HeaderBearerToken", networkDomain: "tasks.example"`, more),
    });
    await using api = await startApi();
    const options = createOptions(project, api.origin);
    await connectAccount({ ...options, secrets: { token: "users-token" } });
    const missing = await runFormula({ ...options, formula: "Log", args: [] });
    expect(missing).toMatchObject({
      failure: {
        error: { code: "ACCOUNT_MISSING", hint: expect.stringContaining("--admin Audit") },
      },
    });
    await connectAccount({ ...options, slot: "admin:Audit", secrets: { token: "admins-token" } });
    expect(await runFormula({ ...options, formula: "Log", args: [] })).toMatchObject({
      result: reversed("/seen  admins-token"),
    });
    expect(await runFormula({ ...options, formula: "Seen", args: [] })).toMatchObject({
      result: reversed("/seen Bearer users-token "),
    });
  });

  it("serves a test through connectPack", async () => {
    using project = makeProject({
      "pack.ts": packText(`type: "QueryParamToken", paramName: "key"`),
    });
    await using api = await startApi();
    const routes = { [ORIGIN]: api.origin };
    await using account = await connectPack("pack.ts", {
      cwd: project.path,
      routes,
      secrets: { token: "s3cret-token" },
    });
    expect(account.connectionName).toBe("Ada");
    expect(await account.execute("Seen")).toBe(reversed("/seen?key=s3cret-token  "));
    expect(await executeMetadata("pack.ts", "Auth:getConnectionName", [], account.options)).toBe(
      "Ada",
    );
  });

  // docs/rules.md: rule 27
  it("keeps its values encrypted", async () => {
    using project = makeProject({ "pack.ts": packText(`type: "HeaderBearerToken"`) });
    await using api = await startApi();
    const options = createOptions(project, api.origin, { secrets: { token: "s3cret-token" } });
    await connectAccount(options);
    const key = await accountKey({ ...options, slot: "user", account: "default" });
    await using vault = await openVault({ directory: options.home });
    expect((await vault.get(key))?.secrets).toEqual({ token: "s3cret-token" });
    for (const name of readdirSync(options.home))
      expect(readFileSync(join(options.home, name), "latin1")).not.toContain("s3cret");
  });
});

it("types that only the document service has are refused by name", async () => {
  using project = makeProject({
    "pack.ts": packText(`type: "HeaderBearerToken"`).replace(
      /pack\.setUserAuthentication.*\n/,
      `pack.setUserAuthentication({ type: "Various" } as never);\n`,
    ),
  });
  await expect(connectAccount(createOptions(project, "http://127.0.0.1:1"))).rejects.toMatchObject({
    code: "AUTHENTICATION_UNSUPPORTED",
    details: { type: "Various" },
  });
});
