import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseCases } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const PACK = `
import { AuthenticationType, ConnectionRequirement, makeObjectSchema, makeParameter, newPack, ParameterType, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
const list = makeParameter({ type: ParameterType.String, name: "list", description: "The list.", autocomplete: ["inbox", "later"] });
const count = makeParameter({ type: ParameterType.Number, name: "count", description: "How many.", optional: true });
const names = makeParameter({ type: ParameterType.StringArray, name: "names", description: "Names.", optional: true,
  autocomplete: async (_, search, { list }) => [search + "-" + list, { display: "Two", value: "2" }] });
const extra = makeParameter({ type: ParameterType.String, name: "extra", description: "More.", autocomplete: async (_, search) => [search + "!"] });
pack.addFormula({ name: "Join", description: "Joins.", resultType: ValueType.String, parameters: [list, count, names], varargParameters: [extra], connectionRequirement: ConnectionRequirement.None,
  execute: async ([list, count, names, ...more]) => JSON.stringify([list, count ?? null, names ?? null, more]) });
const Task = makeObjectSchema({ idProperty: "id", displayProperty: "title", properties: { id: { type: ValueType.String, required: true }, title: { type: ValueType.String, required: true, mutable: true },
  state: { type: ValueType.String, codaType: "selectList", options: async (context) => [context.search + "open", String(context.propertyValues.title)] } } });
pack.addSyncTable({ name: "Tasks", description: "Tasks.", identityName: "Task", schema: Task, connectionRequirement: ConnectionRequirement.None,
  formula: { name: "SyncTasks", description: "Gets tasks.", parameters: [count], maxUpdateBatchSize: 2,
    validateParameters: async (_, __, { count }) => count < 100 ? { isValid: true } : { isValid: false, message: "Too many." },
    execute: async ([count = 3], { sync }) => {
      if (sync.previousCompletion) return { result: [{ id: "new", title: "since " + sync.previousCompletion.incrementalContinuation.at }], deletedRowIds: ["1"], completion: { incrementalContinuation: { at: 2 } } };
      const from = Number(sync.continuation?.from ?? 1);
      const result = [0, 1].map((n) => from + n).filter((id) => id <= count).map((id) => ({ id: String(id), title: "Task " + id }));
      return from + 2 <= count ? { result, continuation: { from: from + 2 } } : { result, completion: { incrementalContinuation: { at: 1 } } };
    },
    executeUpdate: async (_, updates) => ({ result: updates.map(({ newValue }) => newValue.title === "bad" ? new Error("Not " + newValue.title) : { ...newValue, title: newValue.title + " (" + updates.length + ")" }) }),
    executeGetPermissions: async (_, { rows }) => ({ rowAccessDefinitions: rows.map(({ row }) => ({ rowId: row.id, permissions: [{ principal: { type: "anyone" } }] })) }),
  } });
pack.addDynamicSyncTable({ name: "Boards", description: "Boards.", identityName: "Board", connectionRequirement: ConnectionRequirement.None,
  getName: async ({ sync }) => "Board at " + sync.dynamicUrl,
  getDisplayUrl: async ({ sync }) => sync.dynamicUrl,
  getSchema: async ({ sync }) => makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String }, url: { type: ValueType.String }, color: { type: ValueType.String, codaType: "selectList", options: "dynamic" } } }),
  propertyOptions: async ({ propertyName, search }) => ({ result: [propertyName + search], cacheTtlSecs: 5 }),
  listDynamicUrls: async (_, parent) => parent === "" ? [{ display: "Folder", value: "https://tasks.example/f", hasChildren: true }] : [{ display: "In " + parent, value: parent + "/b" }],
  searchDynamicUrls: async (_, search) => [{ display: search, value: "https://tasks.example/" + search }],
  formula: { name: "SyncBoards", description: "Gets boards.", parameters: [], execute: async (_, { sync }) => ({ result: [{ id: "1", url: sync.dynamicUrl, schema: Object.keys(sync.schema.items.properties).join() }] }) } });
pack.setSystemAuthentication({ type: AuthenticationType.HeaderBearerToken, getConnectionName: async () => "The Pack's own" });
pack.addColumnFormat({ name: "Ticket", instructions: "A ticket.", formulaName: "Join", matchers: [/^T-\\d+$/g] });
`;

