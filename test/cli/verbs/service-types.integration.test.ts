import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { describe, expect, it } from "vitest";
import { type Seed, startService } from "../../../src/testing.ts";
import { isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const createSeed = (column = "Name"): Seed => ({
  users: [{ name: "Ann", email: "ann@people.example" }],
  docs: [
    {
      id: "doc",
      title: "Odd names",
      tables: [
        {
          id: "grid-a",
          name: "my tasks",
          columns: [
            { id: "c-1", name: column },
            { id: "c-2", name: "Due */ date", type: "date" },
            { id: "c-3", name: "Same", type: "currency" },
            {
              id: "c-4",
              name: "Same",
              type: "select",
              isArray: true,
              format: { options: [{ name: 'a "b"' }, { name: "c" }] },
            },
            { id: "c-5", name: "Sum", type: "number", formula: "1+1" },
            { id: "c-6", name: "Others", type: "lookup", table: "My Tasks", isArray: true },
            { id: "c-7", name: "Free", type: "duration" },
          ],
        },
        { id: "grid-b", name: "My Tasks", columns: [{ id: "c-8", name: "Name" }] },
        { id: "grid-c", name: "2026", columns: [{ id: "c-9", name: "Name" }] },
        { id: "table-d", name: "Late", viewOf: "My Tasks" },
      ],
    },
  ],
});

async function start(seed?: Seed) {
  const folder = makeTemporaryFolder();
  const service = await startService(seed === undefined ? {} : { seed });
  const run = (...args: string[]) =>
    runCli(["service", "types", ...args], {
      cwd: folder.path,
      env: { PACKSMITH_SERVICE_URL: service.url, PACKSMITH_SERVICE_TOKEN: service.token },
    });
  const dispose = async () => {
    await service.close();
    folder[Symbol.dispose]();
  };
  return { folder, service, run, [Symbol.asyncDispose]: dispose };
}

/** What the compiler says about files next to the written types. */
function compile(folder: string, ...files: string[]): string[][] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      paths: { "packsmith/service": [join(root, "src/service.ts")] },
    },
  );
  return files.map((file) => {
    const source = program.getSourceFile(join(folder, file));
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")[0] ?? "",
    );
  });
}

describe("packsmith service types", () => {
  it.runIf(isLong)("writes the types of a document, which a program compiles with", async () => {
    await using test = await start();
    const { code, stderr } = await test.run("--doc", test.service.docId, "--out", "tables.ts");
    expect([code, stderr]).toEqual([0, expect.stringContaining("written  tables.ts")]);
    const program = (body: string) => `
      import { createServiceClient } from "packsmith/service";
      import { docId, tableIds, type Projects, type Tasks } from "./tables.ts";
      const client = createServiceClient({ baseUrl: "https://docs.example/apis/v1", token: "t" });
      const tasks = client.doc(docId).table<Tasks>(tableIds.Tasks);
      for await (const { values } of tasks.records.list()) { ${body} }
      export {};`;
    const programs = {
      "good.ts": `
        const due: Date | undefined = values.Due;
        const amount: number | undefined = values.Budget?.amount;
        if (values.Project) await client.doc(docId).table<Projects>(tableIds.Projects).records.get(values.Project);
        await tasks.records.insert({ rows: [{ Title: "x", Status: "Done", Due: due ?? null }] });
        await tasks.records.push("i-1", "Close");
        console.log(amount);`,
      "misspelt.ts": "console.log(values.Titel);",
      "no-option.ts": `await tasks.records.insert({ rows: [{ Status: "Closed" }] });`,
    };
    for (const [name, body] of Object.entries(programs))
      await writeFile(join(test.folder.path, name), program(body));
    expect(compile(test.folder.path, ...Object.keys(programs))).toEqual([
      [],
      [expect.stringContaining("Property 'Titel' does not exist")],
      [expect.stringContaining(`Type '"Closed"' is not assignable`)],
    ]);
  });

  it.runIf(isLong)(
    "writes names that are safe and different, options, lists, lookups and what is calculated",
    async () => {
      await using test = await start(createSeed());
      const { stdout } = await test.run("--doc", "doc");
      await writeFile(join(test.folder.path, "tables.ts"), stdout);
      expect(compile(test.folder.path, "tables.ts")).toEqual([[]]);
      expect(stdout).toMatchInlineSnapshot(`
      "// The tables of the document doc, as "packsmith service types" wrote them. Do not edit.
      import type { CellValue, Money, RowLink } from "packsmith/service";

      /** The id of the document. */
      export const docId = "doc";

      /** The ids of its tables. */
      export const tableIds = {
        MyTasks: "grid-a",
        MyTasks2: "grid-b",
        Table2026: "grid-c",
        Late: "table-d",
      } as const;

      /** Table "my tasks". */
      export interface MyTasks {
        /** text, c-1 */
        Name: string;
        /** date, c-2 */
        "Due */ date": Date;
        /** "Same", currency, c-3 */
        "c-3": Money;
        /** "Same", select, c-4 */
        "c-4": ("a \\"b\\"" | "c")[];
        /** number, calculated, c-5 */
        readonly Sum: number;
        /** lookup, c-6 */
        Others: RowLink<MyTasks2>[];
        /** duration, c-7 */
        Free: CellValue;
      }

      /** Table "My Tasks". */
      export interface MyTasks2 {
        /** text, c-8 */
        Name: string;
      }

      /** Table "2026". */
      export interface Table2026 {
        /** text, c-9 */
        Name: string;
      }

      /** Table "Late", a view of "My Tasks". */
      export interface Late {
        /** text, c-8 */
        Name: string;
      }
      "
    `);
    },
  );

  it("checks a file, and fails when the document has changed", async () => {
    using folder = makeTemporaryFolder();
    const run = async (seed: Seed, ...args: string[]) => {
      await using service = await startService({ seed });
      return await runCli(["service", "types", "--doc", "doc", "--out", "tables.ts", ...args], {
        cwd: folder.path,
        env: { PACKSMITH_SERVICE_URL: service.url, PACKSMITH_SERVICE_TOKEN: service.token },
      });
    };
    expect((await run(createSeed())).code).toBe(0);
    const written = await readFile(join(folder.path, "tables.ts"), "utf8");
    await writeFile(join(folder.path, "tables.ts"), written.replaceAll("\n", "\r\n"));
    expect(await run(createSeed(), "--check")).toMatchObject({ code: 0 });
    const failed = await run(createSeed("Renamed"), "--check", "--json");
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
      1,
      { error: { code: "TABLE_TYPES_STALE" } },
    ]);
    expect((await readFile(join(folder.path, "tables.ts"), "utf8")).length).toBeGreaterThan(0);
  });

  it.each<[string, string[], Record<string, string>, number, string]>([
    ["no service", ["--doc", "d"], {}, 2, "The URL of the service is missing."],
    ["no token", ["--doc", "d", "--from", "https://a.example"], {}, 2, "does not contain a token"],
    [
      "no file to check",
      ["--doc", "d", "--check"],
      {},
      2,
      "--check is set, but the file to check is missing.",
    ],
  ])("says what is missing: %s", async (_, args, env, code, message) => {
    using folder = makeTemporaryFolder();
    const run = await runCli(["service", "types", ...args], { cwd: folder.path, env });
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it("fails when the service refuses", async () => {
    await using test = await start();
    const { code, stderr } = await test.run("--doc", "none");
    expect([code, stderr]).toEqual([11, expect.stringContaining("IMPORT_FAILED")]);
  });
});
