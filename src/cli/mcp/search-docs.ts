import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { packageRoot } from "../../shared/own-package.ts";
import { defineTool, READS } from "./tool.ts";

const foundSection = z.strictObject({ page: z.string(), heading: z.string(), text: z.string() });

/** A section of a page that fits a search. */
export type FoundSection = z.output<typeof foundSection>;

interface Section extends FoundSection {
  words: string;
}

export const SEARCH_TOOL = defineTool({
  name: "search_docs",
  title: "Search the documentation",
  description: "Search the documentation of packsmith, in the version that is installed",
  input: z.strictObject({ query: z.string().max(500).describe("A question, or a few words") }),
  output: async () => z.strictObject({ ok: z.literal(true), sections: z.array(foundSection) }),
  effects: READS,
  call: async ({ query }) => ({ ok: true, sections: searchDocs(query) }),
});

const MAX_FOUND = 5;
const MAX_TEXT = 1_500;
/** A word in the heading says more about a section than one in its text. */
const HEADING_WEIGHT = 8;

/**
 * Searches the pages of the installed version for sections with the words of a question, the best
 * first.
 */
export function searchDocs(query: string): FoundSection[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
  return sections()
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ section: { page, heading, text } }) => ({
      page,
      heading,
      text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text,
    }));
}

let read: Section[] | undefined;

function sections(): Section[] {
  const folder = join(packageRoot(), "docs");
  read ??= readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split(/^(?=#{1,3} )/m)
        .map((part) => {
          const [first = "", ...rest] = part.split("\n");
          const text = rest.join("\n").trim();
          return {
            page: `docs/${file}`,
            heading: first.replace(/^#+ /, ""),
            text,
            words: text.toLowerCase(),
          };
        }),
    );
  return read;
}

/** Rare words count more, and so do sections that have several of the words. */
function scoreOf({ heading, words }: Section, wanted: readonly string[]): number {
  const title = heading.toLowerCase();
  const scores = wanted.map(
    (word) =>
      (title.includes(word) ? HEADING_WEIGHT : 0) +
      Math.min(words.split(word).length - 1, HEADING_WEIGHT / 2),
  );
  const found = scores.filter((score) => score > 0).length;
  return scores.reduce((sum, score) => sum + score, 0) * found;
}
