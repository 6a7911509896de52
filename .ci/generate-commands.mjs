// Writes docs/commands.md: every command with its arguments, options, examples and output, as the
// command line defines them. With --check, says whether the page is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Help } from "commander";
import { createProgram } from "../dist/cli/program.js";
import { findFacts } from "../dist/cli/verb.js";
import { createJsonSchema, listVerbs } from "../dist/cli/verbs/schema.js";

const INTRODUCTION = `# Commands

This page lists each \`packsmith\` command with its arguments, options, examples and output.

All commands have \`--help\`, \`--debug\` (shows the stack traces of errors) and \`--json\`, which prints one JSON document on stdout. \`packsmith schema COMMAND\` prints
the JSON Schema of that document. A command that ends with an error prints \`{ ok: false, error: { code, message, hint } }\`.

| Exit code | Meaning |
| --- | --- |
| 0 | Success |
| 1 | Problems in the Pack, or a run that failed |
| 2 | An invalid command line, or a file that does not exist |
| 3 | A breaking change, or a listing that differs from the registry |
| 10 | The Pack cannot be built |
| 11 | Network or API error |
| 12 | Authentication error |
| 130 | The command was interrupted |`;

const page = fileURLToPath(new URL("../docs/commands.md", import.meta.url));
const help = new Help();
const streams = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: {},
  cwd: "/",
};
const program = createProgram({ streams }, () => {});
const verbs = listVerbs(program);
const text = await render();

if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== text) {
    console.error("docs/commands.md is stale. Run: npm run docs");
    process.exitCode = 1;
  }
} else writeFileSync(page, text);

async function render() {
  const groups = groupBy(verbs);
  const contents = [...groups].map(
    ([group, members]) =>
      `- **${group}** ${members.map(({ name }) => `[\`${name}\`](#packsmith-${name.replaceAll(" ", "-")})`).join(" · ")}`,
  );
  const sections = [];
  for (const verb of verbs) sections.push(await sectionOf(verb));
  return `${INTRODUCTION}\n\n${contents.join("\n")}\n\n${sections.join("\n\n")}\n`;
}

function groupBy(list) {
  const groups = new Map();
  for (const verb of list) groups.set(groupOf(verb), [...(groups.get(groupOf(verb)) ?? []), verb]);
  return groups;
}

/** The heading of the top command in the help of packsmith. */
function groupOf({ name }) {
  const [first] = name.split(" ");
  return program.commands.find((each) => each.name() === first).helpGroup();
}

async function sectionOf({ name, command }) {
  const facts = findFacts(command);
  const aliases = command.aliases();
  const usage = `packsmith ${name} ${command.usage()}`
    .replace(/ \[options\]/, facts === undefined ? "" : " [options]")
    .trim();
  const lines = [
    `## packsmith ${name}`,
    `${command.description()}.${aliases.length === 0 ? "" : ` Also: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`}`,
    facts === undefined ? undefined : `Usage: \`${usage}\``,
    table(
      "Argument",
      help
        .visibleArguments(command)
        .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    ),
    facts === undefined
      ? undefined
      : table(
          "Option",
          optionsOf(command).map((option) => [option.flags, help.optionDescription(option)]),
        ),
    `\`\`\`sh\n${examplesOf(command)}\n\`\`\``,
    facts === undefined ? undefined : await outputOf(name, command, facts),
  ];
  return lines.filter(Boolean).join("\n\n");
}

/** Without the options that every command has. */
function optionsOf(command) {
  return help
    .visibleOptions(command)
    .filter(({ long }) => !["--json", "--debug", "--help"].includes(long));
}

/** The examples at the end of the command's help. */
function examplesOf(command) {
  let after = "";
  command.emit("afterHelp", { error: false, command, write: (part) => (after += part) });
  const [, examples] = /Examples:\n((?: {2}.*\n)+)/.exec(after) ?? [];
  const lines = examples ?? after.replace(/^\n?.*:\n/, "");
  return lines.trimEnd().replace(/^ {2}/gm, "");
}

async function outputOf(name, command, { nodeFunction }) {
  const { anyOf } = await createJsonSchema(name, command);
  const alternatives = anyOf.slice(0, -1).flatMap(function flat(schema) {
    const inner = schema.anyOf ?? schema.oneOf;
    return inner === undefined
      ? [schema]
      : inner
          .flatMap(flat)
          .map((each) => ({ ...each, description: each.description ?? schema.description }));
  });
  const shapes = alternatives.map(({ properties, required = [], description }) => {
    const members = Object.keys(properties).map(
      (member) => `\`${member}${required.includes(member) ? "" : "?"}\``,
    );
    return `${members.join(", ")}${description === undefined ? "" : `. ${description}`}`;
  });
  const list =
    shapes.length === 1 ? ` ${shapes[0]}` : `\n\n${shapes.map((shape) => `- ${shape}`).join("\n")}`;
  const inNode =
    nodeFunction === undefined ? "" : `\n\nIn Node: \`${nodeFunction}\` of \`packsmith/node\`.`;
  return `With \`--json\`:${list}${inNode}`;
}

function table(head, rows) {
  if (rows.length === 0) return undefined;
  const cell = (content) => content.replace(/\|/g, "\\|").replace(/<([^>`]+)>/g, "\\<$1>");
  return [
    [head, "What it is"],
    ["---", "---"],
    ...rows.map(([term, about]) => [`\`${term.replace(/\|/g, "\\|")}\``, cell(about)]),
  ]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
