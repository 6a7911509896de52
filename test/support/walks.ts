import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseSync } from "oxc-parser";

/** The way of one value through the sources, as CONTRIBUTING.md describes it. */
export interface Walk {
  title: string;
  steps: WalkStep[];
}

export interface WalkStep {
  number: number;
  /** The line, for messages. */
  text: string;
  files: string[];
  /** Functions of the file. Empty for code at the top level, and for a part of another walk. */
  functions: string[];
}

/** A name such as `send` is in many files. */
const MOST_HINTS = 4;

/** @param page the text of CONTRIBUTING.md */
export function readWalks(page: string): Walk[] {
  const [, section = ""] = /^## Follow a value$(.*?)^## /ms.exec(page) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n");
      return { title, steps: lines.flatMap(readStep) };
    });
}

function readStep(line: string): WalkStep[] {
  const [, number, text = ""] = /^(\d+)\. (.*)$/.exec(line) ?? [];
  if (number === undefined) return [];
  const [, file, names = ""] = /^`(src\/[^`]+)`, (.*?): /.exec(text) ?? [];
  const files =
    file === undefined
      ? [...text.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path)
      : [file];
  const functions = [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  return [{ number: Number(number), text: line, files, functions }];
}

/**
 * @param root the folder of `src`
 * @returns what to change in the walks: files that are gone and functions that are not in their
 *   file, with the place where they are now
 */
export function findWalkProblems(walks: readonly Walk[], root: string): string[] {
  const sources = listSources(root);
  return walks.flatMap(({ title, steps }) =>
    steps.flatMap((step) => {
      const at = `"${title}", step ${step.number}`;
      const missing = step.files.filter((file) => !existsSync(join(root, file)));
      if (missing.length > 0)
        return missing.map((file) => `${at}: ${file} is gone. ${fileHint(file, step, sources)}`);
      const [file = ""] = step.files;
      const known = functionsIn(sources.get(file) ?? "", file);
      return step.functions
        .filter((name) => !known.has(name))
        .map((name) => `${at}: ${file} has no function ${name}. ${functionHint(name, sources)}`);
    }),
  );
}

function fileHint(file: string, { functions }: WalkStep, sources: Map<string, string>): string {
  const moved = [...sources.keys()].filter((path) => basename(path) === basename(file));
  if (moved.length > 0) return `A file of this name: ${moved.join(", ")}.`;
  return functions.map((name) => functionHint(name, sources)).join(" ");
}

function functionHint(name: string, sources: Map<string, string>): string {
  const files = [...sources]
    .filter(([file, text]) => text.includes(name) && functionsIn(text, file).has(name))
    .map(([file]) => file);
  if (files.length === 0) return `No file has a function ${name}.`;
  return `${name} is in ${files.slice(0, MOST_HINTS).join(", ")}.`;
}

function listSources(root: string): Map<string, string> {
  return new Map(
    readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [`src/${path}`, readFileSync(join(root, "src", path), "utf8")]),
  );
}

/** The names of all functions of a file: declarations, constants, methods and members. */
function functionsIn(text: string, file: string): Set<string> {
  const names = new Set<string>();
  const add = (node: SyntaxNode | undefined): void => {
    if (node?.name !== undefined) names.add(node.name);
  };
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, id, key, init, value } = node as Record<string, SyntaxNode | undefined> & {
      type?: unknown;
    };
    if (type === "FunctionDeclaration") add(id);
    if (type === "VariableDeclarator" && isFunction(init)) add(id);
    if (isMember(type) && isFunction(value)) add(key);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, text).program.body);
  return names;
}

interface SyntaxNode {
  type?: string;
  name?: string;
}

function isMember(type: unknown): boolean {
  return type === "Property" || type === "MethodDefinition" || type === "PropertyDefinition";
}

function isFunction(node: SyntaxNode | undefined): boolean {
  return node?.type === "FunctionExpression" || node?.type === "ArrowFunctionExpression";
}
