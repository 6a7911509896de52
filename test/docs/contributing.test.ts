import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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
