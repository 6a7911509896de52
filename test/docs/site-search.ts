import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../../docs/.vitepress/search.ts";

/** What newcomers type into the search of the site, and the page that they need. */
export const QUESTIONS: readonly [question: string, page: string][] = [
  ["pagination", "docs/cookbook"],
  ["rate limit", "docs/cookbook"],
  ["localhost", "docs/oauth"],
  ["redirect uri mismatch", "docs/oauth"],
  ["refresh token expired", "docs/oauth"],
  ["show an image", "docs/cookbook"],
  ["two-way sync", "examples/two-way-sync/"],
  ["GitHub Actions", "docs/pipelines"],
  ["how do I publish my pack", "docs/tutorial"],
  ["write a unit test", "docs/testing"],
  ["set a breakpoint", "docs/debugging"],
  ["migrate from Coda", "docs/migrating"],
  ["where are secrets stored", "docs/security"],
  ["API key header", "docs/requests"],
  ["dropdown of choices", "docs/cookbook"],
  ["roll back a release", "docs/releases"],
  ["monorepo", "docs/publishing"],
  ["see the logs", "docs/publishing"],
  ["what is a sync table", "docs/tutorial"],
  ["first pack", "docs/getting-started"],
  ["node version", "docs/faq"],
  ["does it work offline", "docs/faq"],
  ["proxy", "docs/faq"],
  ["environment variables", "docs/faq"],
];

/**
 * Searches the index of a built site as the site does.
 * @param script the text of the JavaScript file with the index
 */
export function openSiteSearch(script: string, base: string) {
  const json = runInNewContext(
    script.replace(/export\s*\{\s*(\w+) as default\s*\};?/, "$1"),
  ) as string;
  const index = MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: SEARCH_OPTIONS,
  });
  /** @returns the pages of the best sections */
  return (question: string, count: number) =>
    index
      .search(question)
      .slice(0, count)
      .map(({ id }) =>
        String(id)
          .slice(base.length)
          .replace(/\.html|#.*$/g, ""),
      );
}
