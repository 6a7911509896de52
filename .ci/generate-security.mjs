// Writes the rules at the end of docs/security.md, without their numbers. With --check it only
// compares.
import { readFileSync, writeFileSync } from "node:fs";
import { formatTable, readRules, replacePart } from "./read-rules.mjs";

const PAGE = "docs/security.md";
const parts = readRules("Security").map(({ title, rules }) => {
  const rows = rules.map(({ cells: [rule, source] }) => [rule, source]);
  return `### ${title}\n\n${formatTable(["What packsmith does", "Source"], rows)}`;
});

const page = readFileSync(PAGE, "utf8");
const written = replacePart(PAGE, page, "rules", parts.join("\n\n"));
if (process.argv.includes("--check")) {
  if (written !== page) {
    console.error(`${PAGE} is not up to date: run node .ci/generate-security.mjs.`);
    process.exitCode = 1;
  }
} else writeFileSync(PAGE, written);
