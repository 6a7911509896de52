import { createRequire } from "node:module";
import { dirname, join } from "node:path/posix";
import type * as Oxc from "oxc-parser";
import type { SourceFile } from "./issue.ts";

/** A node of a syntax tree (ESTree). */
export interface SyntaxNode {
  readonly type: string;
  /** Offsets in the source text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Arguments of a call, by the names of the parameters that they stand for. */
export type Bindings = Map<string, Located>;

/** An expression and the file that it is written in. */
export interface Located {
  node: SyntaxNode;
  module: SourceModule;
  bindings?: Bindings | undefined;
  /** It was reached through a spread or a function: an edit there would change other values too. */
  isShared: boolean;
  /** The names of the constants that it was reached through, innermost first. */
  names?: readonly string[] | undefined;
}

/** One of a Pack's source files, and what can be looked up in it. */
export interface SourceModule extends SourceFile {
  program: SyntaxNode;
  /** The values of constants and the functions, by name. */
  constants: ReadonlyMap<string, SyntaxNode>;
  /** Imported names: from which module, under which name there; `*` for all of it. */
  imports: ReadonlyMap<string, { from: string; name: string }>;
  /** Exported names that are not written as `export const`. */
  exports: ReadonlyMap<string, { from: string | undefined; name: string }>;
  /** The modules of `export * from`. */
  exportsAllOf: readonly string[];
  /** The value of `export default`. */
  defaultExport: SyntaxNode | undefined;
  packExport: SyntaxNode | undefined;
  /** Calls of functions and methods by name, in the order in which a chain of them runs. */
  calls: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** The file of the Pack that an import specifier names. */
  resolve(specifier: string): SourceModule | undefined;
  /**
   * Whether one of the Pack's files reads a member of a constant: `title.defaultValue`, or
   * `const { defaultValue } = title`.
   */
  isRead(constant: string, key: string): boolean;
}

const MAX_NESTING = 1000;
const MAX_CONDITIONALS = 5000;
const ENDINGS = [
  "",
  ".ts",
  ".tsx",
  ".mts",
  ".js",
  ".jsx",
  ".mjs",
  "/index.ts",
  "/index.tsx",
  "/index.js",
];

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "start" in value
  );
}

export function isFunction({ type }: SyntaxNode): boolean {
  return (
    type === "ArrowFunctionExpression" ||
    type === "FunctionExpression" ||
    type === "FunctionDeclaration"
  );
}

/** Takes some milliseconds the first time; a Pack without problems does without it. */
function loadParser(): Pick<typeof Oxc, "parseSync"> {
  return createRequire(import.meta.url)("oxc-parser") as Pick<typeof Oxc, "parseSync">;
}

/** Parses a Pack's own files. Files that the parser cannot read are left out. */
export function parseModules(sources: readonly SourceFile[]): SourceModule[] {
  const byPath = new Map<string, SourceModule>();
  let reads: Set<string> | undefined;
  for (const source of sources.filter(isParseable)) {
    const program = parseTree(source);
    byPath.set(source.path, {
      ...source,
      program,
      ...collectNames(program),
      resolve: (specifier) => resolveIn(byPath, source.path, specifier),
      isRead: (constant, key) => {
        reads ??= new Set([...byPath.values()].flatMap((module) => membersRead(module.program)));
        return reads.has(`${constant} ${key}`);
      },
    });
  }
  return [...byPath.values()];
}

/** @returns the syntax tree of one file; undefined when the parser cannot read it */
export function parseProgram(source: SourceFile): SyntaxNode | undefined {
  if (!isParseable(source)) return undefined;
  return parseTree(source);
}

function parseTree({ path, text }: SourceFile): SyntaxNode {
  return loadParser().parseSync(path, text).program as unknown as SyntaxNode;
}

/** Whether a file can be read as a program without a syntax error. */
export function isProgram(source: SourceFile): boolean {
  const { parseSync } = loadParser();
  return isParseable(source) && parseSync(source.path, source.text).errors.length === 0;
}

/** The parser is recursive native code: very deep nesting would crash the process. */
function isParseable({ path, text }: SourceFile): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return false;
  let depth = 0;
  let conditionals = 0;
  for (const char of text.match(/[([{?)\]}]/g) ?? []) {
    if (char === "?") conditionals += 1;
    else depth = Math.max(0, depth + ("([{".includes(char) ? 1 : -1));
    if (depth > MAX_NESTING || conditionals > MAX_CONDITIONALS) return false;
  }
  return true;
}

