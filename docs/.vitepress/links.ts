import { cpSync, existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

type Token = Parameters<MarkdownRenderer["renderer"]["render"]>[0][number];

/** Folders and files that the site has. It does not have the tests and the source. */
const IN_SITE = /^(?:docs|examples)(?:\/|$)|^[A-Z]+(?:\.md)?$/;

/**
 * The pages have the links that work in a repository: to folders, to files and to tests. This
 * makes them work in the site.
 */
export class RepositoryLinks {
  readonly #root: string;
  /** Files, no pages, that a page links to: by their path in the repository. */
  readonly #files = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** A plugin of markdown-it. */
  addTo(markdown: MarkdownRenderer): void {
    markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
      const { realPath, path } = env as MarkdownEnv;
      const folder = relative(this.#root, dirname(realPath ?? path));
      for (const token of tokens) token.children = this.#convert(token.children ?? [], folder);
    });
  }

  /** Copies the files that pages link to. Called when all pages are written. */
  copyFiles(outDir: string): void {
    for (const file of this.#files) cpSync(join(this.#root, file), join(outDir, file));
  }

  #convert(tokens: Token[], folder: string): Token[] {
    const kept: Token[] = [];
    let isUnlinked = false;
    for (const token of tokens) {
      if (token.type === "link_open") isUnlinked = !this.#convertLink(token, folder);
      if (!isUnlinked || !token.type.startsWith("link_")) kept.push(token);
    }
    return kept;
  }

  /** @returns false if the site does not have the target, so that only the text is left */
  #convertLink(link: Token, folder: string): boolean {
    const href = link.attrGet("href") ?? "";
    if (/^(?:[a-z]+:|#)/i.test(href)) return true;
    const [path = "", anchor] = href.split("#");
    const target = join(folder, decodeURI(path));
    const file = join(this.#root, target);
    if (!existsSync(file)) throw new Error(`${folder}: the link to ${href} is dead.`);
    if (!IN_SITE.test(target)) return false;
    if (statSync(file).isDirectory() || path.endsWith(".md")) {
      const page = path.endsWith(".md") ? path : join(path, "README.md");
      const hash = anchor === undefined ? "" : `#${anchor}`;
      // README.md is the first page of its folder.
      link.attrSet("href", page.replace(/README\.md$/, "index.md") + hash);
      return true;
    }
    // VitePress takes a link without "download" for a page of its own.
    link.attrSet("download", "");
    this.#files.add(target);
    return true;
  }
}
