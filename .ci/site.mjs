// Builds a static site with search from the pages of this package, with Eleventy and Pagefind: npm
// run site [-- FOLDER] PACKSMITH_SITE names the folder in which both are installed. Without it they
// are installed once, below node_modules/.cache.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TOOLS = ["@11ty/eleventy@3.1.8", "pagefind@1.6.0"];
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules/.cache");
const target = resolve(process.argv[2] ?? join(cache, "packsmith-site"));
const tools = process.env.PACKSMITH_SITE ?? installTools();

/** Pages, and the files that pages link to. */
const SOURCES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs", "examples"];
const menu = readMenu(readFileSync(join(root, "README.md"), "utf8"));

const work = realpathSync(mkdtempSync(join(tmpdir(), "packsmith-site-")));
try {
  for (const source of SOURCES) cpSync(join(root, source), join(work, "pages", source), { recursive: true, filter: isSource });
  cpSync(join(root, ".ci/site"), join(work, "pages/_site"), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  // Eleventy reads and writes below the working directory.
  process.chdir(work);
  await buildPages();
  cpSync("pages", "out", { recursive: true, filter: (path) => !/\.(?:md|njk)$|_site.+\.mjs$/.test(path) });
  await indexPages();
  cpSync(join(work, "out"), target, { recursive: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(target);

async function buildPages() {
  const { default: Eleventy } = await importTool("@11ty/eleventy/src/Eleventy.js");
  const eleventy = new Eleventy("pages", "out", {
    quietMode: true,
    configPath: "pages/_site/eleventy.config.mjs",
    config(options) {
      options.setUseGitIgnore(false);
      options.addGlobalData("layout", "page.njk");
      options.addGlobalData("menu", menu);
      options.addGlobalData("eleventyComputed", {
        title: ({ page }) => titleOf(readFileSync(page.inputPath, "utf8")),
        permalink: ({ page }) => htmlPath(posix.relative("pages", posix.normalize(page.inputPath))),
      });
      options.addFilter("from", (path, url) => posix.relative(url.slice(0, url.lastIndexOf("/") + 1), `/${path}`));
      options.setTemplateFormats(["md"]);
      options.amendLibrary("md", (markdown) => {
        const { fence } = markdown.renderer.rules;
        // A box that scrolls can be reached with the keyboard.
        markdown.renderer.rules.fence = (...given) => fence(...given).replace("<pre", '<pre tabindex="0"');
        markdown.set({ html: true }).core.ruler.push("site", linkPages);
      });
    },
  });
  await eleventy.write();
}

async function indexPages() {
  const pagefind = await importTool("pagefind/lib/index.js");
  const { index } = await pagefind.createIndex();
  await index.addDirectory({ path: "out" });
  await index.writeFiles({ outputPath: "out/pagefind" });
  await pagefind.close();
}

/**
 * Gives headings the anchors that GitHub makes, and lets links to pages and folders lead to their
 * HTML.
 */
function linkPages({ tokens, env }) {
  const taken = new Set();
  const page = posix.normalize(env.page.inputPath);
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") token.attrSet("id", anchorOf(tokens[index + 1], taken));
    const links = (token.children ?? []).flatMap((child, at, children) =>
      child.type === "link_open" ? [[child, children.find((each, after) => after > at && each.type === "link_close")]] : [],
    );
    for (const [open, close] of links) {
      // Tests and sources are no part of the site.
      if (isOnlyInRepository(open.attrGet("href"), page)) token.children = token.children.filter((child) => child !== open && child !== close);
      else open.attrSet("href", htmlLink(open.attrGet("href"), page));
    }
    if (token.type === "table_open") token.attrSet("tabindex", "0");
  });
}

function anchorOf({ children }, taken) {
  const text = children.map(({ content }) => content).join("");
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  let unique = slug;
  for (let count = 1; taken.has(unique); count++) unique = `${slug}-${count}`;
  taken.add(unique);
  return unique;
}

function isOnlyInRepository(link, page) {
  const file = fileOf(link.split("#")[0], page);
  return !isOutside(link) && !existsSync(file) && existsSync(join(root, posix.relative("pages", file)));
}

function isOutside(link) {
  return /^[a-z]+:|^#/i.test(link);
}

function fileOf(path, page) {
  return posix.join(posix.dirname(page), decodeURI(path));
}

function htmlLink(link, page) {
  if (isOutside(link)) return link;
  const [path, anchor] = link.split("#");
  const file = fileOf(path, page);
  const leads = existsSync(file) && statSync(file).isDirectory() ? posix.join(path, "README.md") : path;
  return `${htmlPath(leads)}${anchor === undefined ? "" : `#${anchor}`}`;
}

function htmlPath(path) {
  return path.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
}

function titleOf(text) {
  return (/^# (.+)$/m.exec(text)?.[1] ?? "packsmith").replaceAll("`", "");
}

/**
 * The groups of pages at the end of the README: "- Begin: [getting
 * started](docs/getting-started.md) · …".
 */
function readMenu(readme) {
  const [, list = ""] = /^## Pages\n\n((?:- .*\n)+)/m.exec(readme) ?? [];
  return list
    .trim()
    .split("\n")
    .map((line) => ({
      name: /^- (\w+):/.exec(line)?.[1],
      pages: [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, path]) => ({
        name: name.replace(/^./, (first) => first.toUpperCase()),
        path: htmlPath(path.endsWith(".md") ? path : `${path}/README.md`),
      })),
    }));
}

function isSource(path) {
  return !/node_modules|[\\/](?:build|release|\.[^\\/]+)$/.test(path.slice(root.length));
}

function importTool(file) {
  return import(pathToFileURL(join(tools, "node_modules", file)));
}

function installTools() {
  const folder = join(cache, "site-tools");
  const isThere = TOOLS.every((tool) => {
    const [, name, version] = /^(.+)@(.+)$/.exec(tool) ?? [];
    const manifest = join(folder, "node_modules", name, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  });
  if (!isThere) {
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...TOOLS], { stdio: "inherit" });
  }
  return folder;
}
