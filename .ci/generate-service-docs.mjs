// Writes the tables of docs/service.md: each operation and each rule of docs/rules.md about the local
// service with its tests. With --check it only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { formatTable, readRules, replacePart } from "./read-rules.mjs";

const PAGE = "docs/service.md";
const TESTS = "test/service/local";
/** Its tests are those of the client. */
const RULE_OF_CLIENT = "service 67";
const CASES = "test/service/local/operations.integration.test.ts";
const files = readdirSync(TESTS, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `${TESTS}/${name}`)
  .sort();

const testsByRule = new Map();
for (const file of files) {
  for (const [, first] of readFileSync(file, "utf8").matchAll(/\/\/ docs\/rules\.md: (.*)$/gm)) {
    for (const [, list] of first.matchAll(/service (\d+(?:, \d+)*)/g)) {
      for (const number of list.split(", ")) {
        const tests = testsByRule.get(`service ${number}`) ?? new Set();
        testsByRule.set(`service ${number}`, tests.add(file));
      }
    }
  }
}

const operations = readFileSync("src/service/contract/operations.ts", "utf8");
const [, listed] = /export const OPERATIONS = \{([\s\S]*?)\n\} as const/.exec(operations);
const ids = [...listed.matchAll(/^ {2}(\w+): /gm)].map(([, id]) => id);
const cases = readFileSync(CASES, "utf8");
const missing = ids.filter((id) => !new RegExp(`^  ${id}: `, "m").test(cases));
if (missing.length > 0) throw new Error(`operations without a test: ${missing.join(", ")}`);

const operationTable = formatTable(
  ["Operation", "Tests"],
  ids.map((id) => {
    const others = files.filter(
      (file) => file !== CASES && new RegExp(`\\b${id}\\b`).test(readFileSync(file, "utf8")),
    );
    return [`\`${id}\``, [CASES, ...others].map(link).join(", ")];
  }),
);
const ruleTables = readRules("The local service").map(({ title, rules }) => {
  const rows = rules.map(({ number, cells: [text] }) => {
    const tests = [...(testsByRule.get(number) ?? [])];
    if (tests.length === 0 && number !== RULE_OF_CLIENT)
      throw new Error(`${number} has no test: ${text}`);
    return [
      text,
      tests.length === 0 ? "The tests of the client check this" : tests.map(link).join(", "),
    ];
  });
  return `### ${title}\n\n${formatTable(["Behaviour", "Tests"], rows)}`;
});

const page = readFileSync(PAGE, "utf8");
const withOperations = replacePart(PAGE, page, "operations", operationTable);
const written = replacePart(PAGE, withOperations, "decisions", ruleTables.join("\n\n"));
if (process.argv.includes("--check")) {
  if (written !== page) {
    console.error(`${PAGE} is not up to date: run node .ci/generate-service-docs.mjs.`);
    process.exitCode = 1;
  }
} else writeFileSync(PAGE, written);

function link(file) {
  return `[${file.slice(TESTS.length + 1, -".test.ts".length).replace(/\.(integration|e2e)$/, "")}](../${file})`;
}
