import { describe, expect, it } from "vitest";
import { SEARCH_TOOL, searchDocs } from "../../../src/cli/mcp/search-docs.ts";

/** Questions as newcomers ask them, in words that the pages need not use. */
const QUESTIONS: readonly [question: string, page: string][] = [
  ["How do I do pagination?", "docs/cookbook.md"],
  ["The API has a rate limit, how do I throttle requests?", "docs/cookbook.md"],
  ["My access token expires after an hour, how does the refresh token work?", "docs/oauth.md"],
  ["Use a local callback on localhost for the OAuth login", "docs/oauth.md"],
  ["redirect URI mismatch", "docs/oauth.md"],
  ["How do I return pictures?", "docs/cookbook.md"],
  ["Show a row as a card", "docs/authoring-schemas.md"],
  ["two-way sync", "docs/authoring-tables.md"],
  ["Run the build in CI", "docs/pipelines.md"],
  ["How do I deploy my pack so that others can use it?", "docs/publishing.md"],
  ["Write unit tests with a fake fetcher", "docs/testing.md"],
  ["Step through my code with breakpoints", "docs/debugging.md"],
  ["Move an existing Coda pack over", "docs/migrating.md"],
  ["Where are my credentials saved on disk?", "docs/oauth.md"],
  ["Authenticate with an API key in a header", "docs/requests.md"],
  ["Store a downloaded file temporarily", "docs/requests.md"],
  ["A dropdown of choices for a parameter", "docs/authoring-parameters.md"],
  ["Roll back a bad release", "docs/releases.md"],
  ["Monorepo with several packs", "docs/pipelines.md"],
  ["See the logs of a published pack", "docs/publishing.md"],
];

describe("the search in the documentation", () => {
  it.each(QUESTIONS)("finds the page for: %s", (question, page) => {
    const sections = searchDocs(question);
    expect(sections.slice(0, 3).map((section) => section.page)).toContain(page);
  });

  it("finds nothing for words that no page has", () => {
    expect(searchDocs("xylophone zeppelin")).toEqual([]);
    expect(searchDocs("how do I")).toEqual([]);
  });

  it("says what to try when it finds nothing, in words that find something", async () => {
    const call = { cwd: ".", env: {}, signal: new AbortController().signal };
    const answer = (await SEARCH_TOOL.call({ query: "xylophone" }, call)) as { hint?: string };
    expect(answer).toMatchObject({ ok: true, sections: [], hint: expect.any(String) });
    const suggested = [...(answer.hint ?? "").matchAll(/"([^"]+)"/g)].map(([, words]) => words);
    expect(suggested).toHaveLength(3);
    for (const words of suggested) expect(searchDocs(words ?? "").length).toBeGreaterThan(0);
    expect(await SEARCH_TOOL.call({ query: "sync table" }, call)).not.toHaveProperty("hint");
  });
});
