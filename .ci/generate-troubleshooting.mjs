// Writes the tables of docs/troubleshooting.md: what each code means, why it exists, and what to
// do. With --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { EXIT_CODES } from "../dist/cli/verb.js";
import { getExitClass } from "../dist/errors.js";
import { explain } from "../dist/validate/explanations/explain.js";

const PAGE = "docs/troubleshooting.md";

/** The codes in a source file, grouped by the comments above them. */
function groupsOf(file, declaration) {
  const source = readFileSync(file, "utf8");
  const body = source.slice(source.indexOf(declaration)).split(/^}/m)[0];
  const groups = [];
  for (const [, title, code] of body.matchAll(/^ {2}\/\/ (.*)$|^ {2}([A-Z][A-Z0-9_]+):/gm)) {
    if (title !== undefined) groups.push({ title, codes: [] });
    else groups.at(-1).codes.push(code);
  }
  return groups.filter(({ codes }) => codes.length > 0);
}

const errors = groupsOf("src/errors.ts", "export interface PackErrorDetails").map(
  ({ title, codes }) =>
    section(
      title,
      ["Code", "Exit", "What happened", "Why, and what to do", "For example"],
      codes,
      (each) => [
        String(EXIT_CODES[getExitClass(each.code)]),
        each.meaning,
        each.why,
        example(each.good),
      ],
    ),
);
const issues = groupsOf("src/validate/codes.ts", "export const ISSUE_CODES").map(
  ({ title, codes }) =>
    section(title, ["Code", "", "What is wrong", "Why, and what to do"], codes, (each) => [
      each.severity,
      each.meaning,
      each.why,
    ]),
);

const page = readFileSync(PAGE, "utf8");
const written = replacePart(
  replacePart(page, "errors", errors.join("\n\n")),
  "issues",
  issues.join("\n\n"),
);
if (process.argv.includes("--check")) {
  if (written !== page) {
    console.error(`${PAGE} is not up to date: run node .ci/generate-troubleshooting.mjs.`);
    process.exitCode = 1;
  }
} else writeFileSync(PAGE, written);

function section(title, head, codes, cells) {
  const rows = codes.map((code) => {
    const explained = explain(code);
    if (explained === undefined) throw new Error(`${code} has no explanation.`);
    return [`<a id="${code.toLowerCase()}"></a>\`${code}\``, ...cells(explained)];
  });
  return `### ${title}\n\n${[head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")}`;
}

/** One-line examples only; `packsmith explain` shows the longer ones. */
function example(text) {
  return text.includes("\n") ? "" : `\`${text.replace(/ {2,}/g, " ")}\``;
}

function cell(text) {
  return text.replaceAll("|", "\\|");
}

function replacePart(text, name, content) {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${PAGE} has no section for ${name}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}
