import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isPackError } from "../../../../src/errors.ts";
import { startService } from "../../../../src/service/local/service.ts";
import { readSeedFile } from "../../../../src/service/local/store/seed-file.ts";
import { parseYaml } from "../../../../src/shared/parse-yaml.ts";
import { isLong } from "../../../support/breadth.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";

const JSON_SEED = {
  users: [{ name: "First", email: "first@service.example" }],
  tokens: [{ token: "reads", scopes: ["read"] }],
  docs: [
    {
      id: "plans",
      title: "no",
      pages: [{ name: "Start", content: "# Welcome\n\n- [ ] read this" }],
      tables: [
        {
          name: "Tasks",
          columns: [{ name: "Title" }, { name: "Due" }, { name: "Done", type: "checkbox" }],
          rows: [{ Title: "one", Due: "2026-01-31", Done: false }],
        },
      ],
    },
  ],
};

const YAML_SEED = `# The same seed.
users:
  - { name: First, email: first@service.example }
tokens:
  - token: reads
    scopes: [read]
docs:
  - id: plans
    title: no
    pages:
      - name: Start
        content: |-
          # Welcome

          - [ ] read this
    tables:
      - name: Tasks
        columns: [{ name: Title }, { name: Due }, { name: Done, type: checkbox }]
        rows:
          - { Title: one, Due: 2026-01-31, Done: false }
`;

const HEAD = "users: [{ name: A, email: a@service.example }]\n";

async function read(name: string, text: string) {
  using folder = makeTemporaryFolder();
  await writeFile(join(folder.path, name), text);
  return await readSeedFile(join(folder.path, name));
}

async function catchProblems(name: string, text: string): Promise<readonly string[]> {
  const error = await read(name, text).catch((thrown: unknown) => thrown);
  if (!isPackError(error, "SEED_INVALID")) throw error;
  expect(error.details.file).toMatch(new RegExp(`${name}$`));
  expect(error.message).toContain(error.details.problems[0]);
  return error.details.problems;
}

