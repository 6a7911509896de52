import { createRequire } from "node:module";
import type * as Oxc from "oxc-parser";
import { BUILDER_METHODS, writtenPaths } from "./builder-calls.ts";
import type { SourceFile } from "./issue.ts";
import type { Path } from "./report.ts";
import { isMembers, listOf } from "./shape.ts";
import { childOf, type Found, followed, isNode, nameOfCall, type Scope, type SyntaxNode, scopeOf } from "./syntax.ts";

/** A place in a source file. Lines and columns count from 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

const MAX_NESTING = 1000;
const MAX_CONDITIONALS = 5000;

/**
 * Finds where a path of the definition was written: the builder's call, then the members of the object given to it, through
 * constants of the same file. What cannot be followed gives the nearest place before it, in the end the `pack` export.
 * The sources are parsed on the first call.
 */
export function createLocator(definition: unknown, sources: readonly SourceFile[]): (path: Path) => Position | undefined {
  let files: ParsedFile[] | undefined;
  return (path) => {
    const [entry] = sources;
    if (entry === undefined) return undefined;
    const start = { file: entry.path, line: 1, column: 1 };
    try {
      files ??= parse(sources);
      return find(definition, files, path) ?? start;
    } catch {
      // A source that the parser or the recursion cannot take loses its positions, not its issues.
      files ??= [];
      return start;
    }
  };
}

interface ParsedFile extends SourceFile {
  scope: Scope;
  /** The builder's calls, by method, in the order of the text. */
  calls: ReadonlyMap<string, readonly SyntaxNode[]>;
}

function parse(sources: readonly SourceFile[]): ParsedFile[] {
  const { parseSync } = createRequire(import.meta.url)("oxc-parser") as typeof Oxc;
  return sources.filter(isParseable).map((source) => {
    const program = parseSync(source.path, source.text).program as unknown as SyntaxNode;
    return { ...source, ...scopeOf(program) };
  });
}

/** The parser recurses natively: nesting beyond what people write would end the process. */
function isParseable({ text }: SourceFile): boolean {
  let depth = 0;
  let conditionals = 0;
  for (const char of text.match(/[([{?)\]}]/g) ?? []) {
    if (char === "?") conditionals += 1;
    else depth = Math.max(0, depth + ("([{".includes(char) ? 1 : -1));
    if (depth > MAX_NESTING || conditionals > MAX_CONDITIONALS) return false;
  }
  return true;
}

function find(definition: unknown, files: readonly ParsedFile[], path: Path): Position | undefined {
  let nearest: { position: Position; missing: number } | undefined;
  for (const written of writtenPaths(path)) {
    const found = findWritten(definition, files, written);
    if (found !== undefined && (nearest === undefined || found.missing < nearest.missing)) nearest = found;
  }
  if (nearest !== undefined) return nearest.position;
  const exported = files.find(({ scope }) => scope.packExport !== undefined);
  return exported?.scope.packExport === undefined ? undefined : positionOf(exported, exported.scope.packExport);
}

/** The place of a path, or the nearest one before it and how many keys are missing from there. */
function findWritten(definition: unknown, files: readonly ParsedFile[], path: Path): { position: Position; missing: number } | undefined {
  for (const file of files) {
    const root = rootOf(definition, file, path);
    if (root === undefined) continue;
    let at = root.found;
    let depth = root.depth;
    for (const key of path.slice(root.depth)) {
      const next = childOf(at.value, key, file.scope);
      if (next === undefined) break;
      at = next;
      depth += 1;
    }
    return { position: positionOf(file, at.place), missing: Math.max(0, path.length - depth) };
  }
  return undefined;
}

/** The node that stands for the beginning of a path, and how much of the path it covers. */
function rootOf(definition: unknown, file: ParsedFile, path: Path): { found: Found; depth: number } | undefined {
  const [member, index] = path;
  if (typeof member !== "string") return undefined;
  const methods = Object.hasOwn(BUILDER_METHODS, member) ? (BUILDER_METHODS[member] ?? []) : [];
  const calls = callsOf(methods, file);
  const wholePack = (file.calls.get("newPack") ?? []).map((call) => firstArgument(call)).find((node) => node !== undefined);
  const inPack = wholePack === undefined ? undefined : childOf(wholePack, member, file.scope);
  if (inPack !== undefined) return { found: inPack, depth: 1 };
  const asRoot = (call: SyntaxNode | undefined, depth: number): { found: Found; depth: number } | undefined =>
    call === undefined ? undefined : { found: { place: call, value: firstArgument(call) ?? call }, depth };
  if (member === "networkDomains") {
    const domains = calls.flatMap((call) => argumentsOf(call));
    const node = typeof index === "number" ? domains[index] : calls[0];
    return node === undefined ? undefined : { found: { place: node, value: node }, depth: 2 };
  }
  if (!isMembers(definition) || !Array.isArray(definition[member])) return asRoot(calls.at(-1), 1);
  const blocks = definition[member] as unknown[];
  return asRoot(typeof index === "number" ? callOfBlock(blocks, calls, index, file.scope) : calls[0], 2);
}

/** The calls of several methods, in the order of the text. */
function callsOf(methods: readonly string[], file: ParsedFile): SyntaxNode[] {
  const offsetOf = (call: SyntaxNode): number => nameOfCall(call)?.start ?? call.start;
  return methods.flatMap((method) => file.calls.get(method) ?? []).sort((a, b) => offsetOf(a) - offsetOf(b));
}

/** The call that added a block: the one with its name; among several, the one at the same place in the order. */
function callOfBlock(blocks: readonly unknown[], calls: readonly SyntaxNode[], index: number, scope: Scope): SyntaxNode | undefined {
  const nameAt = (at: number): unknown => {
    const block = blocks[at];
    return isMembers(block) ? block["name"] : undefined;
  };
  const name = nameAt(index);
  const named = calls.filter((call) => {
    const argument = firstArgument(call);
    const value = argument === undefined ? undefined : childOf(argument, "name", scope)?.value;
    return value !== undefined && followed(value, scope)["value"] === name;
  });
  const before = blocks.slice(0, index).filter((_, at) => nameAt(at) === name).length;
  return named[before] ?? named.at(-1) ?? (calls.length === blocks.length ? calls[index] : undefined);
}

function firstArgument(call: SyntaxNode): SyntaxNode | undefined {
  return argumentsOf(call)[0];
}

function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  return listOf(call["arguments"]).filter(isNode);
}

function positionOf(file: SourceFile, node: SyntaxNode): Position {
  // A chained call begins where the whole chain does; its method's name is the place that counts.
  const offset = nameOfCall(node)?.start ?? node.start;
  const before = file.text.slice(0, offset).split("\n");
  return { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
