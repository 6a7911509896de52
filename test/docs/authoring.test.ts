import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as authoring from "../../src/index.ts";
import { runCli } from "../support/cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(new URL("../../docs/authoring.md", import.meta.url), "utf8");

describe("docs/authoring.md", () => {
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
    const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
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

  it("has an anchor for each of its links", () => {
    const used = new Map<string, number>();
    const anchors = [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => {
      const slug = heading
        .toLowerCase()
        .replace(/[^a-z0-9 _-]/g, "")
        .replaceAll(" ", "-");
      const count = used.get(slug) ?? 0;
      used.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    });
    const links = [
      ...new Set([...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor)),
    ];
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
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
