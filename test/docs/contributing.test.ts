import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findWalkProblems, readWalks } from "../support/walks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const paths = [
  ...page.matchAll(/\b((?:src|test|docs|templates|examples|\.ci)\/[\w./*-]*[\w/*])/g),
].map(([, path = ""]) => path);
const folders = readdirSync(join(root, "src"), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe("CONTRIBUTING.md", () => {
  it("names only files and folders that exist", () => {
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  it("has every folder of src/ in its map", () => {
    const rows = [...page.matchAll(/^\| `src\/([\w-]+)\/` \|/gm)].map(([, folder]) => folder);
    expect(rows.toSorted()).toEqual(folders.toSorted());
  });

  it("names only subfolders that exist", () => {
    const rows = [...page.matchAll(/^\| `(src\/[\w-]+\/)` \| (.*) \|$/gm)];
    const named = rows.flatMap(([, folder, text]) =>
      [...(text ?? "").matchAll(/`([\w-]+\/)`/g)].map(([, inner]) => `${folder}${inner}`),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("names only scripts of package.json", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...page.matchAll(/npm (?:run )?(?!run\b|ci\b)([\w:]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(named).toContain("check");
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe("a walk of CONTRIBUTING.md", () => {
  const walks = readWalks(page);

  it("exists for each of the six values", () => {
    expect(walks.map(({ title }) => title)).toEqual([
      "A definition out of the sandbox",
      "`tokenUrl` to the POST for the first token",
      "`packsmith build pack.ts`, from the command to the written files",
      "A change of a row to the SQL statement and its answer",
      "An argument into the sandbox, and the result back",
      "A click on Run, and the result on the page",
    ]);
  });

  it("names files that exist, and functions that are in them", () => {
    expect(findWalkProblems(walks, root)).toEqual([]);
  });

  it("has a file on each line, numbered from 1, and says a function or that there is none", () => {
    for (const { steps } of walks) {
      expect(steps.map(({ number }) => number)).toEqual(steps.map((_step, index) => index + 1));
      for (const { text, files, functions } of steps) {
        expect(files, text).not.toEqual([]);
        if (functions.length === 0) expect(text).toMatch(/, top level: |^\d+\. From /);
      }
    }
  });

  it("of `tokenUrl` has at most 14 files, after the definition is out of the sandbox", () => {
    const { steps } = walks.find(({ title }) => title.startsWith("`tokenUrl`")) ?? { steps: [] };
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.length).toBeLessThanOrEqual(14);
  });

  it("names a file once", () => {
    for (const { title, steps } of walks) {
      const files = steps.flatMap((step) => (step.text.includes(". From ") ? [] : step.files));
      expect(
        files.filter((file, index) => files.indexOf(file) !== index),
        title,
      ).toEqual([]);
    }
  });

  it("fails with the place of what was renamed or moved", () => {
    const renamed = page
      .replaceAll("`fillDefinition`", "`fillNothing`")
      .replaceAll("src/oauth/endpoint.ts", "src/oauth/run/endpoint.ts")
      .replaceAll("`src/oauth/send.ts`, `send`", "`src/oauth/send.ts`, `sendOut`");
    expect(findWalkProblems(readWalks(renamed), root)).toEqual([
      expect.stringMatching(
        /: src\/\S+ has no function fillNothing\. No file has a function fillNothing\.$/,
      ),
      expect.stringMatching(
        /: src\/oauth\/run\/endpoint\.ts is gone\. A file of this name: src\/oauth\/endpoint\.ts\.$/,
      ),
      expect.stringMatching(
        /: src\/oauth\/send\.ts has no function sendOut\. sendOut is in src\/\S+\.$/,
      ),
    ]);
  });
});

/** A pattern such as `src/validate/*-rules.ts` needs a file that it fits. */
function exists(path: string): boolean {
  if (!path.includes("*")) return existsSync(join(root, path));
  const [folder = "", name = ""] = [
    path.slice(0, path.lastIndexOf("/")),
    path.slice(path.lastIndexOf("/") + 1),
  ];
  const [start = "", end = ""] = name.split("*");
  return readdirSync(join(root, folder)).some(
    (file) => file.startsWith(start) && file.endsWith(end),
  );
}
