// The documentation as a site: npm run site
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import { HOME, HOME_IMAGE, hideReadmeIntroduction } from "./home.ts";
import { RepositoryLinks } from "./links.ts";
import { SEARCH_OPTIONS } from "./search.ts";
import { createSidebar } from "./sidebar.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const links = new RepositoryLinks(root);

export default defineConfig({
  title: "packsmith",
  description: "Typed builders, OAuth flows, a fast bundler and a local document service",
  srcDir: "..",
  srcExclude: ["{dist,src,templates,test}/**", "**/node_modules/**"],
  rewrites: { "README.md": "index.md", ":folder(.*)/README.md": ":folder/index.md" },
  markdown: {
    anchor: { slugify: createAnchor },
    config(markdown) {
      links.addTo(markdown);
      hideReadmeIntroduction(markdown);
      showBraces(markdown);
    },
  },
  transformPageData(page) {
    if (page.relativePath === "index.md") page.frontmatter = { ...page.frontmatter, ...HOME };
  },
  buildEnd({ outDir }) {
    links.copyFiles(outDir);
    cpSync(join(root, HOME_IMAGE), join(outDir, HOME_IMAGE));
  },
  themeConfig: {
    search: { provider: "local", options: { miniSearch: { searchOptions: SEARCH_OPTIONS } } },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/docs/tutorial" },
      { text: "Commands", link: "/docs/commands" },
      { text: "Examples", link: "/examples/" },
      { text: "Changes", link: "/CHANGELOG" },
      { text: "Contributing", link: "/CONTRIBUTING" },
    ],
    sidebar: createSidebar(fileURLToPath(new URL("..", import.meta.url))),
  },
});

/** The anchor that GitHub gives a heading: links in the pages work there and here. */
function createAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Braces in a page are text: no page has expressions of Vue. */
function showBraces(markdown: MarkdownRenderer): void {
  const render = markdown.render.bind(markdown);
  markdown.render = (text, env) => render(text, env).replaceAll("{{", "&#123;&#123;");
}
