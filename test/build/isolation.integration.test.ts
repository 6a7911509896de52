import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { createProject } from "../bundle/project.ts";

const PACK = `import { newPack } from "packsmith";\nexport const pack = newPack();\n`;
const named = (name: string): string => JSON.stringify({ name });

describe("one Pack among many", () => {
  it("stops only itself when it does not build, does not load, is missing or has the name of another", async () => {
    await using project = await createProject({
      "good/pack.ts": PACK,
      "syntax/pack.ts": `${PACK}const = 1;\n`,
      "throws/pack.ts": `${PACK}throw new Error("Not today.");\n`,
      "one/pack.ts": PACK,
      "one/package.json": named("same"),
      "two/pack.ts": PACK,
      "two/package.json": named("same"),
    });
    const files = ["syntax", "throws", "missing", "one", "two", "good"].map(
      (name) => `${name}/pack.ts`,
    );
    const { ok, packs, issues } = await buildPacks(files, {
      cwd: project.directory,
      outDir: "out",
      types: false,
      cache: false,
    });
    expect(ok).toBe(false);
    expect(packs.map(({ name }) => name)).toEqual(["good"]);
    expect(issues.map(({ code, file, severity }) => `${severity} ${code} ${file}`)).toEqual([
      "error PACK_BUILD_FAILED syntax/pack.ts",
      "error PACK_LOAD_FAILED throws/pack.ts",
      "error PACK_FILE_UNREADABLE missing/pack.ts",
      "error PACK_NAME_CONFLICT one/pack.ts",
      "error PACK_NAME_CONFLICT two/pack.ts",
    ]);
  });

  it("is named when its bundle is over the budget", async () => {
    await using project = await createProject({ "small/pack.ts": PACK });
    const { issues } = await buildPacks(["small/pack.ts"], {
      cwd: project.directory,
      outDir: "out",
      types: false,
      cache: false,
      budgetBytes: 1,
    });
    expect(issues.map(({ code, file, message }) => [code, file, message.split(":")[0]])).toEqual([
      ["BUNDLE_BUDGET", "small/pack.ts", "small"],
    ]);
  });
});
