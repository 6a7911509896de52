import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { revokeAccount } from "../../src/connect/manage-accounts.ts";
import { type Rehearsal, startRehearsal } from "../../src/connect/rehearsal/rehearsal.ts";
import { openValidPack } from "../../src/execute/open-pack.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import type { LocalProvider } from "../../src/provider/provider.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Case {
  file: string;
  run: [formula: string, ...args: string[]];
  result: unknown;
  /** Whether its requests carry an account. @default true */
  hasAccount?: boolean;
  choices?: Record<string, string>;
}

const TASKS = [
  { id: "1", title: "Sample title 1", done: false },
  { id: "2", title: "Sample title 2", done: false },
];
const DUE_TASKS = TASKS.map((task) => ({ ...task, due: "2026-03-02" }));

/** Every template and example. */
const cases: Case[] = [
  {
    file: "templates/blank/pack.ts",
    run: ["Hello", "World"],
    result: "Hello World!",
    hasAccount: false,
  },
  { file: "templates/api-key/pack.ts", run: ["ListTasks", "open"], result: TASKS },
  { file: "templates/client-credentials/pack.ts", run: ["GrantedScopes"], result: ["profile"] },
  { file: "templates/monorepo/packs/people/pack.ts", run: ["MyName"], result: "Local user" },
  { file: "templates/monorepo/packs/tasks/pack.ts", run: ["ListTasks"], result: TASKS },
  { file: "templates/oauth2/pack.ts", run: ["MyName"], result: "Local user" },
  {
    file: "templates/service/pack.ts",
    run: ["TasksByStatus", "demoDoc001", "Done"],
    result: expect.arrayContaining([expect.objectContaining({ status: "Done" })]),
  },
  {
    file: "templates/sync-table/pack.ts",
    run: ["Tasks"],
    result: expect.objectContaining({ rows: DUE_TASKS }),
    hasAccount: false,
  },
  {
    file: "templates/two-way/pack.ts",
    run: ["Tasks"],
    result: expect.objectContaining({ rows: DUE_TASKS }),
  },
  {
    file: "examples/hello-world/pack.ts",
    run: ["Hello", "World"],
    result: "Hello World!",
    hasAccount: false,
  },
  {
    file: "examples/migrated/pack.ts",
    run: ["Book", "978"],
    result: expect.objectContaining({ title: "Sample title 1" }),
  },
  {
    file: "examples/per-account-endpoints/pack.ts",
    run: ["Documents"],
    result: ["Demo document", "Demo notes"],
    choices: { region: "https://us.boards.example/apis/v1" },
  },
  {
    file: "examples/reports/pack.ts",
    run: ["HoursByStatus", "demoDoc001"],
    result: expect.arrayContaining([expect.objectContaining({ status: "Done" })]),
  },
  {
    file: "examples/tasks/pack.ts",
    run: ["ListTasks", "demoDoc001", "1"],
    result: [expect.objectContaining({ title: "Draft the welcome guide" })],
  },
  {
    file: "examples/two-way-sync/pack.ts",
    run: ["Tasks", "demoDoc001"],
    result: expect.objectContaining({
      rows: expect.arrayContaining([expect.objectContaining({ title: "Draft the welcome guide" })]),
    }),
  },
];

