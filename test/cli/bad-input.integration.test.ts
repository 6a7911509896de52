import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const HELLO = `
import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({
  name: "Double", description: "Doubles a number.", resultType: ValueType.Number,
  parameters: [makeParameter({ type: ParameterType.Number, name: "value", description: "A number." })],
  execute: async ([value]) => value * 2,
});
pack.addFormula({
  name: "Fail", description: "Fails.", resultType: ValueType.Number, parameters: [],
  execute: async () => { throw new Error("no luck"); },
});
`;

describe("bad input on the command line", () => {
  it.each([
    {
      name: "a file that does not exist",
      args: ["build", "missing.ts"],
      code: "PACK_FILE_UNREADABLE",
      exit: 2,
    },
    {
      name: "a Pack with a syntax error",
      source: "export const pack = ;",
      args: ["build", "pack.ts"],
      code: "PACK_BUILD_FAILED",
      exit: 10,
    },
    {
      name: "a Pack that throws while it loads",
      source: `export const pack = {}; throw new Error("at load");`,
      args: ["validate", "pack.ts"],
      code: "PACK_LOAD_FAILED",
      exit: 1,
    },
    {
      name: "a Pack without a pack export",
      source: "export const other = 1;",
      args: ["validate", "pack.ts"],
      code: "PACK_EXPORT_MISSING",
      exit: 1,
    },
    {
      name: "an import that is not installed",
      source: `import "not-there"; export const pack = {};`,
      args: ["build", "pack.ts"],
      code: "PACK_BUILD_FAILED",
      exit: 10,
    },
    {
      name: "a Node module",
      source: `import "node:fs"; export const pack = {};`,
      args: ["build", "pack.ts"],
      code: "PACK_BUILD_FAILED",
      exit: 10,
    },
    {
      name: "an unknown formula",
      args: ["execute", "pack.ts", "Tripple"],
      code: "FORMULA_UNKNOWN",
      exit: 2,
    },
    {
      name: "too few arguments",
      args: ["execute", "pack.ts", "Double"],
      code: "ARGUMENT_COUNT",
      exit: 2,
    },
    {
      name: "too many arguments",
      args: ["execute", "pack.ts", "Double", "1", "2"],
      code: "ARGUMENT_COUNT",
      exit: 2,
    },
    {
      name: "an argument of another type",
      args: ["execute", "pack.ts", "Double", "many"],
      code: "ARGUMENT_TYPE",
      exit: 2,
    },
    {
      name: "a formula that throws",
      args: ["execute", "pack.ts", "Fail"],
      code: "FORMULA_FAILED",
      exit: 1,
    },
    { name: "an unknown command", args: ["bild", "pack.ts"], code: "USAGE_INVALID", exit: 2 },
    {
      name: "an unknown option",
      args: ["build", "pack.ts", "--fast"],
      code: "USAGE_INVALID",
      exit: 2,
    },
    {
      name: "a route that leaves the machine",
      args: ["execute", "pack.ts", "Double", "1", "--route", "https://a.example=https://b.example"],
      code: "ROUTE_INVALID",
      exit: 2,
    },
    {
      name: "connecting a Pack without authentication",
      args: ["auth", "connect", "pack.ts"],
      code: "OAUTH_NOT_CONFIGURED",
      exit: 2,
    },
    {
      name: "a template that does not exist",
      args: ["init", "new-pack", "-t", "everything"],
      code: "TEMPLATE_UNKNOWN",
      exit: 2,
    },
    {
      name: "a port that is none",
      args: ["service", "--port", "http"],
      code: "USAGE_INVALID",
      exit: 2,
    },
  ])(
    "$name ends with $code and exit code $exit, in JSON and in text, without a stack trace",
    async ({ source, args, code, exit }) => {
      using folder = makeTemporaryFolder();
      await writeFile(join(folder.path, "pack.ts"), source ?? HELLO);
      const env = { PACKSMITH_HOME: join(folder.path, "home") };
      const machine = await runCli([...args, "--json"], { cwd: folder.path, env });
      expect({ exit: machine.code, document: machine.json() }).toMatchObject({
        exit,
        document: { ok: false, error: { code, message: expect.stringMatching(/\S/) } },
      });
      const person = await runCli(args, { cwd: folder.path, env });
      expect(person.code).toBe(exit);
      const isProblem = args[0] === "build" || args[0] === "validate";
      const shown = isProblem && code !== "USAGE_INVALID" ? person.stdout : person.stderr;
      expect(shown).toContain(code);
      expect(shown).toContain("→");
      expect(person.stdout + person.stderr + machine.stderr).not.toMatch(
        /\n\s+at .*\(?(node:|file:|\/)/,
      );
    },
  );

  it("a busy port names the port", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    for (const verb of ["service", "provider"]) {
      const run = await runCli([verb, "--port", String(port), "--json"]);
      expect({ code: run.code, document: run.json() }).toMatchObject({
        code: 11,
        document: {
          ok: false,
          error: { code: "PORT_IN_USE", message: expect.stringContaining(String(port)) },
        },
      });
    }
    blocker.close();
  });

  it("init into a folder with files changes nothing", async () => {
    using folder = makeTemporaryFolder();
    await mkdir(join(folder.path, "full"));
    await writeFile(join(folder.path, "full", "notes.txt"), "mine");
    const run = await runCli(["init", "full", "--json"], { cwd: folder.path });
    expect({ code: run.code, document: run.json() }).toMatchObject({
      code: 2,
      document: { error: { code: "TARGET_NOT_EMPTY" } },
    });
  });

  it("a corrupt vault is reported and left as it is", async () => {
    using folder = makeTemporaryFolder();
    const home = join(folder.path, "home");
    const options = { cwd: folder.path, env: { PACKSMITH_HOME: home } };
    expect((await runCli(["auth", "list"], options)).code).toBe(0);
    const damaged = "this is no database ".repeat(50);
    await writeFile(join(home, "vault.db"), damaged);
    const run = await runCli(["auth", "list", "--json"], options);
    expect(await readFile(join(home, "vault.db"), "utf8")).toBe(damaged);
    expect({ code: run.code, document: run.json() }).toMatchObject({
      code: 12,
      document: { ok: false, error: { code: "VAULT_CORRUPT" } },
    });
  });
});
