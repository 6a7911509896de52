import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { packageRoot } from "../../shared/own-package.ts";
import { defineTool, READS } from "./tool.ts";

const foundSection = z.strictObject({ page: z.string(), heading: z.string(), text: z.string() });

/** A section of a page that fits a search. */
export type FoundSection = z.output<typeof foundSection>;

export const SEARCH_TOOL = defineTool({
  name: "search_docs",
  title: "Search the documentation",
  description: "Search the documentation of the installed version of packsmith",
  input: z.strictObject({ query: z.string().max(500).describe("A question, or a few words") }),
  output: async () =>
    z.strictObject({
      ok: z.literal(true),
      sections: z.array(foundSection),
      hint: z.string().optional().describe("A hint if the search finds no section."),
    }),
  effects: READS,
  async call({ query }) {
    const sections = searchDocs(query);
    return sections.length > 0 ? { ok: true, sections } : { ok: true, sections, hint: NO_SECTION };
  },
});

const NO_SECTION =
  'No page contains these words. Search for words that describe the task, such as "refresh token", "sync table" or "rate limit". For a code in capital letters, call explain_code.';

const MAX_FOUND = 5;
const MAX_TEXT = 1_500;
/** How much a word counts where it says more about a section than one in its text. */
const WEIGHTS = { page: 2, heading: 4, text: 1 } as const;
/** A synonym may mean something else, so it counts less than a word of the question. */
const SYNONYM_WEIGHT = 0.6;
/** The parameters of BM25: how soon more of a word counts no more, and how much length counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;
/** Pages about packsmith itself, which a question about a Pack rarely means. */
const BACKGROUND = /^docs\/(?:rules|decisions|performance|providers-quirks)\.md$/;
const BACKGROUND_WEIGHT = 0.4;
const STOP_WORDS = new Set(
  "an and are as at be can could do does for from have how if in into is it its let my not of on or others own pack packs packsmith should so some that the their them then there this to up use used using want was what when where which why will with work works you your".split(
    " ",
  ),
);

interface Section extends FoundSection {
  /** How often it has each stem, weighted by where. */
  counts: ReadonlyMap<string, number>;
  length: number;
}

/**
 * Searches the pages of the installed version for sections about a question, the best first: by
 * BM25, over the stems of its words and of their synonyms.
 */
export function searchDocs(query: string): FoundSection[] {
  const wanted = new Map<string, number>();
  for (const stem of listStems(findSynonyms(query))) wanted.set(stem, SYNONYM_WEIGHT);
  for (const stem of listStems(query)) wanted.set(stem, 1);
  const { sections, meanLength } = readIndex();
  const weighted = [...wanted].map(([stem, weight]) => {
    const holders = sections.filter(({ counts }) => counts.has(stem)).length;
    const rarity = Math.log(1 + (sections.length - holders + 0.5) / (holders + 0.5));
    return { stem, weight: weight * rarity };
  });
  return sections
    .map((section) => ({ section, score: computeScore(section, weighted, meanLength) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ section: { page, heading, text } }) => ({
      page,
      heading,
      text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text,
    }));
}

function computeScore(
  { page, counts, length }: Section,
  wanted: readonly { stem: string; weight: number }[],
  meanLength: number,
): number {
  const size = 1 - LENGTH_SHARE + LENGTH_SHARE * (length / meanLength);
  const score = wanted.reduce((sum, { stem, weight }) => {
    const count = counts.get(stem) ?? 0;
    return sum + (weight * count * (SATURATION + 1)) / (count + SATURATION * size);
  }, 0);
  return BACKGROUND.test(page) ? score * BACKGROUND_WEIGHT : score;
}

let index: { sections: Section[]; meanLength: number } | undefined;

function readIndex() {
  if (index !== undefined) return index;
  const folder = join(packageRoot(), "docs");
  const sections = readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => readSections(`docs/${file}`, readFileSync(join(folder, file), "utf8")));
  const length = sections.reduce((sum, section) => sum + section.length, 0);
  index = { sections, meanLength: length / sections.length };
  return index;
}

