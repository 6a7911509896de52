import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as authoring from "../../src/index.ts";
import { runCli } from "../support/cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = new URL("../../docs/", import.meta.url);
const page = readdirSync(docs)
  .filter((name) => /^authoring.*\.md$/.test(name))
  .map((name) => readFileSync(new URL(name, docs), "utf8"))
  .join("\n");

describe("the authoring reference", () => {
  it("is up to date with the doc comments, and every public name has one", async () => {
    const output = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [".ci/generate-docs.mjs", "--check"],
        { cwd: root },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      );
    });
    expect(output).toBe("");
  });

  it("describes current names, and not deprecated ones", () => {
    const headings = [...page.matchAll(/^##+ (.+)$/gm)].map(([, name]) => name);
    const described = Object.keys(authoring).filter((name) => headings.includes(name));
    expect(described).toEqual(
      expect.arrayContaining([
        "newPack",
        "makeFormula",
        "makeSyncTable",
        "UserVisibleError",
        "ValueHintType",
      ]),
    );
    expect(Object.keys(authoring).filter((name) => !headings.includes(name))).toEqual(
      expect.arrayContaining(["NetworkConnection", "TableRole", "makePropertyOptionsFormula"]),
    );
    expect(page).not.toContain("Accepted for compatibility with existing Packs");
  });

  it("has a page per subject, of at most 700 lines", () => {
    const index = readFileSync(new URL("authoring.md", docs), "utf8");
    for (const name of readdirSync(docs).filter((each) => each.startsWith("authoring-"))) {
      expect(index).toContain(`](${name}#`);
      const { length } = readFileSync(new URL(name, docs), "utf8").split("\n");
      expect([name, length <= 700]).toEqual([name, true]);
    }
  });
});

describe("the Packs of the examples", () => {
  const files = readdirSync(new URL("../../docs/examples/", import.meta.url)).filter((name) =>
    name.endsWith(".ts"),
  );

  it.each(files)("%s is valid", async (file) => {
    const { code, stderr, stdout } = await runCli(["validate", `docs/examples/${file}`], {
      cwd: root,
    });
    expect(stdout + stderr).toContain("no problems");
    expect(code).toBe(0);
  });
});