describe("a rehearsal", () => {
  it.each(chooseCases(cases, 4))(
    "answers everything that $file sends: connect, run, expire, renew, revoke",
    async ({ file, run: [formula, ...args], result, hasAccount = true, choices }) => {
      using home = makeTemporaryFolder();
      using workspace = makeTemporaryFolder();
      const path = openWorkspace(file, workspace.path);
      await using pack = await openValidPack(path, { cwd: root });
      const { definition, bundle } = pack;
      await using rehearsal = await startRehearsal({
        definition,
        sources: bundle.sources,
        packName: bundle.name,
        startDocuments: startDocumentService,
      });
      const { provider, connection } = rehearsal;
      const options = {
        file: path,
        cwd: root,
        home: home.path,
        routes: connection.routes,
        redactor: createRedactor(),
        now: provider.clock.now,
      };
      if (hasAccount)
        await connectAccount({
          ...options,
          ...connection,
          client: connection.client,
          choices,
          browser: "headless",
        });
      const run = async () => {
        const answer = await runFormula({ ...options, formula, args: { text: args } });
        return answer.ok ? answer.result : answer.failure.error;
      };
      expect(await run()).toEqual(result);
      if (!hasAccount) return;
      const tokensBefore = tokenRequests(rehearsal);
      provider.clock.advance(3_601_000);
      expect(await run()).toEqual(result);
      if (connection.secrets === undefined) expect(tokenRequests(rehearsal)).toBe(tokensBefore + 1);
      const { revoked } = await revokeAccount({
        ...options,
        revocationUrl: connection.revocationUrl,
      });
      if (connection.secrets === undefined) expect(revoked).toBe(true);
      expect(await run()).toMatchObject({ code: "ACCOUNT_MISSING" });
    },
  );

  it.each<[words: string, authentication: object, url?: string]>(
    chooseCases<[words: string, authentication: object, url?: string]>(
      [
        [
          "with versioned paths, comma-separated scopes, Basic and tokens in a member",
          {
            type: "OAuth2",
            authorizationUrl: "https://login.odd.example/oauth2/v2.0/authorize",
            tokenUrl: "https://login.odd.example/oauth2/v2.0/token?api-version=2",
            scopes: ["read", "write"],
            scopeDelimiter: ",",
            credentialsLocation: "AuthorizationHeader",
            nestedResponseKey: "data.auth",
            useProofKeyForCodeExchange: true,
          },
        ],
        [
          "with another refresh path, parameters of its own, a token prefix and an endpoint in the answer",
          {
            type: "OAuth2",
            authorizationUrl: "https://odd.example/login",
            tokenUrl: "https://api.odd.example/token.php",
            refreshUrl: "https://api.odd.example/renew",
            credentialsLocation: "Body",
            additionalParams: { access_type: "offline" },
            tokenParams: { audience: "api" },
            refreshParams: { audience: "api" },
            tokenPrefix: "Token",
            endpointKey: "account.api.url",
          },
          "/things",
        ],
        [
          "of a client that has only its credentials, in a JSON body",
          {
            type: "OAuth2ClientCredentials",
            tokenUrl: "https://odd.example/api/login",
            tokenRequestFormat: "json",
            credentialsLocation: "Body",
            grantType: "account_credentials",
            tokenHeaderName: "X-Odd-Token",
          },
        ],
      ],
      2,
    ),
  )(
    "follows a definition %s",
    async (_words, authentication, url = "https://v1.odd.example/things") => {
      using project = makeProject({
        "pack.ts": `import { newPack, ValueType } from "packsmith";
        export const pack = newPack();
        pack.addNetworkDomain("odd.example");
        pack.setUserAuthentication(${JSON.stringify(authentication)} as never);
        pack.addFormula({
          name: "Titles", description: "Titles.", parameters: [],
          resultType: ValueType.Array, items: { type: ValueType.String },
          execute: async (_args, context) => {
            const { body } = await context.fetcher.fetch<{ items: { title: string }[] }>({
              method: "GET", url: ${JSON.stringify(url)}, cacheTtlSecs: 0,
            });
            return body?.items.map(({ title }) => title) ?? [];
          },
        });`,
      });
      const options = { file: "pack.ts", cwd: project.path, home: `${project.path}/.home` };
      await using pack = await openValidPack("pack.ts", options);
      const { definition, bundle } = pack;
      await using rehearsal = await startRehearsal({
        definition,
        sources: bundle.sources,
        packName: bundle.name,
      });
      const { provider, connection } = rehearsal;
      const { routes } = connection;
      const local = { ...options, routes, redactor: createRedactor(), now: provider.clock.now };
      await connectAccount({ ...connection, ...local, browser: "headless" });
      const run = () => runFormula({ ...local, formula: "Titles", args: { text: [] } });
      expect(await run()).toMatchObject({ ok: true, result: ["Sample title 1", "Sample title 2"] });
      provider.clock.advance(3_601_000);
      expect(await run()).toMatchObject({ ok: true, result: ["Sample title 1", "Sample title 2"] });
      expect(tokenRequests(rehearsal)).toBe(2);
    },
  );

  it("refuses a request without the credentials of its account, at the API", async () => {
    await using pack = await openValidPack(join(root, "templates/api-key/pack.ts"), { cwd: root });
    const { definition, bundle } = pack;
    await using rehearsal = await startRehearsal({
      definition,
      sources: bundle.sources,
      packName: bundle.name,
    });
    const { provider, connection } = rehearsal;
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${provider.origin}/tasks`, { headers })).status;
    const token = connection.secrets?.["token"] ?? "";
    expect(await ask({ "X-Api-Key": token })).toBe(200);
    expect(await ask({ Authorization: `Bearer ${token}` })).toBe(401);
    expect(await ask({ "X-Api-Key": "another" })).toBe(401);
    expect(JSON.stringify(provider.requests)).not.toContain(token);
  });

  it("has a case for every template and example", () => {
    const folders = ["templates", "examples"].flatMap((kind) =>
      readdirSync(join(root, kind), { withFileTypes: true }).flatMap(({ name }) =>
        existsSync(join(root, kind, name, "pack.ts")) ? [`${kind}/${name}/pack.ts`] : [],
      ),
    );
    expect(folders.filter((file) => !cases.some((each) => each.file === file))).toEqual([]);
  });
});

/** A workspace links its own packages; the rest stays as it is in the repository. */
function openWorkspace(file: string, folder: string): string {
  if (!file.includes("/monorepo/")) return join(root, file);
  cpSync(join(root, "templates/monorepo"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules/@repo"), { recursive: true });
  symlinkSync("../../packages/api", join(folder, "node_modules/@repo/api"));
  return join(folder, file.replace("templates/monorepo/", ""));
}

async function startDocumentService(provider: LocalProvider | undefined) {
  const service = await startService({
    tokenIntrospection:
      provider === undefined
        ? undefined
        : { url: provider.introspectionUrl, ...provider.resourceServer },
  });
  const { url, token, docId, close } = service;
  return { origin: new URL(url).origin, url, token, docId, close };
}

function tokenRequests({ provider }: Rehearsal): number {
  return provider.requests.filter(({ parameters }) => "grant_type" in parameters).length;
}