function resolveIn(
  byPath: ReadonlyMap<string, SourceModule>,
  from: string,
  specifier: string,
): SourceModule | undefined {
  if (!/^\.{1,2}(\/|$)/.test(specifier)) return undefined;
  const path = join(dirname(from), specifier);
  const stem = path.replace(/\.[cm]?jsx?$/, "");
  for (const base of [path, stem]) {
    for (const ending of ENDINGS) {
      const found = byPath.get(base + ending);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The value of an imported name, when it comes from one of the Pack's own files. */
export function importedTo(
  module: SourceModule,
  name: string,
  isShared: boolean,
): Located | undefined {
  const imported = module.imports.get(name);
  const target = imported === undefined ? undefined : module.resolve(imported.from);
  return imported === undefined || target === undefined
    ? undefined
    : exportedBy(target, imported.name, isShared);
}

/** What a module exports under a name, through re-exports. */
export function exportedBy(
  module: SourceModule,
  name: string,
  isShared: boolean,
  depth = 0,
): Located | undefined {
  if (depth > 10) return undefined;
  if (name === "default" && module.defaultExport !== undefined)
    return { node: module.defaultExport, module, isShared };
  const listed = module.exports.get(name);
  if (listed?.from !== undefined) {
    const target = module.resolve(listed.from);
    return target === undefined ? undefined : exportedBy(target, listed.name, isShared, depth + 1);
  }
  const local = listed?.name ?? name;
  const node = module.constants.get(local);
  if (node !== undefined) return { node, module, isShared };
  if (module.imports.has(local)) return importedTo(module, local, isShared);
  for (const from of module.exportsAllOf) {
    const target = module.resolve(from);
    const found = target === undefined ? undefined : exportedBy(target, name, isShared, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Names = Pick<
  SourceModule,
  "constants" | "imports" | "exports" | "exportsAllOf" | "defaultExport" | "packExport" | "calls"
>;

function collectNames(program: SyntaxNode): Names {
  const constants = new Map<string, SyntaxNode>();
  const imports = new Map<string, { from: string; name: string }>();
  const exports = new Map<string, { from: string | undefined; name: string }>();
  const exportsAllOf: string[] = [];
  const calls = new Map<string, SyntaxNode[]>();
  const found: { defaultExport?: SyntaxNode; packExport?: SyntaxNode } = {};
  visit(program, (node) => {
    const from = isNode(node["source"]) ? String(node["source"]["value"]) : undefined;
    switch (node.type) {
      case "VariableDeclarator": {
        const name = nameIn(node["id"]);
        if (name !== undefined && isNode(node["init"]) && !constants.has(name))
          constants.set(name, node["init"]);
        if (name === "pack" && isNode(node["id"])) found.packExport ??= node["id"];
        break;
      }
      case "FunctionDeclaration": {
        const name = nameIn(node["id"]);
        if (name !== undefined && !constants.has(name)) constants.set(name, node);
        break;
      }
      case "ImportDeclaration":
        for (const specifier of nodesIn(node["specifiers"])) {
          const name =
            { ImportNamespaceSpecifier: "*", ImportDefaultSpecifier: "default" }[specifier.type] ??
            nameIn(specifier["imported"]);
          const local = nameIn(specifier["local"]);
          if (local !== undefined && name !== undefined && from !== undefined)
            imports.set(local, { from, name });
        }
        break;
      case "ExportNamedDeclaration":
        for (const specifier of nodesIn(node["specifiers"])) {
          const [local, exported] = [nameIn(specifier["local"]), nameIn(specifier["exported"])];
          if (local !== undefined && exported !== undefined)
            exports.set(exported, { from, name: local });
        }
        break;
      case "ExportAllDeclaration":
        if (from !== undefined && node["exported"] === null) exportsAllOf.push(from);
        break;
      case "ExportDefaultDeclaration":
        if (isNode(node["declaration"])) found.defaultExport = node["declaration"];
        break;
      case "CallExpression": {
        const name = nameIn(calleeName(node));
        if (name === undefined) break;
        const list = calls.get(name);
        if (list === undefined) calls.set(name, [node]);
        else list.push(node);
        break;
      }
    }
  });
  // A chain of calls is nested from its end; its names are in the order in which it runs.
  for (const list of calls.values())
    list.sort((a, b) => (calleeName(a)?.start ?? a.start) - (calleeName(b)?.start ?? b.start));
  return {
    constants,
    imports,
    exports,
    exportsAllOf,
    calls,
    defaultExport: found.defaultExport,
    packExport: found.packExport,
  };
}

/** Every member that is read of something with a name, as `name member`. */
function membersRead(program: SyntaxNode): string[] {
  const reads: string[] = [];
  const findName = (node: unknown): string | undefined =>
    isNode(node) && node.type === "MemberExpression" ? findName(node["object"]) : nameIn(node);
  visit(program, (node) => {
    if (node.type === "MemberExpression")
      reads.push(`${findName(node)} ${nameIn(node["property"])}`);
    if (
      node.type !== "VariableDeclarator" ||
      !isNode(node["id"]) ||
      node["id"].type !== "ObjectPattern"
    )
      return;
    for (const property of nodesIn(node["id"]["properties"]))
      reads.push(`${findName(node["init"])} ${nameIn(property["key"])}`);
  });
  return reads;
}

/** Calls a function for a node and everything inside it, outside first. */
export function visit(
  node: SyntaxNode,
  see: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
  parent?: SyntaxNode,
): void {
  see(node, parent);
  for (const key in node) {
    const member = node[key];
    if (typeof member !== "object" || member === null) continue;
    if (!Array.isArray(member)) {
      if (isNode(member)) visit(member, see, node);
    } else for (const item of member) if (isNode(item)) visit(item, see, node);
  }
}

export function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or the text of a literal in its place. */
export function nameIn(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  return value.type === "Identifier"
    ? String(value["name"])
    : value.type === "Literal"
      ? String(value["value"])
      : undefined;
}

/** The identifier that a call calls: `addFormula` in `pack.addFormula(…)`. */
export function calleeName(call: SyntaxNode): SyntaxNode | undefined {
  const callee = call["callee"];
  if (!isNode(callee)) return undefined;
  const name = callee.type === "MemberExpression" ? callee["property"] : callee;
  return isNode(name) && name.type === "Identifier" ? name : undefined;
}
