import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { validatePacks } from "../../src/build/validate-packs.ts";
import { placeIssues } from "../../src/execute/pack-issues.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const issue = { code: "A", severity: "error" as const, message: "m", path: "p", hint: "h" };

describe("placeIssues", () => {
  it("names files relative to the working directory or, outside of it, by their absolute path, and keeps issues without a file", () => {
    const issues = [{ ...issue, file: "pack.ts" }, { ...issue, file: "../shared/api.ts" }, issue];
    expect(
      placeIssues(issues, "/project/packs/one", "/project/packs").map(({ file }) => file),
    ).toEqual(["one/pack.ts", "shared/api.ts", undefined]);
    expect(placeIssues(issues, "/project/packs/one", "/elsewhere").map(({ file }) => file)).toEqual(
      ["/project/packs/one/pack.ts", "/project/packs/shared/api.ts", undefined],
    );
  });
});

describe("the files of issues", () => {
  it("can be opened from where the command runs: of a rule, of a file that the Pack imports, and of a failed build", async () => {
    using folder = makeTemporaryFolder();
    const write = async (path: string, text: string) => {
      await mkdir(join(folder.path, path, ".."), { recursive: true });
      await writeFile(join(folder.path, path), text);
    };
    await write(
      "packs/one/pack.ts",
      `import { domain } from "./lib/domain.ts";\nimport { newPack } from "packsmith";\nexport const pack = newPack();\npack.addNetworkDomain(domain, "https://x.example");\n`,
    );
    await write("packs/one/lib/domain.ts", `export const domain = "api.example";\n`);
    await write("packs/two/pack.ts", "export const pack = ;\n");
    const { issues } = await validatePacks(["packs/one/pack.ts", "packs/two/pack.ts"], {
      cwd: folder.path,
    });
    expect(issues.map(({ file, line, code }) => ({ file, line, code }))).toEqual([
      { file: "packs/one/pack.ts", line: 4, code: "NETWORK_DOMAIN_INVALID" },
      { file: "packs/two/pack.ts", line: 1, code: "PACK_BUILD_FAILED" },
    ]);
  });

  it("a Pack with an error does not stop the others, and is not written", async () => {
    using folder = makeTemporaryFolder();
    for (const [name, domain] of [
      ["good", "a.example"],
      ["bad", "https://a.example"],
    ] as const) {
      await mkdir(join(folder.path, name));
      await writeFile(
        join(folder.path, name, "pack.ts"),
        `import { newPack } from "packsmith";\nexport const pack = newPack().addNetworkDomain("${domain}");\n`,
      );
    }
    const result = await buildPacks(["bad/pack.ts", "good/pack.ts"], {
      cwd: folder.path,
      outDir: "out",
    });
    expect({
      ok: result.ok,
      names: result.packs.map(({ name }) => name),
      code: result.failure?.error.code,
    }).toEqual({
      ok: false,
      names: ["good"],
      code: "PACK_INVALID",
    });
  });

  it("two Packs of one name are refused before anything is written", async () => {
    using folder = makeTemporaryFolder();
    for (const parent of ["a", "b"]) {
      await mkdir(join(folder.path, parent, "same"), { recursive: true });
      await writeFile(join(folder.path, parent, "same", "package.json"), `{ "name": "same" }`);
      await writeFile(
        join(folder.path, parent, "same", "pack.ts"),
        `import { newPack } from "packsmith";\nexport const pack = newPack();\n`,
      );
    }
    const { packs, failure } = await buildPacks(["a/same/pack.ts", "b/same/pack.ts"], {
      cwd: folder.path,
      outDir: "out",
    });
    expect([packs, failure?.cause.code]).toEqual([[], "PACK_NAME_CONFLICT"]);
  });
});
