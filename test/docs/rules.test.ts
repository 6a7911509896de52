import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { readDocumentedRules } from "../support/documented-rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const decisionsPage = readFileSync(join(root, "docs/decisions.md"), "utf8");
const known = new Set([
  ...readDocumentedRules().keys(),
  ...[...decisionsPage.matchAll(/^\| (decision \d+) \|/gm)].map(([, number = ""]) => number),
]);

it("docs/rules.md and docs/decisions.md list every number in the comments of src and test", () => {
  const numbers = readComments().flatMap(({ file, text }) =>
    findNumbers(text).map((number) => ({ file, number })),
  );
  expect(numbers.length).toBeGreaterThan(300);
  expect(numbers.filter(({ number }) => !known.has(number))).toEqual([]);
});

it("docs/rules.md has each number of a topic without a gap in the rules of security, definitions and service", () => {
  const expected = [
    ["rule", 45],
    ["definition", 197],
    ["service", 114],
    ["Pack rule", 7],
    ["decision", 20],
  ] as const;
  for (const [topic, count] of expected) {
    const numbers = Array.from({ length: count }, (_, index) => `${topic} ${index + 1}`);
    expect(numbers.filter((number) => !known.has(number))).toEqual([]);
  }
});

it.each([
  ["docs/rules.md: rule 26, 28", ["rule 26", "rule 28"]],
  ["docs/rules.md: service 62, V20", ["service 62", "V20"]],
  ["docs/rules.md: Pack rule 5", ["Pack rule 5"]],
  ["docs/rules.md: C24, C25 and A16", ["C24", "C25", "A16"]],
  ["see decision 12", ["decision 12"]],
  ["V8 compiles it, P7 is a name", []],
])("finds the numbers of %j", (text, numbers) => {
  expect(findNumbers(text)).toEqual(numbers);
});

it("no title of a test has the number of a rule or a decision", () => {
  const titles = readSources("test").flatMap(({ file, source }) =>
    [...source.matchAll(/\b(?:it|test|describe)\b[^"\n]*\(\s*"((?:[^"\\]|\\.)*)"/g)].map(
      ([, title = ""]) => ({ file, title }),
    ),
  );
  expect(titles.length).toBeGreaterThan(2_000);
  expect(
    titles.filter(({ title }) => /\b(?:rules?|decisions?) \d|\b[ACPV]\d{1,2}: /.test(title)),
  ).toEqual([]);
});

/** "rule 26, 28" are two rules; letters with a number count after the name of the page only. */
function findNumbers(comment: string): string[] {
  const words = [
    ...comment.matchAll(/\b(Pack rule|rule|definition|service|decision) (\d+(?:, \d+)*)/g),
  ];
  const named = words.flatMap(([, topic = "", list = ""]) =>
    list.split(", ").map((number) => `${topic} ${number}`),
  );
  const [, afterPage = ""] = comment.split("docs/rules.md:");
  const codes = [...afterPage.matchAll(/\b[ACPV]\d{1,2}\b/g)].map(([code]) => code);
  return [...named, ...codes];
}

function readComments(): { file: string; text: string }[] {
  const sources = [...readSources("src"), ...readSources("test")];
  // Parsing every file takes long.
  const withNumbers = sources.filter(({ source }) => findNumbers(source).length > 0);
  return withNumbers.flatMap(({ file, source }) =>
    parseSync(file, source).comments.map(({ value }) => ({
      file,
      text: value.replace(/\s*\n\s*\* ?/g, " "),
    })),
  );
}

function readSources(folder: string): { file: string; source: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
}
