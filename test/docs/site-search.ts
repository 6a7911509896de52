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
  ["refresh token", "docs/oauth"],
  ["log in again every hour", "docs/faq"],
  ["cors", "docs/faq"],
  ["how do I see the request", "docs/faq"],
  ["console.log", "docs/faq"],
  ["secrets in CI", "docs/faq"],
  ["delete account", "docs/faq"],
  ["reset everything", "docs/faq"],
  ["uninstall", "docs/faq"],
  ["upgrade packsmith", "docs/faq"],
  ["windows", "docs/faq"],
  ["timeout", "docs/faq"],
  ["page size", "docs/cookbook"],
  ["sync table dynamic", "docs/cookbook"],
  ["markdown column", "docs/cookbook"],
  ["progress bar", "docs/cookbook"],
  ["optional parameter", "docs/cookbook"],
  ["date parameter", "docs/cookbook"],
  ["error message for users", "docs/cookbook"],
  ["graphql", "docs/cookbook"],
  ["webhook", "docs/faq"],
  ["docker", "docs/faq"],
  ["debug over ssh without browser", "docs/faq"],
  ["401 unauthorized", "docs/faq"],
  ["change redirect port", "docs/faq"],
  ["api key", "docs/faq"],
  ["team share accounts", "docs/faq"],
  ["postgres", "docs/service"],
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
