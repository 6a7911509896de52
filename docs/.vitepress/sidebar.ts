import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";

/** The pages of `docs/`, in the order in which the sidebar shows them. */
const GROUPS = {
  Start: ["getting-started", "tutorial", "faq"],
  Guides: [
    "cookbook",
    "migrating",
    "oauth",
    "requests",
    "dev",
    "debugging",
    "testing",
    "service",
    "local-servers",
    "client",
    "mcp",
    "pipelines",
    "package-managers",
    "releases",
    "publishing",
  ],
  Reference: ["commands", "authoring", "troubleshooting", "providers-quirks"],
  Explanation: ["concepts", "security", "performance"],
  Contributing: ["decisions", "rules"],
};

/** `authoring-schemas` is below `authoring`. */
const SUBPAGE = /^(authoring)-/;

/**
 * @param docs the folder of the pages
 * @throws {Error} if a page is in no group, or a group names a page that does not exist
 */
export function createSidebar(docs: string): DefaultTheme.SidebarItem[] {
  const files = readdirSync(docs).filter((file) => file.endsWith(".md"));
  const listed = Object.values(GROUPS).flatMap((pages) => pages.map((page) => `${page}.md`));
  const missing = files.filter((file) => !listed.includes(file) && !SUBPAGE.test(file));
  if (missing.length > 0) throw new Error(`sidebar.ts has no group for: ${missing.join(", ")}`);
  return Object.entries(GROUPS).map(([text, pages]) => ({
    text,
    items: pages.map((page) => {
      const below = files.filter((file) => SUBPAGE.exec(file)?.[1] === page);
      const item = createItem(docs, `${page}.md`);
      return below.length === 0
        ? item
        : { ...item, collapsed: true, items: below.map((file) => createItem(docs, file)) };
    }),
  }));
}

function createItem(docs: string, file: string): DefaultTheme.SidebarItem {
  return { text: readTitle(join(docs, file)), link: `/docs/${file.replace(/\.md$/, "")}` };
}

function readTitle(file: string): string {
  const [, title = ""] = /^# (.+)/.exec(readFileSync(file, "utf8")) ?? [];
  return title.replaceAll("`", "");
}
