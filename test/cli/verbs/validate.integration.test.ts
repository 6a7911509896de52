import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";
import { sarifSchema } from "../../validate/formats/sarif-schema.ts";

const PACK = `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("https://tasks.example");
pack.addFormula({
  name: "Hello",
  description: "Greets someone.",
  parameters: [],
  resultType: "string",
  cacheTtlSec: 60,
  execute: () => "Hello!",
});
`;

/** No TypeScript is installed in most projects of these tests. */
const UNCHECKED = "types  not checked: TypeScript is not installed for pack.ts\n";

describe("packsmith validate", () => {
  it.each(["validate", "build"])(
    "%s writes problems to stdout, one line each outside a terminal, and its progress to stderr",
    async (verb) => {
      using project = makeProject({ "pack.ts": PACK });
      const { code, stdout, stderr } = await runCli([verb, "pack.ts"], { cwd: project.path });
      expect(code).toBe(1);
      expect(stdout).toMatchInlineSnapshot(`
      "pack.ts:3:23  error  NETWORK_DOMAIN_INVALID  "https://tasks.example" has a protocol.  → Write tasks.example.
      pack.ts:9:3  error  KEY_UNKNOWN  "cacheTtlSec" is not a known key here.  → Rename the key to cacheTtlSecs.
      "
    `);
      const end = verb === "validate" ? "invalid  pack.ts" : "failed  0 of 1 built";
      expect(stderr).toBe(`${UNCHECKED}${end}  2 errors  (validate --fix can fix 2)\n`);
    },
  );

  it("writes nothing to stdout for a valid Pack", async () => {
    using project = makeProject({
      "pack.ts": PACK.replace("https://", "").replace("cacheTtlSec:", "cacheTtlSecs:"),
    });
    const { code, stdout, stderr } = await runCli(["validate", "pack.ts"], { cwd: project.path });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "",
      stderr: `${UNCHECKED}valid  pack.ts  no problems\n`,
    });
  });

  it.each([["--json"], ["--format=json"]])(
    "writes one JSON document for several Packs with %s",
    async (flag) => {
      using project = makeProject({ "a.ts": PACK, "b.ts": PACK });
      const { code, json, stderr } = await runCli(["validate", "a.ts", "b.ts", flag], {
        cwd: project.path,
      });
      const { ok, issues, error } = json<{
        ok: boolean;
        issues: { file: string; fix: { edits: object[] } }[];
        error: { code: string };
      }>();
      expect({ code, ok, error: error.code, stderr }).toEqual({
        code: 1,
        ok: false,
        error: "PACK_INVALID",
        stderr: "",
      });
      expect(issues.map(({ file }) => file)).toEqual(["a.ts", "a.ts", "b.ts", "b.ts"]);
      const start = PACK.indexOf('"https');
      expect(issues[0]?.fix.edits).toEqual([
        { file: "a.ts", start, end: start + 23, text: '"tasks.example"' },
      ]);
    },
  );

  it("checks pack.ts when no file is named, and says so where there is none", async () => {
    using project = makeProject({ "pack.ts": PACK });
    expect(
      (await runCli(["validate", "--json", "--no-types"], { cwd: project.path })).stdout,
    ).toContain('"file":"pack.ts"');
    using empty = makeProject({});
    const { code, stdout } = await runCli(["validate"], { cwd: empty.path });
    expect(code).toBe(2);
    expect(stdout).toContain("pack.ts:1:1  error  PACK_FILE_UNREADABLE");
  });

  it("writes SARIF and GitHub annotations to stdout", async () => {
    using project = makeProject({ "pack.ts": PACK });
    const sarif = await runCli(["validate", "pack.ts", "--format", "sarif"], { cwd: project.path });
    expect(sarifSchema.parse(sarif.json()).runs[0]?.results).toHaveLength(2);
    const github = await runCli(["build", "pack.ts", "--format", "github"], { cwd: project.path });
    expect(github.stdout).toMatchInlineSnapshot(`
      "::error file=pack.ts,line=3,col=23,title=NETWORK_DOMAIN_INVALID::"https://tasks.example" has a protocol.%0AWrite tasks.example.
      ::error file=pack.ts,line=9,col=3,title=KEY_UNKNOWN::"cacheTtlSec" is not a known key here.%0ARename the key to cacheTtlSecs.
      "
    `);
    expect([sarif.code, github.code]).toEqual([1, 1]);
  });

  it("mends what is certain with --fix, and lists it with --json", async () => {
    using project = makeProject({ "pack.ts": PACK, "again.ts": PACK });
    const person = await runCli(["validate", "pack.ts", "--fix"], { cwd: project.path });
    expect(person.code).toBe(0);
    expect(person.stderr).toMatchInlineSnapshot(`
      "fixed  pack.ts:3:23  Write "tasks.example".
      fixed  pack.ts:9:3  Rename cacheTtlSec to cacheTtlSecs.
      types  not checked: TypeScript is not installed for pack.ts
      valid  pack.ts  2 fixed, no problems left
      "
    `);
    const machine = await runCli(["validate", "again.ts", "--fix", "--json"], {
      cwd: project.path,
    });
    expect(machine.json()).toEqual({
      ok: true,
      issues: [],
      fixed: [
        {
          code: "NETWORK_DOMAIN_INVALID",
          description: 'Write "tasks.example".',
          file: "again.ts",
          line: 3,
          column: 23,
        },
        {
          code: "KEY_UNKNOWN",
          description: "Rename cacheTtlSec to cacheTtlSecs.",
          file: "again.ts",
          line: 9,
          column: 3,
        },
      ],
    });
    expect(project.read("pack.ts")).toBe(
      PACK.replace("https://", "").replace("cacheTtlSec:", "cacheTtlSecs:"),
    );
  });

  it("type-checks unless --no-types is given, and says when it could not", async () => {
    const wrong = PACK.replace("https://", "")
      .replace("cacheTtlSec:", "cacheTtlSecs:")
      .replace('=> "Hello!"', "=> 3");
    using project = makeProject({ "pack.ts": wrong }, "typescript");
    const readCode = async (...flags: string[]) =>
      (await runCli(["validate", "pack.ts", ...flags], { cwd: project.path })).code;
    expect([await readCode(), await readCode("--no-types")]).toEqual([1, 0]);
    using bare = makeProject({ "pack.ts": wrong });
    for (const verb of ["validate", "build"])
      expect((await runCli([verb, "pack.ts"], { cwd: bare.path })).stderr).toContain(UNCHECKED);
    const without = await runCli(["validate", "pack.ts", "--no-types"], { cwd: bare.path });
    expect(without.stderr).not.toContain("TypeScript");
  });

  it.each([
    [["--format", "xml"], '"xml" is not a valid output format.'],
    [["--format", "sarif", "--json"], "cannot be used together"],
  ])("refuses %j with exit code 2", async (flags, message) => {
    const { code, stdout, stderr } = await runCli(["validate", "pack.ts", ...flags]);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(message);
  });
});
