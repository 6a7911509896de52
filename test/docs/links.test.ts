import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtVerbs } from "../support/json-output.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github/SECURITY.md"],
  ...["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  ),
];

describe.each(pages)("%s", (page) => {
  it("has only working links, including anchors", () => {
    const text = withoutFences(readFileSync(join(root, page), "utf8"));
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)]
      .map(([, link, image]) => link ?? image ?? "")
      .filter((link) => !/^(?:https?|mailto):/.test(link) && !isWorking(page, link));
    expect(broken).toEqual([]);
  });
});

describe("README.md", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");

  it("names every page of docs, or CONTRIBUTING.md does; docs/authoring.md names its own", () => {
    const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    const docs = readdirSync(join(root, "docs")).filter(
      (file) => file.endsWith(".md") && !file.startsWith("authoring-"),
    );
    expect(docs.filter((file) => !`${readme}${contributing}`.includes(`](docs/${file})`))).toEqual(
      [],
    );
  });

  it("names commands that exist", async () => {
    const commands = (await builtVerbs()).map(({ name }) => name);
    const named = [...readme.matchAll(/^\| `packsmith ([a-z -]+)`/gm)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !commands.includes(name ?? ""))).toEqual([]);
  });
});

describe("docs/commands.md", () => {
  it("says the exit codes", () => {
    const text = readFileSync(join(root, "docs/commands.md"), "utf8");
    for (const code of [0, 1, 2, 3, 10, 11, 12, 130])
      expect(text).toMatch(new RegExp(`^\\| ${code} \\| \\w`, "m"));
  });
});

function isWorking(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : relative(root, join(root, dirname(page), decodeURI(path)));
  if (!existsSync(join(root, target))) return false;
  if (anchor === undefined) return true;
  return (
    statSync(join(root, target)).isFile() &&
    listAnchors(readFileSync(join(root, target), "utf8")).has(anchor)
  );
}

/** The anchors of a page: those that GitHub makes from headings, and its own. */
function listAnchors(page: string): Set<string> {
  const anchors = new Set([...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of withoutFences(page).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let unique = slug;
    for (let count = 1; anchors.has(unique); count++) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Code fences have no links and headings. */
function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}
