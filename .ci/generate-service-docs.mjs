// Writes the tables of docs/service.md: each operation and each decision with its tests. With
// --check it only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DECISIONS } from "./service-decisions.mjs";

const PAGE = "docs/service.md";
const TESTS = "test/service/local";
/** Its tests are those of the client. */
const CLIENT_DECISION = 67;
const CASES = "test/service/local/operations.integration.test.ts";
const files = readdirSync(TESTS, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `${TESTS}/${name}`)
  .sort();

const byDecision = new Map();
for (const file of files) {
  for (const [, quoted] of readFileSync(file, "utf8").matchAll(
    /"((?:[^"\\\n]|\\.)*\bdecisions? \d(?:[^"\\\n]|\\.)*)"/g,
  )) {
    for (const number of numbersIn(quoted)) {
      const tests = byDecision.get(number) ?? new Set();
      byDecision.set(number, tests.add(file));
    }
  }
}

const operations = readFileSync("src/service/contract/operations.ts", "utf8");
const [, listed] = /export const OPERATIONS = \{([\s\S]*?)\n\} as const/.exec(operations);
const ids = [...listed.matchAll(/^ {2}(\w+): /gm)].map(([, id]) => id);
const cases = readFileSync(CASES, "utf8");
const missing = ids.filter((id) => !new RegExp(`^  ${id}: `, "m").test(cases));
if (missing.length > 0) throw new Error(`operations without a test: ${missing.join(", ")}`);

const operationTable = table(
  ["Operation", "Tests"],
  ids.map((id) => {
    const others = files.filter(
      (file) => file !== CASES && new RegExp(`\\b${id}\\b`).test(readFileSync(file, "utf8")),
    );
    return [`\`${id}\``, [CASES, ...others].map(link).join(", ")];
  }),
);
const decisionTables = DECISIONS.map(([title, first, texts]) => {
  const rows = texts.map((text, at) => {
    const tests = [...(byDecision.get(first + at) ?? [])];
    if (tests.length === 0 && first + at !== CLIENT_DECISION)
      throw new Error(`decision ${first + at} without a test: ${text}`);
    return [text, tests.length === 0 ? "the client's tests" : tests.map(link).join(", ")];
  });
  return `### ${title}\n\n${table(["Behaviour", "Tests"], rows)}`;
});

const page = readFileSync(PAGE, "utf8");
const written = replacePart(
  replacePart(page, "operations", operationTable),
  "decisions",
  decisionTables.join("\n\n"),
);
if (process.argv.includes("--check")) {
  if (written !== page) {
    console.error(`${PAGE} is not up to date: run node .ci/generate-service-docs.mjs.`);
    process.exitCode = 1;
  }
} else writeFileSync(PAGE, written);

/** "decisions 34 to 36", "decision 28 and 30", "decisions 93, 94 and 101" */
function numbersIn(title) {
  return [...title.matchAll(/decisions? (\d+(?:(?:,| and| to) \d+)*)/g)].flatMap(([, list]) => {
    const range = /^(\d+) to (\d+)$/.exec(list);
    if (range === null) return list.match(/\d+/g).map(Number);
    return Array.from({ length: range[2] - range[1] + 1 }, (_, at) => Number(range[1]) + at);
  });
}

function replacePart(text, name, content) {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${PAGE} has no place for ${name}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

function link(file) {
  return `[${file.slice(TESTS.length + 1, -".test.ts".length).replace(/\.(integration|e2e)$/, "")}](../${file})`;
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
