import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMarkdownRenderer } from "vitepress";
import { beforeAll, describe, expect, it } from "vitest";
import { RepositoryLinks } from "../../docs/.vitepress/links.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { openSiteSearch, QUESTIONS } from "./site-search.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** The site is served below this path. */
const BASE = "/packsmith/";

/** Markdown of `docs/`, and the page that the site makes of it. */
const docs = readdirSync(join(root, "docs"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file.replace(/\.md$/, ".html")}`);
const expectedPages = ["index.html", "CONTRIBUTING.html", "examples/index.html", ...docs];

describe("the site", () => {
  let files: string[] = [];
  let pages = new Map<string, string>();
  let styles = "";
  let searchIndex = "";

  beforeAll(async () => {
    using folder = makeTemporaryFolder();
    const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
    await run(process.execPath, [
      ...[vitepress, "build", join(root, "docs")],
      ...["--outDir", folder.path, "--base", BASE],
    ]);
    files = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).filter((file) =>
      statSync(join(folder.path, file)).isFile(),
    );
    const read = (ending: RegExp) =>
      files
        .filter((file) => ending.test(file))
        .map((file): [string, string] => [file, readFileSync(join(folder.path, file), "utf8")]);
    pages = new Map(read(/\.html$/));
    styles = read(/\.css$/).join("\n");
    searchIndex = read(/@localSearchIndex.+\.js$/)
      .map(([, script]) => script)
      .join("\n");
  }, 600_000);

  it("has a page for the README, CONTRIBUTING, the examples and each file of docs", () => {
    expect(expectedPages.filter((page) => !pages.has(page))).toEqual([]);
  });

  it("has only links that work, including anchors", () => {
    const links = [...pages].flatMap(([page, html]) =>
      findLinks(html).map((link) => ({ page, link })),
    );
    expect(links.length).toBeGreaterThan(1_500);
    expect(links.filter(({ page, link }) => !isWorking(page, link))).toEqual([]);
  });

  it("has a sidebar with each page of docs, in five groups", () => {
    const [sidebar = ""] =
      /<nav[^>]*VPSidebarNav[\s\S]*?<\/nav>/.exec(pages.get("docs/faq.html") ?? "") ?? [];
    expect(docs.filter((page) => !sidebar.includes(`href="${BASE}${page}"`))).toEqual([]);
    const groups = [...sidebar.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title);
    expect(groups).toEqual(["Start", "Guides", "Reference", "Explanation", "Contributing"]);
  });

  it("has each page in the index of its search", () => {
    const [, ids = "{}"] = /"documentIds":(\{[^}]*\})/.exec(searchIndex) ?? [];
    const indexed = new Set(
      Object.values(JSON.parse(ids) as Record<string, string>).map((id) => id.split("#")[0]),
    );
    const missing = expectedPages.filter(
      (page) => !indexed.has(BASE + page.replace(/(^|\/)index\.html$/, "$1")),
    );
    expect(missing).toEqual([]);
  });

  it("finds the page that a newcomer needs among the first three results", () => {
    const search = openSiteSearch(searchIndex, BASE);
    const missed = QUESTIONS.map(([question, page]) => ({
      question,
      page,
      found: search(question, 3),
    })).filter(({ page, found }) => !found.includes(page));
    expect(missed).toEqual([]);
  });

  it("says what packsmith is and shows it on its first page", () => {
    const home = pages.get("index.html") ?? "";
    expect(home.match(/<h1/g)).toHaveLength(1);
    expect(home).toContain("Write, connect, test and publish Packs");
    expect(home).toContain(`src="${BASE}docs/images/run.png"`);
    expect(files).toContain("docs/images/run.png");
  });

  it("loads scripts, styles, images and fonts only from itself", () => {
    const loaded = [...pages.values()].flatMap((html) => [
      ...html.matchAll(/<(?:script|img|source|iframe)[^>]* src="([^"]*)"/g),
      ...html.matchAll(/<link[^>]* href="([^"]*)"/g),
    ]);
    expect(loaded.length).toBeGreaterThan(100);
    const foreign = loaded
      .map(([, url = ""]) => url)
      .filter((url) => /^(?:[a-z]+:)?\/\//.test(url));
    expect(foreign).toEqual([]);
    expect(styles).toContain("--vp-c-bg");
    expect(styles).not.toMatch(/url\(["']?(?:https?:)?\/\/|@import/);
    expect(files.filter((file) => /\.(?:woff2?|ttf|otf)$/.test(file))).toEqual([]);
  });

  function isWorking(page: string, link: string): boolean {
    const [path = "", anchor] = link.replaceAll("&amp;", "&").split("#");
    const absolute = posix.join(BASE, page);
    const url = path === "" ? absolute : posix.resolve(posix.dirname(absolute), decodeURI(path));
    if (!`${url}/`.startsWith(BASE)) return false;
    const target = url.slice(BASE.length);
    const file = path.endsWith("/") ? posix.join(target, "index.html") : target;
    if (!files.includes(file)) return false;
    return anchor === undefined || (pages.get(file) ?? "").includes(` id="${anchor}"`);
  }
});

describe("a link of a page", () => {
  const links = new RepositoryLinks(root);
  const page = { path: join(root, "docs/service.md"), relativePath: "docs/service.md" };

  async function render(markdown: string): Promise<string> {
    const renderer = await createMarkdownRenderer(root, { config: (md) => links.addTo(md) });
    return renderer.render(markdown, { ...page, cleanUrls: false });
  }

  it("leads to the page of a folder's README", async () => {
    expect(await render("[tasks](../examples/tasks)")).toContain('href="./../examples/tasks/"');
    expect(await render("[more](../README.md#commands)")).toContain('href="./../#commands"');
  });

  it("leads to a copy of a file that is not a page", async () => {
    using folder = makeTemporaryFolder();
    expect(await render("[make](pipelines/Makefile)")).toContain('href="pipelines/Makefile"');
    links.copyFiles(folder.path);
    expect(existsSync(join(folder.path, "docs/pipelines/Makefile"))).toBe(true);
  });

  it("is only text if the site does not have its target", async () => {
    const html = await render("See [the test](../test/docs/site.test.ts).");
    expect(html).toBe("<p>See the test.</p>\n");
  });

  it("fails the build if its target does not exist", async () => {
    await expect(render("[lost](../examples/lost.ts)")).rejects.toThrow(
      "docs: the link to ../examples/lost.ts is dead.",
    );
  });
});

/** What a page asks for from the site itself. */
function findLinks(html: string): string[] {
  const text = html.replace(/<pre[ >][\s\S]*?<\/pre>/g, "");
  return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^(?:https?|mailto|data):/.test(link));
}
