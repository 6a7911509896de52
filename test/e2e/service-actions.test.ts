import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createServiceClient } from "../../src/service.ts";
import { isLong } from "../support/breadth.ts";
import { runCli, startCliServer } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

interface ServiceFacts {
  url: string;
  controlUrl: string;
  token: string;
  docId: string;
  actions?: { pack: string; formula: string }[];
}

const API_TOKEN = "synthetic-token-of-the-pack";

const PACK = `
import { AuthenticationType, ConnectionRequirement, makeParameter, newPack, ParameterType, UserVisibleError, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("api.tasks.example");
pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });
let runs = 0;
const text = (name: string) => makeParameter({ type: ParameterType.String, name, description: "A text." });
pack.addFormula({
  name: "Report", description: "Writes what it got into the log.", isAction: true, resultType: ValueType.String,
  parameters: [
    text("title"),
    makeParameter({ type: ParameterType.Number, name: "hours", description: "Hours." }),
    makeParameter({ type: ParameterType.Boolean, name: "done", description: "Done." }),
    makeParameter({ type: ParameterType.StringArray, name: "tags", description: "Tags." }),
    makeParameter({ type: ParameterType.Date, name: "due", description: "Due.", optional: true }),
  ],
  execute: async ([title, hours, done, tags, due], context) => {
    runs += 1;
    const facts = { title, hours, done, due: due?.toISOString().slice(0, 10), tags, runs, doc: context.invocationLocation.docId };
    const response = await context.fetcher.fetch({
      method: "POST", url: "https://api.tasks.example/apis/v1/docs/plans/tables/Log/rows",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ rows: [{ cells: [{ column: "Text", value: JSON.stringify(facts) }] }] }),
    });
    return String(response.status);
  },
});
pack.addFormula({
  name: "Refuse", description: "Always fails.", isAction: true, parameters: [], resultType: ValueType.String,
  connectionRequirement: ConnectionRequirement.None,
  execute: async () => { throw new UserVisibleError("This cannot be done today."); },
});
pack.addFormula({
  name: "Read", description: "Reads the log.", parameters: [], resultType: ValueType.Number,
  execute: async (_args, context) =>
    (await context.fetcher.fetch({ method: "GET", url: "https://api.tasks.example/apis/v1/docs/plans/tables/Log/rows" })).body.items.length,
});
`;

const SEED = `
users: [{ name: First, email: first@service.example }]
tokens: [{ token: ${API_TOKEN} }]
docs:
  - id: plans
    title: Plans
    tables:
      - name: Tasks
        columns:
          - { name: Title }
          - { name: Hours, type: number }
          - { name: Due, type: date }
          - name: Send
            type: button
            button:
              action:
                pack: reporter
                formula: Report
                args: [{ column: Title }, { column: Hours }, true, [red, blue], { column: Due }]
          - { name: Refuse, type: button, button: { action: { formula: Refuse } } }
          - { name: Lost, type: button, button: { action: { pack: reporter, formula: Read } } }
        rows:
          - { Title: one, Hours: 2, Due: 2026-01-31 }
          - { Title: two, Hours: 3 }
      - name: Log
        columns: [{ name: Text }]
`;

/** A free port, for a service whose address its own Packs must know before it starts. */
async function freePort(): Promise<number> {
  await using service = await startCliServer<ServiceFacts>(["service"]);
  return Number(new URL(service.facts.url).port);
}

async function startWithPack(folder: string) {
  await writeFile(join(folder, "reporter.ts"), PACK);
  await writeFile(join(folder, "seed.yaml"), SEED);
  const options = { cwd: folder, env: { PACKSMITH_HOME: join(folder, "home") } };
  const connected = await runCli(["auth", "connect", "reporter.ts", "--secrets-stdin", "--json"], {
    ...options,
    stdin: `${API_TOKEN}\n`,
  });
  expect({ code: connected.code, stdout: connected.stdout }).toMatchObject({ code: 0 });
  const port = await freePort();
  const route = `https://api.tasks.example=http://127.0.0.1:${port}`;
  const args = [
    "service",
    "--port",
    String(port),
    "--seed",
    "seed.yaml",
    "--pack",
    "reporter.ts",
    "--route",
    route,
  ];
  const service = await startCliServer<ServiceFacts>(args, options);
  const client = createServiceClient({ baseUrl: service.facts.url, token: service.facts.token });
  return { service, client, options, route };
}

