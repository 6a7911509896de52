import { isBuiltin } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { isInPackage } from "../shared/installed-packages.ts";
import { packageRoot } from "../shared/own-package.ts";
import type { Refusal } from "../shared/typescript.ts";
import { HAZARDOUS_NAMES } from "../validate/hazards.ts";
import type { Issue } from "../validate/issue.ts";
import type { CodePlace } from "./await-hint.ts";
import type { TypeProject } from "./type-config.ts";
import { typeHint } from "./type-hints.ts";

export interface Diagnostic {
  file: string | undefined;
  line: number;
  column: number;
  code: string;
  message: string;
}

/**
 * Reads the compiler's plain output: `file(line,column): error TS2322: …`, with further lines
 * indented.
 */
export function parseDiagnostics(output: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, file, row, column, code, message] =
      /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/.exec(line) ?? [];
    const last = diagnostics.at(-1);
    if (code !== undefined && message !== undefined)
      diagnostics.push({
        file,
        line: Number(row ?? 1),
        column: Number(column ?? 1),
        code,
        message,
      });
    else if (last !== undefined && /^\s+\S/.test(line)) last.message += `\n${line.trimEnd()}`;
  }
  return diagnostics;
}

/**
 * Whether the bundler replaces a module or a global, or explains at its place why it does not work.
 */
function isForBundler(message: string): boolean {
  const [, kind, name = ""] = /^Cannot find (name|module) '([^']+)'/.exec(message) ?? [];
  return kind === "module" ? isBuiltin(name) : HAZARDOUS_NAMES.has(name);
}

/**
 * Turns a diagnostic into an issue. Problems in installed packages are left out: the author cannot
 * fix them.
 * @param sourceOf the text of a file
 */
export function toTypeIssues(
  diagnostic: Diagnostic,
  project: TypeProject,
  config: string,
  cwd: string,
  sourceOf: (file: string) => string | undefined,
): Issue[] {
  const { code } = diagnostic;
  if (isForBundler(diagnostic.message)) return [];
  // In a Pack, types of Node or browsers only hide that something does not exist.
  const message = diagnostic.message.replace(
    / (?:Do you need to (?:install|change)|Try `npm i)[^\n]*/,
    "",
  );
  const base = {
    code: "TYPE_ERROR",
    // `@codahq/packs-sdk` built Packs without a type check.
    severity: project.isLegacy ? ("warning" as const) : ("error" as const),
    path: "",
    hint: typeHint(code, diagnostic.message, () => findPlace(diagnostic, sourceOf)),
  };
  const file = diagnostic.file === undefined ? undefined : resolve(cwd, diagnostic.file);
  const isOfProject = file === undefined || file === config;
  if (!isOfProject && isInstalled(file)) return [];
  // TypeScript 5.0 to 5.4 take some options from the command line only, even to switch them off.
  if (file === config && code === "TS6266") return [];
  // A problem in our temporary configuration is a problem of the one that it extends.
  const place = isOfProject
    ? { file: formatPlace(project, cwd), line: 1, column: 1 }
    : { file: relative(cwd, file), line: diagnostic.line, column: diagnostic.column };
  const text = message
    .replaceAll(config, project.config ?? "tsconfig.json")
    .replaceAll(`${cwd}${sep}`, "");
  const [first = "", ...rest] = text.split("\n");
  return [{ ...base, message: [`${first} (${code})`, ...rest].join("\n"), ...place }];
}

function findPlace(
  { file, line, column }: Diagnostic,
  sourceOf: (file: string) => string | undefined,
): CodePlace | undefined {
  const text = file === undefined ? undefined : sourceOf(file);
  return file === undefined || text === undefined ? undefined : { file, text, line, column };
}

function isInstalled(file: string): boolean {
  return isInPackage(file) || file.startsWith(join(packageRoot(), "dist") + sep);
}

export function refusedVersion({ message, hint }: Refusal, file: string): Issue {
  return {
    code: "TYPE_CHECK_FAILED",
    severity: "warning",
    message,
    path: "",
    file,
    line: 1,
    column: 1,
    hint: `${hint} Or pass --no-types.`,
  };
}

export function typeCheckFailure(project: TypeProject, message: string, cwd: string): Issue {
  const hint = project.isTrusted
    ? "Run npx tsc --noEmit in the project to see the reason, or pass --no-types."
    : "Pass --no-types. If you trust this folder, run packsmith trust there.";
  return {
    code: "TYPE_CHECK_FAILED",
    severity: "warning",
    message,
    path: "",
    file: formatPlace(project, cwd),
    line: 1,
    column: 1,
    hint,
  };
}

function formatPlace({ config, entries }: TypeProject, cwd: string): string {
  return relative(cwd, config ?? entries[0] ?? cwd);
}
