import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { usageError } from "../errors.ts";
import { type RunFormulaOptions, type RunResult, runFormula } from "../execute/run-target.ts";
import { notWritable } from "../shared/failures.ts";
import { makeFolder } from "../shared/folders.ts";

export interface SaveTestOptions extends RunFormulaOptions {
  /** The test file to write, such as `test/list-tasks.test.ts`. */
  testFile: string;
  /** Overwrites an existing file. @default false */
  overwrites?: boolean | undefined;
}

export interface SavedTest {
  run: RunResult;
  /** The absolute path of the test. */
  path: string;
}

/**
 * Runs a target of a Pack, records the requests, and writes a vitest test. The test replays the
 * recorded responses, and expects the same result. The clock of the Pack does not change during the
 * run, so that the test can use the same time.
 * @throws {PackError} USAGE_INVALID when the file already exists or is not a test file;
 *   OUTPUT_NOT_WRITABLE
 */
export async function saveTest({
  testFile,
  overwrites = false,
  ...options
}: SaveTestOptions): Promise<SavedTest> {
  const path = resolve(options.cwd, testFile);
  if (!/\.(test|spec)\.[cm]?[jt]s$/.test(path)) {
    throw usageError(
      `${testFile} is not a valid name for a test file.`,
      "Use a name such as list-tasks.test.ts, so that vitest finds the test.",
    );
  }
  if (!overwrites && existsSync(path))
    throw usageError(`${testFile} already exists.`, "Use another name, or delete the file first.");
  const nowMs = Math.floor((options.now ?? Date.now)() / 1_000) * 1_000;
  const name = basename(path).replace(/\.(test|spec)\.[cm]?[jt]s$/, "");
  const record = options.record ?? join(dirname(path), "cassettes", `${name}.json`);
  const run = await runFormula({ ...options, record, packNow: () => nowMs });
  // Nothing was recorded: the run failed before the Pack ran.
  if (run.cassette === undefined) return { run, path };
  const text = testText({ options, run, path, nowMs, cassette: run.cassette.path });
  try {
    makeFolder(dirname(path));
    await writeFile(path, text, { flag: overwrites ? "w" : "wx" });
  } catch (cause) {
    throw notWritable("The test", testFile, "Check that you can write to the folder.", cause);
  }
  return { run, path };
}

interface TestParts {
  options: RunFormulaOptions;
  run: RunResult;
  path: string;
  nowMs: number;
  cassette: string;
}

function testText({ options, run, path, nowMs, cassette }: TestParts): string {
  const { cwd, file, formula, args, redactor, timezone, dynamicUrl, maxRows, maxPages } = options;
  const helper =
    run.ok && run.kind === "sync"
      ? "executeSyncTable"
      : /[:>]/.test(formula)
        ? "executeMetadata"
        : "executeFormula";
  const findRelative = (target: string): string =>
    relative(dirname(path), resolve(cwd, target)).split(sep).join("/");
  const shown = run.ok ? { timezone, dynamicUrl, maxRows, maxPages } : { timezone, dynamicUrl };
  const extra = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${writeLiteral(value)}`],
  );
  const call = `${helper}(${writeLiteral(findRelative(file))}, ${writeLiteral(formula)}, ${writeLiteral(args)}, options)`;
  const expected = run.ok
    ? `  expect(await ${call}).toEqual(${writeLiteral(redactor.data(run.result), "  ")});`
    : `  const { code, message } = ${writeLiteral(readError(run), "  ")};\n  await expect(${call}).rejects.toMatchObject({ code, message });`;
  const members = [
    'cwd: fileURLToPath(new URL(".", import.meta.url))',
    `replay: ${writeLiteral(findRelative(cassette))}`,
    "strict: true",
    `clock: createFakeClock(${writeLiteral(new Date(nowMs).toISOString())})`,
    ...extra,
  ];
  return `${writeImport("node:url", "fileURLToPath")}
${writeImport("packsmith/testing", "createFakeClock", helper)}
${writeImport("vitest", "expect", "it")}

// The responses are in the cassette; nothing is sent.
const options = {
${members.map((member) => `  ${member},\n`).join("")}};

it(${writeLiteral(`${formula} ${run.ok ? "gives" : "fails with"} what was recorded`)}, async () => {
${expected}
});
`;
}

function writeImport(module: string, ...names: readonly string[]): string {
  return `import { ${names.join(", ")} } from ${JSON.stringify(module)};`;
}

function readError(run: RunResult): { code: string; message: string } {
  if (run.ok) throw new TypeError("The run has no error.");
  const { code, message } = run.failure.error;
  return { code, message };
}

/** A value as TypeScript source. */
function writeLiteral(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (value instanceof Date) return `new Date(${JSON.stringify(value.toISOString())})`;
  if (value instanceof Uint8Array) return `new Uint8Array(${JSON.stringify([...value])})`;
  if (typeof value === "number" && Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  const short = writeShort(value);
  if (short !== undefined) return short;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${inner}${writeLiteral(item, inner)},\n`).join("")}${indent}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${writeKey(name)}: ${writeLiteral(member, inner)},\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

const MAX_SHORT = 60;

/** @returns a small array or object on one line; undefined when it is too long or nested */
function writeShort(value: object): string | undefined {
  const parts = Array.isArray(value)
    ? value.map((item) => (isPlain(item) ? writeLiteral(item) : undefined))
    : Object.entries(value).map(([name, member]) =>
        isPlain(member) ? `${writeKey(name)}: ${writeLiteral(member)}` : undefined,
      );
  if (parts.includes(undefined)) return undefined;
  const text = parts.join(", ");
  if (text.length > MAX_SHORT) return undefined;
  return Array.isArray(value) ? `[${text}]` : text === "" ? "{}" : `{ ${text} }`;
}

function isPlain(value: unknown): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    (Array.isArray(value) && value.every((item) => typeof item !== "object"))
  );
}

function writeKey(name: string): string {
  // A plain `__proto__` key would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