describe("packsmith service --pack", () => {
  it("a button runs the Pack's action in the sandbox with the cells of its row, and the analytics count it", async () => {
    using folder = makeTemporaryFolder();
    const { service: started, client, options, route } = await startWithPack(folder.path);
    await using service = started;
    expect(service.facts.actions).toEqual([
      { pack: "reporter", formula: "Report" },
      { pack: "reporter", formula: "Refuse" },
    ]);
    const tasks = client.doc("plans").table("Tasks");
    const push = async (row: string, button: string) =>
      (await client.waitFor(await tasks.rows.pushButton(row, button))).warning;
    for (const row of ["one", "two"]) expect(await push(row, "Send")).toBe(undefined);
    expect(await push("one", "Refuse")).toBe("The action failed: This cannot be done today.");
    expect(await push("one", "Lost")).toBe(
      "The action failed: There is no action Read in reporter.",
    );

    await fetch(`${service.facts.controlUrl}/mutations/complete`, { method: "POST", body: "{}" });
    const log = await client.doc("plans").table("Log").rows.list({ useColumnNames: true });
    const common = { done: true, tags: ["red", "blue"], runs: 1, doc: "plans" };
    expect(log.items.map(({ values }) => JSON.parse(String(values["Text"])))).toEqual([
      { title: "one", hours: 2, due: "2026-01-31", ...common },
      { title: "two", hours: 3, ...common },
    ]);

    const executed = await runCli(
      ["execute", "reporter.ts", "Read", "--route", route, "--json"],
      options,
    );
    expect(executed.json()).toMatchObject({ ok: true, result: 2 });
    const packs = await client.analytics.packs();
    expect(packs.items).toMatchObject([
      {
        pack: { id: 1, name: "reporter" },
        metrics: [{ numActionInvocations: 3, numFormulaInvocations: 1 }],
      },
    ]);
    const formulas = await client.analytics.packFormulas(1);
    expect(
      Object.fromEntries(
        formulas.items.map(({ formula, metrics }) => [`${formula.type} ${formula.name}`, metrics]),
      ),
    ).toMatchObject({
      "action Report": [
        {
          formulaInvocations: 2,
          errors: 0,
          medianLatencyMs: expect.any(Number),
          medianResponseSizeBytes: 5,
        },
      ],
      "action Refuse": [{ formulaInvocations: 1, errors: 1, medianResponseSizeBytes: 0 }],
      "formula Read": [{ formulaInvocations: 1, errors: 0, medianResponseSizeBytes: 1 }],
    });
    expect(await service.stop()).toBe(130);
  });

  it.runIf(isLong)(
    "a Pack that does not build, and a route to another machine, end the start",
    async () => {
      using folder = makeTemporaryFolder();
      await writeFile(join(folder.path, "broken.ts"), "export const pack = ");
      await writeFile(join(folder.path, "reporter.ts"), PACK);
      const run = async (...args: string[]) =>
        (await runCli(["service", ...args, "--json"], { cwd: folder.path })).json();
      expect(await run("--pack", "broken.ts")).toMatchObject({
        ok: false,
        error: { code: "PACK_BUILD_FAILED" },
      });
      expect(await run("--pack", "none.ts")).toMatchObject({
        ok: false,
        error: { code: "PACK_FILE_UNREADABLE" },
      });
      const route = "https://api.tasks.example=https://elsewhere.example";
      expect(await run("--pack", "reporter.ts", "--route", route)).toMatchObject({
        ok: false,
        error: { code: "ROUTE_INVALID" },
      });
      expect(await run("--pack", "reporter.ts", "--pack", "./reporter.ts")).toMatchObject({
        ok: false,
        error: { code: "PACK_NAME_CONFLICT" },
      });
      await writeFile(join(folder.path, "seed.yaml"), "users: []\nusers: []\n");
      expect(await run("--seed", "seed.yaml")).toMatchObject({
        ok: false,
        error: { code: "SEED_INVALID", message: expect.stringContaining("line 2, column 1: ") },
      });
    },
  );
});