describe("packsmith execute", () => {
  const folder = makeTemporaryFolder();
  beforeAll(() => writeFileSync(join(folder.path, "pack.ts"), PACK));
  afterAll(() => folder[Symbol.dispose]());
  const execute = (...args: string[]) =>
    runCli(["execute", "pack.ts", ...args], {
      cwd: folder.path,
      env: { PACKSMITH_HOME: join(folder.path, "home") },
    });
  const readResult = async (...args: string[]): Promise<unknown> => {
    const run = await execute(...args, "--json");
    const { ok, result, error } = run.json<{
      ok: boolean;
      result: unknown;
      error: { code: string };
    }>();
    return ok ? result : error.code;
  };

  it.each<[what: string, args: string[], expected: unknown]>(
    chooseCases(
      [
        ["a formula", ["Join", "inbox", "5", "a, b\\,c"], '["inbox",5,["a","b,c"],[]]'],
        [
          "a formula with repeating arguments",
          ["Join", "inbox", "-", "-", "x", "y"],
          '["inbox",null,null,["x","y"]]',
        ],
        [
          "a formula with an argument by name",
          ["Join", "inbox", "--arg", 'names=["a,b"]'],
          '["inbox",null,["a,b"],[]]',
        ],
        ["a formula under its older name", ["Old::Join", "inbox"], '["inbox",null,null,[]]'],
        [
          "the choices of a fixed list",
          ["Join:autocomplete:list", "IN"],
          [{ display: "inbox", value: "inbox" }],
        ],
        [
          "the choices of a function",
          ["Join:autocomplete:names", "se", '{"list":"inbox"}'],
          [
            { display: "se-inbox", value: "se-inbox" },
            { display: "Two", value: "2" },
          ],
        ],
        [
          "the choices without a search",
          ["Join:autocomplete:names", '{"list":"inbox"}'],
          [
            { display: "-inbox", value: "-inbox" },
            { display: "Two", value: "2" },
          ],
        ],
        [
          "the choices of a repeating parameter",
          ["Join:autocomplete:extra", "x"],
          [{ display: "x!", value: "x!" }],
        ],
        [
          "the check of parameters",
          ["Tasks:validateParameters", "", '{"count":3}'],
          { isValid: true },
        ],
        [
          "the refusal of parameters",
          ["Tasks:validateParameters", "", '{"count":300}'],
          { isValid: false, message: "Too many." },
        ],
        [
          "the options of a property",
          ["Tasks:options:state", "re", '{"title":"T"}'],
          {
            result: [
              { display: "reopen", value: "reopen" },
              { display: "T", value: "T" },
            ],
            used: ["search", "propertyValues.title"],
          },
        ],
        [
          "the options of a dynamic property",
          ["Boards:options:color", "x", "--dynamic-url", "https://tasks.example/b"],
          { result: [{ display: "colorx", value: "colorx" }], cacheTtlSecs: 5, used: ["search"] },
        ],
        [
          "updates, in batches",
          [
            "Tasks:update",
            "-",
            '[{"newValue":{"id":"1","title":"a"}},{"newValue":{"id":"2","title":"b"}},{"previousValue":{},"newValue":{"id":"3","title":"c"},"updatedFields":["title"]}]',
          ],
          ["a (2)", "b (2)", "c (1)"].map((title, index) => ({
            outcome: "success",
            finalValue: { id: String(index + 1), title },
          })),
        ],
        [
          "permissions",
          ["Tasks:permissions", "-", '{"rows":[{"row":{"id":"7"}}]}'],
          {
            rowAccessDefinitions: [
              { rowId: "7", permissions: [{ principal: { type: "anyone" } }] },
            ],
          },
        ],
        [
          "a sync, then permissions",
          ["Tasks>permissions", "2"],
          {
            rowAccessDefinitions: ["1", "2"].map((rowId) => ({
              rowId,
              permissions: [{ principal: { type: "anyone" } }],
            })),
          },
        ],
        [
          "the tables of a dynamic table",
          ["Boards:listDynamicUrls"],
          [{ display: "Folder", value: "https://tasks.example/f", hasChildren: true }],
        ],
        [
          "the tables below one",
          ["Boards:listDynamicUrls", "https://tasks.example/f"],
          [{ display: "In https://tasks.example/f", value: "https://tasks.example/f/b" }],
        ],
        [
          "the tables by search",
          ["Boards:searchDynamicUrls", "b"],
          [{ display: "b", value: "https://tasks.example/b" }],
        ],
        [
          "the name of a dynamic table",
          ["Boards:getName", "--dynamic-url", "https://tasks.example/b"],
          "Board at https://tasks.example/b",
        ],
        [
          "the link of a dynamic table",
          ["Boards:getDisplayUrl", "--dynamicUrl", "https://tasks.example/b"],
          "https://tasks.example/b",
        ],
        ["the label of the account that there is", ["Auth:getConnectionName"], "The Pack's own"],
        [
          "the column formats of a text",
          ["Formats:match", "T-12"],
          [{ format: "Ticket", formula: "Join", args: ["T-12"], matcher: "/^T-\\d+$/g" }],
        ],
        ["no column format", ["Formats:match", "12"], []],
      ],
      2,
    ),
  )("runs %s", async (_, args, expected) => {
    expect(await readResult(...args)).toEqual(expected);
  });

  it("runs a dynamic table with its schema", async () => {
    expect(await readResult("Boards", "--dynamic-url", "https://tasks.example/b")).toMatchObject({
      rows: [{ id: "1", url: "https://tasks.example/b", schema: "id,url,color" }],
    });
  });

  it("refuses a dynamic URL for a formula, which would not use it", async () => {
    const { code, stderr } = await execute("Join", "a", "--dynamic-url", "https://t.example/b");
    expect(code).toBe(2);
    expect(stderr).toContain("Join is a formula, but a dynamic URL requires a dynamic table.");
  });

  it("gives the schema of a dynamic table", async () => {
    expect(
      await readResult("Boards:getSchema", "--dynamic-url", "https://tasks.example/b"),
    ).toMatchObject({
      type: "array",
      items: { type: "object", properties: { id: {}, url: {} } },
    });
  });

  it("prints a table of rows on stdout and its progress on stderr", async () => {
    const run = await execute("Tasks", "5");
    expect(run.stdout).toMatchInlineSnapshot(`
      "id  title
      1   Task 1
      2   Task 2
      3   Task 3
      4   Task 4
      5   Task 5
      "
    `);
    expect(run.stderr).toMatchInlineSnapshot(`
      "page 1: 2 rows, 2 in all
      page 2: 2 rows, 4 in all
      5 rows in 3 pages
      "
    `);
  });

  it.each(["--max-rows", "--maxRows"])("ends a sync at %s", async (flag) => {
    const run = await execute("Tasks", "500", flag, "3");
    expect(run.stdout.trim().split("\n")).toHaveLength(4);
    expect(run.stderr).toContain(
      "the table may have more rows; pass a higher --max-rows to get them",
    );
  });

  it("syncs again from where the full sync ended", async () => {
    expect(await readResult("Tasks>incremental")).toMatchObject({
      full: { rows: [{ id: "1" }, { id: "2" }, { id: "3" }] },
      incremental: {
        rows: [{ id: "new", title: "since 1" }],
        deletedRowIds: ["1"],
        completion: { incrementalContinuation: { at: 2 } },
      },
    });
    const shown = await execute("Tasks>incremental");
    expect(shown.stdout).toContain("since 1");
    expect(shown.stderr).toContain("deleted: 1");
  });

  it("ends with exit code 1 when a row could not be written, and tells which", async () => {
    const run = await execute(
      "Tasks:update",
      "-",
      '[{"newValue":{"id":"1","title":"bad"}},{"newValue":{"id":"2","title":"good"}}]',
      "--json",
    );
    expect(run.code).toBe(1);
    expect(run.json<{ result: unknown }>().result).toMatchObject([
      { outcome: "error", error: { name: "Error", message: "Not bad" } },
      { outcome: "success", finalValue: { id: "2" } },
    ]);
  });

  it.each([
    [["Nothing"], "FORMULA_UNKNOWN", "The Pack has: Join, Tasks, Boards."],
    [["Jion"], "FORMULA_UNKNOWN", "Did you mean Join? The Pack has: Join, Tasks, Boards."],
    [["Task:update"], "TABLE_UNKNOWN", "Did you mean Tasks? The Pack has: Tasks, Boards."],
    [["Nothing:autocomplete:list"], "FORMULA_UNKNOWN", "The Pack has: Join, Tasks, Boards."],
    [
      ["Join:autocomplete:lst"],
      "METADATA_MISSING",
      "Use one of these parameters: list, count, names, extra.",
    ],
    [["Join:autocomplete:count"], "METADATA_MISSING", "The parameter count has no autocomplete."],
    [["Nothing:getName"], "TABLE_UNKNOWN", "The Pack has: Tasks, Boards."],
    [["Tasks:getName"], "METADATA_MISSING", "Tasks has no getName."],
    [["Tasks:options:title"], "METADATA_MISSING", "has no options function"],
    [
      ["Tasks:options:nothing"],
      "METADATA_MISSING",
      "Use one of these properties: id, title, state.",
    ],
    [["Tasks:incremental"], "TARGET_INVALID", 'pass "Tasks>incremental" as the target'],
    [["Tasks:nonsense"], "TARGET_INVALID", "Use one of these forms: Formula, Table,"],
    [["Auth:getConnectionUserId"], "METADATA_MISSING", "no getConnectionUserId"],
    [["Auth:postSetup:setEndpoint:Pick"], "METADATA_MISSING", "no step Pick"],
    [["Boards:update", "[]"], "METADATA_MISSING", "cannot be edited"],
    [["Tasks:update", "{"], "ARGUMENT_TYPE", "valid JSON"],
    [["Tasks:update"], "ARGUMENT_TYPE", "JSON such as"],
    [["Tasks:update", "[1]"], "ARGUMENT_TYPE", "Update 0 must be"],
    [["Join:autocomplete:names", "x", "[1]"], "ARGUMENT_TYPE", "a JSON object"],
    [["Join", "a", "--arg", "nothing=1"], "ARGUMENT_TYPE", "list, count, names"],
    [["Join", "a", "--timezone", "Mars/Base"], "ARGUMENT_TYPE", "is not a valid time zone"],
  ])("refuses %j", async (args, code, text) => {
    const run = await execute(...args);
    expect([run.code === 0, run.stdout]).toEqual([false, ""]);
    expect(run.stderr).toContain(code);
    expect(run.stderr).toContain(text);
  });

  it("runs a built bundle as it runs the source", async () => {
    const built = await runCli(["build", "pack.ts", "--out-dir", "out", "--json"], {
      cwd: folder.path,
    });
    expect(built.code).toBe(0);
    const { packs } = built.json<{ packs: { bundle?: string; name: string }[] }>();
    const file = `out/${packs[0]?.name}/bundle.js`;
    const source = (await execute("Tasks", "--json")).json<{ result: unknown }>().result;
    const bundle = await runCli(["execute", file, "Tasks", "--json"], { cwd: folder.path });
    expect(bundle.json<{ result: unknown }>().result).toEqual(source);
  });

  it("takes the older flags", async () => {
    expect(
      await readResult("Join", "inbox", "--vm", "--fetch", "--allowMultipleNetworkDomains"),
    ).toBe('["inbox",null,null,[]]');
  });

  it("gives a Pack the local time of a server", async () => {
    writeFileSync(
      join(folder.path, "hours.ts"),
      `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({ name: "Hours", description: "Reads the clock.", parameters: [], resultType: ValueType.Number, execute: async () => new Date(0).getHours() });`,
    );
    const inNewYork = { cwd: folder.path, env: { TZ: "America/New_York" } };
    const run = await runCli(["execute", "hours.ts", "Hours"], inNewYork);
    expect(run.stdout.trim()).toBe("0");
    writeFileSync(
      join(folder.path, "built.ts"),
      `export const pack = { networkDomains: ["h" + new Date(0).getHours() + ".example"] };`,
    );
    await runCli(["build", "built.ts", "--no-types"], inNewYork);
    const manifest = readFileSync(join(folder.path, "build/built/manifest.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ networkDomains: ["h0.example"] });
    await runCli(["docs", "built.ts"], inNewYork);
    expect(readFileSync(join(folder.path, "PACK.md"), "utf8")).toContain("h0.example");
  });

  it("has timers by strategy only", async () => {
    writeFileSync(
      join(folder.path, "timers.ts"),
      `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({ name: "Wait", description: "Waits.", parameters: [], resultType: ValueType.String, execute: async () => await new Promise<string>((resolve) => setTimeout(resolve, 60_000, "waited")) });`,
    );
    const run = (...flags: string[]) =>
      runCli(["execute", "timers.ts", "Wait", ...flags], { cwd: folder.path });
    expect((await run()).stderr).toContain("FORMULA_FAILED");
    expect((await run("--timer-strategy", "error")).stderr).toContain(
      "setTimeout does not exist in the Pack runtime",
    );
    expect((await run("--timerStrategy", "fake")).stdout).toBe("waited\n");
    expect((await run("--timer-strategy", "real")).code).toBe(2);
  });
});
