import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Set by .ci/run: the folder in which the generator of the site is installed. */
const tools = process.env["PACKSMITH_SITE"];
if (tools === undefined) {
  if (process.env["CI"])
    throw new Error("PACKSMITH_SITE must name a folder with @11ty/eleventy and pagefind.");
  process.stderr.write(
    "The site is not built: PACKSMITH_SITE names no folder with @11ty/eleventy and pagefind.\n",
  );
}

describe.skipIf(tools === undefined)("the site", () => {
  it("has every page, working links and anchors, and an index for the search", async () => {
    using folder = makeTemporaryFolder();
    const site = join(folder.path, "site");
    await run(process.execPath, [join(root, ".ci/site.mjs"), site], { cwd: folder.path });
    const files = readdirSync(site, { recursive: true, encoding: "utf8" });
    const pages = new Map(
      files
        .filter((file) => file.endsWith(".html"))
        .map((file) => [file, readFileSync(join(site, file), "utf8")]),
    );

    const markdown = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"));
    const wanted = [
      "index.html",
      "examples/index.html",
      ...markdown.map((file) => `docs/${file.replace(/\.md$/, ".html")}`),
    ];
    expect(wanted.filter((page) => !pages.has(page))).toEqual([]);

    const links = [...pages].flatMap(([page, html]) =>
      linksOf(html).map((link) => ({ page, link })),
    );
    expect(links.length).toBeGreaterThan(1_500);
    expect(links.filter(({ page, link }) => !isWorking(site, pages, page, link))).toEqual([]);

    // The menu leads to each page of docs.
    const menu = /<nav[\s\S]*<\/nav>/.exec(pages.get("index.html") ?? "")?.[0] ?? "";
    expect(wanted.slice(1).filter((page) => !menu.includes(`href="${page}"`))).toEqual([]);

    const fragments = files.filter((file) => /^pagefind\/fragment\/.+\.pf_fragment$/.test(file));
    expect(fragments).toHaveLength(pages.size);
  });
});

/** What a page asks for from the site itself. */
function linksOf(html: string): string[] {
  const text = html.replace(/<pre[ >][\s\S]*?<\/pre>/g, "");
  return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^(?:https?|mailto|data):/.test(link));
}

function isWorking(
  site: string,
  pages: ReadonlyMap<string, string>,
  page: string,
  link: string,
): boolean {
  const [path = "", anchor] = link.replaceAll("&amp;", "&").split("#");
  const target = path === "" ? page : relative(site, join(site, dirname(page), decodeURI(path)));
  if (!existsSync(join(site, target)) || !statSync(join(site, target)).isFile()) return false;
  return anchor === undefined || (pages.get(target) ?? "").includes(` id="${anchor}"`);
}