function readSections(page: string, content: string): Section[] {
  const title = /^# (.*)$/m.exec(content)?.[1] ?? "";
  return content.split(/^(?=#{1,3} )/m).map((part) => {
    const [first = "", ...rest] = part.split("\n");
    const heading = first.replace(/^#+ /, "");
    const text = rest.join("\n").trim();
    const counts = new Map<string, number>();
    const places = [
      [`${title} ${page.slice("docs/".length, -".md".length)}`, WEIGHTS.page],
      [heading, WEIGHTS.heading],
      [text, WEIGHTS.text],
    ] as const;
    for (const [words, weight] of places)
      for (const stem of listStems(words)) counts.set(stem, (counts.get(stem) ?? 0) + weight);
    const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { page, heading, text, counts, length };
  });
}

/** The words of a text without endings, so that `caching` finds `cache`. */
function listStems(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(findStem);
}

function findStem(word: string): string {
  const stem = word.replace(/ies$/, "y").replace(/(?:ings?|ed|es|s)$/, "");
  return (stem.length < 3 ? word : stem).replace(/(?<=\w{3})e$/, "");
}

/** What newcomers write, and the words that the pages use for it. */
const SYNONYMS: readonly [asked: RegExp, words: string][] = [
  [/\bpaginat\w*|\bcursor\b|\binfinite scroll/, "pages continuation"],
  [/\bthrottl\w*|\brate.?limit\w*|\b429\b|\btoo many requests/, "rate limit stay below retry"],
  [/\brefresh\w*|\bexpir\w*/, "refresh token account connect OAuth"],
  [/\bcallback\b|\blocalhost\b|\bredirect ur[il]s?\b/, "redirect URI OAuth account connect"],
  [/\bmismatch\w*/, "fails"],
  [/\bpictures?|\bphotos?|\bthumbnails?|\bavatars?/, "image images"],
  [/\bcards?\b/, "card titleProperty snippetProperty schemas"],
  [
    /\btwo.?way\b|\bbidirectional\b|\bwrite back\b|\beditable\b/,
    "executeUpdate sync tables edit rows",
  ],
  [
    /\bci\b|\bcontinuous integration|\bgithub actions?|\bgitlab\b/,
    "pipeline pipelines GitHub Actions",
  ],
  [/\bdeploy\w*|\bship\b|\bdistribut\w*|\bgo live\b/, "publishing publish upload"],
  [/\bunit.?tests?\b|\bfake\b|\bstubs?\b|\bmock\w*/, "testing test mock"],
  [/\bbreakpoints?|\bstep (?:through|over|into)|\bdebug\w*/, "debugging debugger inspect"],
  [
    /\bmigrat\w*|\bmove\b|\bport(?:ing)?\b|\bcoda\b|\bpacks.sdk\b/,
    "migrating set up project codahq",
  ],
  [/\bcredentials?|\bsaved?\b|\bdisk\b|\bkeychain\b/, "accounts stored vault"],
  [/\bapi.?keys?\b|\bbearer\b|\bauthenticat\w*/, "accounts authentication header"],
  [/\bdownload\w*|\bupload(?:ed|ing)? (?:a )?files?|\btemporar\w*/, "blobs temporaryBlobStorage"],
  [/\bdropdowns?|\bchoices?\b|\bpick ?lists?\b|\bsuggestions?\b/, "autocomplete parameters"],
  [/\broll ?backs?\b|\brevert\w*|\bundo\b/, "go back release releases"],
  [
    /\bmonorepo\w*|\bworkspaces?\b|\b(?:several|many|multiple) packs\b/,
    "many Packs pipelines one command",
  ],
  [/\blogs?\b|\bconsole\b/, "logs"],
  [/\bassistants?\b|\bmcp\b|\bllms?\b/, "tools for assistants MCP server"],
  [/\bslow\b|\bfaster?\b|\bspeed\b/, "performance"],
];

/** Words that fit the question, in addition to its own. */
function findSynonyms(question: string): string {
  const text = question.toLowerCase();
  return SYNONYMS.filter(([asked]) => asked.test(text))
    .map(([, words]) => words)
    .join(" ");
}
