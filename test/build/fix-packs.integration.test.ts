import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixPacks } from "../../src/build/fix-packs.ts";
import { makeProject } from "../support/project.ts";

const formula = (members: string) => `pack.addFormula({
  name: "Hello",
  description: "Greets someone.",
  parameters: [],
  resultType: "string",
${members}  execute: () => "Hello!",
});
`;
const pack = (...parts: string[]) =>
  `import { newPack } from "packsmith";\nexport const pack = newPack();\n${parts.join("")}`;

describe("fixPacks", () => {
  it("changes the Pack's files until nothing is left that is certain, and says what it did", async () => {
    using project = makeProject({
      "pack.ts": `import { domain, title } from "./lib/shared";\n${pack(`pack.addNetworkDomain("https://tasks.example", domain);\n`, formula("  cacheTtlSec: 60,\n").replace("parameters: []", "parameters: [title]"))}`,
      "lib/shared.ts": `export const domain = "files.example";\nexport const title = { type: "string", name: "title", description: "T.", defaultValue: "a", suggestedValue: "b" };\n`,
    });
    const result = await fixPacks(["pack.ts"], { cwd: project.path, types: false });
    expect({ ok: result.ok, issues: result.issues }).toEqual({ ok: true, issues: [] });
    expect(
      result.fixed.map(
        ({ code, file, line, description }) => `${code} ${file}:${line} ${description}`,
      ),
    ).toEqual([
      'NETWORK_DOMAIN_INVALID pack.ts:4 Write "tasks.example".',
      "KEY_UNKNOWN pack.ts:10 Rename cacheTtlSec to cacheTtlSecs.",
      "DEPRECATED_KEY lib/shared.ts:2 Remove defaultValue.",
    ]);
    expect(project.read("pack.ts")).toContain('pack.addNetworkDomain("tasks.example", domain);');
    expect(project.read("lib/shared.ts")).toContain('description: "T.", suggestedValue: "b" }');
    expect((await fixPacks(["pack.ts"], { cwd: project.path, types: false })).fixed).toEqual([]);
  });

  it("keeps line ends, a byte order mark, the mode of the file and a link to it; leaves no other file", async () => {
    using project = makeProject({
      "real/pack.ts": `\uFEFF${pack(formula("  cacheTtlSec: 60,\n")).replaceAll("\n", "\r\n")}`,
    });
    chmodSync(join(project.path, "real/pack.ts"), 0o640);
    symlinkSync("real/pack.ts", join(project.path, "pack.ts"));
    const { fixed } = await fixPacks(["pack.ts"], { cwd: project.path, types: false });
    expect(fixed).toHaveLength(1);
    expect(project.read("pack.ts")).toBe(
      `\uFEFF${pack(formula("  cacheTtlSecs: 60,\n")).replaceAll("\n", "\r\n")}`,
    );
    expect(statSync(join(project.path, "pack.ts")).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(project.path, "pack.ts")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(project.path, "real"))).toEqual(["pack.ts"]);
  });

  it("does not touch installed packages, nor a file that several Packs share more than once", async () => {
    const shared = `export const options = { name: "A", description: "D.", parameters: [], cacheTtlSec: 1, resultType: "string", execute: () => "" };\n`;
    using project = makeProject({
      "node_modules/other/package.json": JSON.stringify({ name: "other", main: "index.js" }),
      "node_modules/other/index.js": shared,
      "installed.ts": `import { options } from "other";\n${pack("pack.addFormula(options as never);\n")}`,
      "shared.ts": shared,
      "a.ts": `import { options } from "./shared";\n${pack("pack.addFormula(options as never);\n")}`,
      "b.ts": `import { options } from "./shared";\n${pack("pack.addFormula(options as never);\n")}`,
    });
    const result = await fixPacks(["installed.ts", "a.ts", "b.ts"], {
      cwd: project.path,
      types: false,
    });
    expect(result.fixed.map(({ file }) => file)).toEqual(["shared.ts"]);
    expect(project.read("node_modules/other/index.js")).toBe(shared);
    expect(result.issues.map(({ code }) => code)).toEqual(["KEY_UNKNOWN"]);
  });

  it("replaces deprecated factories by the current ones", async () => {
    using project = makeProject({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nexport const title = () => coda.makeStringParameter("title", "The title.");\n`,
    });
    const { ok, fixed } = await fixPacks(["pack.ts"], { cwd: project.path, types: false });
    expect({ ok, fixed: fixed.map(({ description }) => description) }).toEqual({
      ok: true,
      fixed: ["Replace makeStringParameter with makeParameter."],
    });
    expect(project.read("pack.ts")).toContain(
      'coda.makeParameter({ type: coda.ParameterType.String, name: "title", description: "The title." })',
    );
  });

  it("goes on where one Pack does not build", async () => {
    using project = makeProject({
      "broken.ts": "export const pack = ;\n",
      "pack.ts": pack(formula("  cacheTtlSec: 60,\n")),
    });
    const { ok, fixed, issues } = await fixPacks(["broken.ts", "pack.ts"], {
      cwd: project.path,
      types: false,
    });
    expect({ ok, fixed: fixed.length, codes: issues.map(({ code }) => code) }).toEqual({
      ok: false,
      fixed: 1,
      codes: ["PACK_BUILD_FAILED"],
    });
  });
});
