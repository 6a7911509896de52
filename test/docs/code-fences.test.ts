import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Command, Help } from "commander";
import { describe, expect, it } from "vitest";
import { parseSeed } from "../../src/service/local/store/seed.ts";
import { parseYaml } from "../../src/shared/parse-yaml.ts";
import { builtProgram } from "../support/json-output.ts";
import { readFileBlock } from "../support/shell-page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

interface Fence {
  file: string;
  language: string;
  text: string;
}

const fences = (await pages()).flatMap(({ file, text }) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    (match): Fence => ({ file, language: match[1] ?? "", text: match[2] ?? "" }),
  ),
);

describe("the documentation", () => {
  it("has only TypeScript, JavaScript, shell, JSON, YAML and make fences, so that each can be checked", () => {
    expect(
      [...new Set(fences.map(({ language }) => language))].filter(
        (language) => !["ts", "js", "sh", "json", "yaml", "make", "text"].includes(language),
      ),
    ).toEqual([]);
  });

  it.each(
    fences
      .filter(({ language }) => language === "yaml")
      .filter(({ file }) => file !== "docs/pipelines.md"),
  )("$file: YAML is a seed of the local service", ({ text }) => {
    const parsed = parseYaml(text);
    expect(parsed).toMatchObject({ ok: true });
    if (parsed.ok) expect(parseSeed(parsed.value).docs).toHaveLength(1);
  });

  it.each(fences.filter(({ language }) => language === "js"))(
    "$file: JavaScript is a file next to the page, which a test runs",
    async ({ text }) => {
      const names = (await readdir(join(root, "docs/pipelines"))).filter((name) =>
        name.endsWith(".mjs"),
      );
      const files = await Promise.all(
        names.map((name) => readFile(join(root, "docs/pipelines", name), "utf8")),
      );
      expect(files).toContain(text);
    },
  );

  it("compiles: every TypeScript fence type-checks against the built package", async () => {
    const folder = join(root, "node_modules", ".cache", "code-fences");
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const sources = joinAdditions(fences.filter(({ language }) => language === "ts"));
    expect(sources.length).toBeGreaterThan(0);
    for (const [index, text] of sources.entries())
      await writeFile(join(folder, `fence-${index}.ts`), text);
    const entry = (name: string) => [join(root, "dist", `${name}.d.ts`)];
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: {
          rootDir: "/",
          noEmit: true,
          noUnusedLocals: false,
          types: ["node"],
          typeRoots: [join(root, "node_modules", "@types")],
          paths: {
            packsmith: entry("index"),
            "packsmith/node": entry("node"),
            "packsmith/service": entry("service"),
            "packsmith/testing": entry("testing"),
            "packsmith/vitest": entry("vitest"),
          },
        },
        include: ["*.ts"],
      }),
    );
    const { stdout } = await run(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", folder],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  const commands = fences
    .filter(({ language }) => language === "sh")
    .flatMap(({ file, text }) =>
      text
        .split("\n")
        .map((line) => ({ file, line: line.replace(/^(\w+=\S+ )+/, "").replace(/^npx /, "") })),
    )
    .filter(({ line }) => line.startsWith("packsmith "));

  it.each(commands)("$file: `$line` names a command and options that exist", async ({ line }) => {
    const [, ...words] = line.split(/\s+/);
    // Groups, and the questions of help and versions, have no output of their own.
    const program = await builtProgram();
    const top = program.commands.find((each) => isNamed(each, words[0]));
    const command =
      top?.commands.find((each) => isNamed(each, words[1])) ?? findDefault(top) ?? top ?? program;
    expect([
      words[0],
      top !== undefined || words[0]?.startsWith("-") || words[0] === "help",
    ]).toEqual([words[0], true]);
    const flags = new Help().visibleOptions(command).flatMap(({ short, long }) => [short, long]);
    const used = words
      .filter((word) => /^--?[a-z]/.test(word))
      .map((word) => word.replace(/=.*/, ""));
    expect(used.filter((word) => !flags.includes(word))).toEqual([]);
  });
});

/** The texts of TypeScript fences. What a page adds to the end of a file is added to it. */
function joinAdditions(sources: readonly Fence[]): string[] {
  const texts: string[] = [];
  const indexes = new Map<string, number>();
  for (const { file, text } of sources) {
    const block = readFileBlock(text);
    const name = `${file} ${block?.name}`;
    const index = indexes.get(name);
    if (block?.isAddition === true && index !== undefined) texts[index] += text;
    else indexes.set(name, texts.push(text) - 1);
  }
  return texts;
}

function isNamed(command: Command, word: string | undefined): boolean {
  return word !== undefined && (command.name() === word || command.aliases().includes(word));
}

/** `auth pack.ts` is `auth connect pack.ts`. */
function findDefault(command: Command | undefined): Command | undefined {
  return command?.name() === "auth"
    ? command.commands.find((each) => each.name() === "connect")
    : undefined;
}

async function pages(): Promise<{ file: string; text: string }[]> {
  const files = [
    "README.md",
    ...(await markdownIn("docs")),
    ...(await markdownIn("templates")),
    ...(await markdownIn("examples")),
  ];
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(root, file), "utf8") })),
  );
}

async function markdownIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
