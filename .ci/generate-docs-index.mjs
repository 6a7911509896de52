// Lists the pages of docs/ for programs that read them: in llms.txt, and at the end of the
// AGENTS.md of the templates. With --check, says whether a list is stale. The first paragraph of a
// page, up to its first full stop, says what the page is about.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const HEADING = "## Documentation";
const INSTALLED = "node_modules/packsmith";
const PAGES_FOR_CONTRIBUTORS = ["decisions.md", "rules.md"];

const pages = readdirSync(join(root, "docs"))
  .filter((file) => file.endsWith(".md") && !PAGES_FOR_CONTRIBUTORS.includes(file))
  .sort()
  .map((file) => ({ file, ...summaryOf(readFileSync(join(root, "docs", file), "utf8"), file) }));

const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const llms = `# packsmith

> ${description}

Every command has \`--help\` and \`--json\`. \`packsmith explain CODE\` explains a problem, with a bad and a good example.

## Docs

${pages.map(({ file, title, about }) => `- [${title}](docs/${file}): ${about}`).join("\n")}

## Examples

- [Examples](examples/README.md): Packs with the commands that run them and their output.
`;

const agents = `${HEADING}

The documentation of the installed version is in \`${INSTALLED}\`. There, \`llms.txt\` lists the pages and their topics.
The folder \`examples\` contains complete Packs. Before you guess, read the page about your topic:

${pages.map(({ file, title }) => `- \`${INSTALLED}/docs/${file}\`: ${title}`).join("\n")}
`;

const stale = [
  ["llms.txt", () => llms],
  ...["_shared", "monorepo"].map((template) => [
    `templates/${template}/AGENTS.md`,
    (text) => `${text.split(`${HEADING}\n`)[0].trimEnd()}\n\n${agents}`,
  ]),
].filter(([path, write]) => !isWritten(join(root, path), write));

if (stale.length > 0) {
  console.error(`${stale.map(([path]) => path).join(", ")}: not up to date. Run: npm run docs`);
  process.exitCode = 1;
}

/** Writes a file, or with --check says whether it is up to date. */
function isWritten(path, write) {
  const before = readIfThere(path);
  const after = write(before);
  if (process.argv.includes("--check")) return before === after;
  writeFileSync(path, after);
  return true;
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function summaryOf(text, file) {
  const [heading = "", ...blocks] = text.split(/\n{2,}/);
  const paragraph = blocks.find((block) => /^[A-Z`]/.test(block) && !block.startsWith("```"));
  if (!heading.startsWith("# ") || paragraph === undefined)
    throw new Error(`docs/${file} does not begin with a heading and a paragraph.`);
  const plain = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const [about = ""] = /^.*?[.:](?= |$)/.exec(plain) ?? [plain];
  return { title: heading.slice(2).replaceAll("`", ""), about: about.replace(/:$/, ".") };
}
