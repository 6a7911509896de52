import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Words that read as if translated, and what to write instead. */
const WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\banew\b|\bonce more\b/i, "again"],
  [/\bwhoever\b/i, "the user, the caller"],
  [/\bnobody\b/i, "no one"],
  [/\bbeside\b/i, "next to, in addition to, with"],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)/i, "is not a"],
  [/(?<!\bthere )\bis none\b/i, "is not one"],
  [/\b(?!is\b|are\b|leave\b|leaves\b)\w+ alone[.,;)]/i, "only"],
  [/\bolder (?:package|name)\b/i, "@codahq/packs-sdk"],
  [/\bled here\b/i, "routed"],
  [/\bwhat becomes of\b/i, "name the thing"],
  [/\bconsists? of\b/i, "has, contains"],
  [/\bany more\b/i, "no longer"],
  [/\bmeanwhile\b/i, "while …"],
  [/\bin return for itself\b/i, "exchanges it for a new one"],
  [/\bwhat you leave out is\b/i, "by default"],
  [/\bnames ignore case\b/i, "upper and lower case make no difference"],
];

/** Numbers that only the authors of this project know. */
const PRIVATE_NUMBERS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:rule|decision)s? \d+/i, "cite the RFC or a page of the docs"],
  [/\b[ACP]\d{1,2}\b/, "cite the RFC or a page of the docs"],
];

/** These pages for contributors explain the numbers. */
const NUMBERED = ["docs/rules.md", "docs/decisions.md"];

interface Text {
  file: string;
  line: number;
  text: string;
}

it("pages, messages and doc comments of public names are in plain English", () => {
  const texts = [...pages(), ...messages(), ...publicComments()];
  expect(texts.length).toBeGreaterThan(5_000);
  expect(texts.flatMap(findProblems)).toEqual([]);
});

it("finds the words", () => {
  const found = (text: string) => findProblems({ file: "page.md", line: 1, text }).length;
  for (const text of [
    "It mends it.",
    "Nobody asks.",
    "It is no file.",
    "By its name alone.",
    "See rule 27.",
    "A12 says so.",
    "beside it",
    "It is not there any more.",
    "Meanwhile, it waits.",
  ])
    expect([text, found(text)]).toEqual([text, 1]);
  for (const text of [
    "It is no longer there.",
    "There is no file.",
    "Besides, amend it.",
    "Leave it alone",
    "SHA256 and ES256",
    "rules of 27",
  ])
    expect([text, found(text)]).toEqual([text, 0]);
});

function findProblems({ file, line, text }: Text): string[] {
  const rules = NUMBERED.includes(file) ? WORDS : [...WORDS, ...PRIVATE_NUMBERS];
  return rules.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text);
    return found === null
      ? []
      : [`${file}:${line}: "${found[0]}" → ${instead} | ${cutExcerpt(text, found.index)}`];
  });
}

function cutExcerpt(text: string, index: number): string {
  return text.slice(Math.max(0, index - 40), index + 50).replace(/\s+/g, " ");
}

/** Every line of what users read as pages, templates and examples. */
function pages(): Text[] {
  const files = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    ...["docs", "templates", "examples"].flatMap(filesBelow),
  ];
  const readable = files.filter((file) => /\.(?:md|ts|js|yml|json)$|Makefile$/.test(file));
  return readable.flatMap((file) =>
    read(file)
      .split("\n")
      .map((text, index) => ({ file, line: index + 1, text })),
  );
}

/** String literals of the source with more than one word. */
function messages(): Text[] {
  return sourceFiles().flatMap((file) => {
    const source = read(file);
    return listNodes(parseSync(file, source).program).flatMap((node) => {
      const text = readText(node);
      return text === undefined || !/\S\s+\S/.test(text)
        ? []
        : [{ file, line: lineAt(source, node.start), text }];
    });
  });
}

/**
 * Doc comments of the declarations that the entries of the package export, and of their members.
 */
function publicComments(): Text[] {
  const entries = readdirSync(join(root, "src")).filter((name) => name.endsWith(".ts"));
  return entries.flatMap((entry) => {
    const path = `src/${entry}`;
    const exported = listNodes(parseSync(path, read(path)).program).flatMap(
      ({ type, source, specifiers }) => {
        if (type !== "ExportNamedDeclaration" || source == null) return [];
        const names = (specifiers ?? []).map(({ local }) => local?.name ?? "");
        return [
          {
            file: join("src", source.value ?? "")
              .split(sep)
              .join("/"),
            names,
          },
        ];
      },
    );
    return exported.flatMap(({ file, names }) => declaredComments(file, new Set(names)));
  });
}

function declaredComments(file: string, names: ReadonlySet<string>): Text[] {
  const source = read(file);
  const { program, comments } = parseSync(file, source);
  const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
  return (program.body as unknown as Node[]).flatMap((statement) => {
    const { declaration } = statement;
    const declared = declaration?.declarations?.map(({ id }) => id?.name) ?? [
      declaration?.id?.name,
    ];
    if (!declared.some((name) => name !== undefined && names.has(name))) return [];
    const leading = docs.findLast(
      ({ end }) => end <= statement.start && source.slice(end, statement.start).trim() === "",
    );
    const inside = docs.filter(({ start, end }) => start > statement.start && end < statement.end);
    return [...(leading === undefined ? [] : [leading]), ...inside].map(({ start, value }) => ({
      file,
      line: lineAt(source, start),
      text: value,
    }));
  });
}

/** What this test reads of a node of the syntax tree. */
interface Node {
  type: string;
  start: number;
  end: number;
  value?: unknown;
  source?: { value?: string } | null;
  specifiers?: { local?: { name?: string } }[];
  declaration?: { id?: { name?: string }; declarations?: { id?: { name?: string } }[] } | null;
}

function listNodes(from: unknown): Node[] {
  if (Array.isArray(from)) return from.flatMap(listNodes);
  if (typeof from !== "object" || from === null) return [];
  const isNode = "type" in from && "start" in from;
  return [...(isNode ? [from as Node] : []), ...Object.values(from).flatMap(listNodes)];
}

function readText({ type, value }: Node): string | undefined {
  if (type === "Literal" || type === "JSXText")
    return typeof value === "string" ? value : undefined;
  return type === "TemplateElement" ? (value as { raw: string }).raw : undefined;
}

function sourceFiles(): string[] {
  return filesBelow("src").filter((file) => /\.tsx?$/.test(file));
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\.vitepress/.test(entry.parentPath))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

const texts = new Map<string, string>();

function read(file: string): string {
  const known = texts.get(file) ?? readFileSync(join(root, file), "utf8");
  texts.set(file, known);
  return known;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