describe("a seed file", () => {
  it.each(["seed.yaml", "seed.yml", "SEED.YAML"])(
    "named %s gives the service that the same JSON gives",
    async (name) => {
      const [fromYaml, fromJson] = [
        await read(name, YAML_SEED),
        await read("seed.json", JSON.stringify(JSON_SEED)),
      ];
      expect(fromYaml).toEqual(fromJson);
      const contents = [];
      for (const seed of [fromYaml, fromJson]) {
        await using service = await startService({ seed, now: () => Date.UTC(2026, 0, 1) });
        const headers = { authorization: "Bearer reads" };
        const rows = await fetch(
          `${service.url}/docs/plans/tables/Tasks/rows?useColumnNames=true`,
          { headers },
        );
        const { items } = (await rows.json()) as { items: { name: string; values: unknown }[] };
        const doc = (await (await fetch(`${service.url}/docs/plans`, { headers })).json()) as {
          name: string;
        };
        contents.push([doc.name, items.map(({ values }) => values)]);
      }
      expect(contents[0]).toEqual(["no", [{ Title: "one", Due: expect.anything(), Done: false }]]);
      expect(contents[0]).toEqual(contents[1]);
    },
  );

  it("with broken YAML is SEED_INVALID with the line and the column", async () => {
    expect(await catchProblems("seed.yaml", `${HEAD}docs: [\n  { title: A }\n`)).toEqual([
      expect.stringMatching(/^line 4, column 1: /),
    ]);
    expect(await catchProblems("seed.yaml", `${HEAD}docs: []\nusers: []\n`)).toEqual([
      "line 3, column 1: Map keys must be unique",
    ]);
    expect(await catchProblems("seed.yaml", `${HEAD}docs:\n\t- title: A\n`)).toEqual([
      expect.stringMatching(/^line 3, column 1: Tabs/),
    ]);
    expect(await catchProblems("seed.yaml", `${HEAD}---\ndocs: []\n`)).toEqual([
      expect.stringMatching(/^line 2, column 1: .*multiple documents/),
    ]);
    expect(await catchProblems("seed.yaml", `${HEAD}docs: !!js/function "x"\n`)).toEqual([
      expect.stringMatching(/^line 2, column 7: Unresolved tag/),
    ]);
    expect(await catchProblems("seed.yaml", `${HEAD}docs: *none\n`)).toEqual([
      expect.stringMatching(/^line 2, column 7: There is no anchor "none"/),
    ]);
  });

  it("says what a YAML seed does not describe with the paths of a JSON seed", async () => {
    const text = "users: []\ndocs: [{ title: 1 }]\n";
    expect(await catchProblems("seed.yaml", text)).toEqual(
      await catchProblems("seed.json", '{"users":[],"docs":[{"title":1}]}'),
    );
    expect(await catchProblems("seed.yaml", "")).toEqual(await catchProblems("seed.json", "null"));
    expect(await catchProblems("seed.yaml", `${HEAD}docs: []\n<<: { more: 1 }\n`)).toEqual([
      'seed: has unknown fields: "<<"',
    ]);
  });

  it.each([
    ['{"docs":[]}', "users: is missing"],
    ['{"users":{},"docs":[]}', "users: must be a list"],
    ['{"users":[],"docs":[]}', "users: must not be empty"],
    [
      '{"users":[{"name":"A","email":"a@service.example","role":"Edtor"}],"docs":[]}',
      "users[0].role: must be Admin, DocMaker or Editor; did you mean Editor?",
    ],
    ['{"users":[{"name":"A","email":5}],"docs":[]}', "users[0].email: must be text"],
    [
      '{"users":[{"name":"A","email":"a@service.example"}],"docs":[{"title":"D","id":"a b"}]}',
      "docs[0].id: must be 1 to 64 letters, digits, hyphens or underscores",
    ],
    [
      '{"users":[{"name":"A","email":"a@service.example"}],"docs":[{"title":"D","createdAt":"today"}]}',
      "docs[0].createdAt: must be a time such as 2026-01-31T12:00:00Z",
    ],
    [
      '{"users":[{"name":"A","email":"a@service.example"}],"docs":[{"title":"D","tables":[{"name":"T","columns":[{"name":"C"}],"rows":[{"C":null}]}]}]}',
      "docs[0].tables[0].rows[0].C: must be text, a number, true or false or a list",
    ],
    ["5", "seed: must be an object"],
  ])(
    "says what is wrong with %s in plain words, not in those of the schema library",
    async (text, problem) => {
      expect(await catchProblems("seed.json", text)).toEqual([problem]);
    },
  );

  it("may repeat a part by an alias, but is no bomb", async () => {
    const columns = "columns: &columns [{ name: Title }]";
    const tables = `docs:\n  - title: A\n    tables:\n      - { name: One, ${columns} }\n      - { name: Two, columns: *columns }\n`;
    expect((await read("seed.yaml", HEAD + tables)).docs[0]?.tables?.[1]).toEqual({
      name: "Two",
      columns: [{ name: "Title" }],
    });
    const bomb = Array.from(
      { length: 12 },
      (_, at) => `b${at + 1}: &b${at + 1} [${Array(9).fill(`*b${at}`).join(", ")}]`,
    ).join("\n");
    expect(await catchProblems("seed.yaml", `b0: &b0 [1]\n${bomb}\n`)).toEqual([
      expect.stringContaining("aliases repeat too much"),
    ]);
    expect(await catchProblems("seed.yaml", "a: &a [*a]\n")).toEqual([
      expect.stringContaining("contains itself"),
    ]);
    expect((await catchProblems("seed.yaml", "[".repeat(50_000))).length).toBeLessThanOrEqual(20);
  });

  it.runIf(isLong)("is read up to a size", async () => {
    expect(await catchProblems("seed.yaml", `# ${"x".repeat(5 * 1_024 * 1_024)}`)).toEqual([
      expect.stringContaining("use JSON for a larger one"),
    ]);
    expect(await catchProblems("seed.json", " ".repeat(50 * 1_024 * 1_024 + 1))).toEqual([
      expect.stringContaining("larger than"),
    ]);
  });

  it.runIf(process.platform !== "win32")("is not awaited from a pipe", async () => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "seed.json");
    execFileSync("mkfifo", [path]);
    await expect(readSeedFile(path)).rejects.toMatchObject({
      code: "SEED_INVALID",
      details: { problems: ["it is a pipe or a device, not a file"] },
    });
  });

  it("with names such as __proto__ has own keys of that name", () => {
    const parsed = parseYaml("__proto__: { polluted: true }\nconstructor: 1\n2: x\n");
    expect(parsed.ok && Object.entries(parsed.value as object)).toEqual([
      ["2", "x"],
      ["__proto__", { polluted: true }],
      ["constructor", 1],
    ]);
    expect("polluted" in {}).toBe(false);
  });

  it("that is written as YAML is read as the value that was written, and no text makes the reader throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseYaml(stringify(value))).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
      { numRuns: isLong ? 100 : 20 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string({ unit: fc.constantFrom(..."a-:[]{}&*!|>'\"#\n\t ?,%@") }),
        ),
        (text) => {
          expect(parseYaml(text)).toHaveProperty("ok");
        },
      ),
    );
  });
});
