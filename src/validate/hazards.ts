import type { IssueCode } from "./codes.ts";
import type { SourceFile } from "./issue.ts";
import { isNode, nameIn, nodesIn, parseProgram, type SyntaxNode, visit } from "./source-module.ts";

/** Codes for things that a Pack uses and the Pack runtime does not have. */
export type HazardCode = Extract<
  IssueCode,
  | "DYNAMIC_IMPORT"
  | "CODE_FROM_TEXT"
  | "WEBASSEMBLY_ABSENT"
  | "PROCESS_ABSENT"
  | "FILE_PATH_ABSENT"
  | "TIMER_ABSENT"
  | "GLOBAL_ABSENT"
>;

/** A place in a source text that fails in the Pack runtime, or works differently there. */
export interface Hazard {
  code: HazardCode;
  /** What is written there, such as `process.exit`. */
  what: string;
  /** Offsets in the source text, in UTF-16 units. */
  start: number;
  end: number;
  /** The code handles the failure: it is in a `try`. */
  isGuarded: boolean;
}

/** Globals of browsers and Node that the Pack runtime does not have. */
const ABSENT_GLOBALS = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "Headers", "Request", "Response", "FormData", "Blob"],
  ...["TextDecoder", "AbortController", "structuredClone", "atob", "btoa"],
  ...["window", "document", "localStorage", "sessionStorage", "navigator"],
];
const TIMERS = ["setTimeout", "setInterval", "setImmediate"];
const FILE_PATHS = ["__dirname", "__filename"];

/** The names that hazards are found for. */
export const HAZARDOUS_NAMES: ReadonlySet<string> = new Set([
  ...ABSENT_GLOBALS,
  ...TIMERS,
  ...FILE_PATHS,
  "process",
  "WebAssembly",
]);

/**
 * @returns the code for a timer, or another global of browsers and Node, that the Pack runtime does
 * not have
 */
export function findAbsence(name: string): HazardCode | undefined {
  if (TIMERS.includes(name)) return "TIMER_ABSENT";
  return ABSENT_GLOBALS.includes(name) ? "GLOBAL_ABSENT" : undefined;
}

/** Members of `process` in a Pack that work as elsewhere; see `bundle/runtime/process.ts`. */
const PROCESS_MEMBERS = [
  ...[
    "browser",
    "title",
    "platform",
    "arch",
    "pid",
    "version",
    "versions",
    "release",
    "nextTick",
    "emitWarning",
    "hrtime",
    "uptime",
  ],
  ...[
    "memoryUsage",
    "umask",
    "emit",
    "listeners",
    "addListener",
    "off",
    "on",
    "once",
    "removeListener",
    "removeAllListeners",
  ],
];

const ANYWHERE =
  /\b(?:require|import)\s*\(\s*(?!(["'`])[^"'`$]*\1\s*\)|\))|\beval\s*\)?\s*\(|\bWebAssembly\s*\./;
/**
 * Where a text may have a hazard. Dependencies often contain the usual way to get the global
 * object.
 */
const IN_DEPENDENCIES = new RegExp(
  `${ANYWHERE.source}|\\bFunction\\s*\\(\\s*(?!["']return this)`,
  "g",
);
const IN_OWN_CODE = new RegExp(
  `${ANYWHERE.source}|\\bFunction\\s*\\(|\\b(?:process\\s*\\??[.[]|(?:${[...FILE_PATHS, ...TIMERS, ...ABSENT_GLOBALS].join("|")})\\b)`,
  "g",
);

/**
 * Finds, without parsing, where hazards may be.
 * @returns offsets in the text
 */
export function possibleHazards(text: string, isOwn: boolean): number[] {
  return [...text.matchAll(isOwn ? IN_OWN_CODE : IN_DEPENDENCIES)].map(({ index }) => index);
}

/**
 * Finds what the Pack runtime does not have. A name that the file declares anywhere is not a
 * hazard, and neither is a name
 * that the code only checks with `typeof`.
 * @param isOwn whether the author wrote the file: dependencies mostly check before they use what
 *   only some runtimes have
 */
export function findHazards(source: SourceFile, isOwn: boolean): Hazard[] {
  const program = parseProgram(source);
  if (program === undefined) return [];
  const parents = new Map<SyntaxNode, SyntaxNode | undefined>();
  const found: Hazard[] = [];
  visit(program, (node, parent) => parents.set(node, parent));
  const declared = declaredNames(parents);
  const isFree = (name: string): boolean => !declared.has(name);
  for (const node of parents.keys()) {
    const hazard = hazardAt(node, parents, isFree, isOwn);
    if (hazard === undefined || isAskedFor(hazard.name, node, parents)) continue;
    const isGuarded = isInTry(node, parents);
    if (hazard.isIdiom && (isGuarded || isOneOfTwo(findCall(node, parents), parents))) continue;
    const { start, end } = hazard.shown ?? node;
    found.push({
      code: hazard.code,
      what: shorten(source.text.slice(start, end)),
      start,
      end,
      isGuarded,
    });
  }
  return found;
}

interface Candidate {
  code: HazardCode;
  /** The name that a `typeof` would ask for. */
  name: string;
  /** The usual way to get the global object, mostly after other ways. */
  isIdiom?: boolean;
  /** The node to show, when it is larger. */
  shown?: SyntaxNode | undefined;
}

function hazardAt(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
  isFree: (name: string) => boolean,
  isOwn: boolean,
): Candidate | undefined {
  const isCall = node.type === "CallExpression" || node.type === "NewExpression";
  if (node.type === "ImportExpression")
    return isKnownModule(node["source"]) ? undefined : { code: "DYNAMIC_IMPORT", name: "" };
  if (isCall) {
    const name = calledName(node["callee"]);
    const args = nodesIn(node["arguments"]);
    if (name === undefined || !isFree(name)) return undefined;
    if (name === "require" && args.length > 0 && !isKnownModule(args[0]))
      return { code: "DYNAMIC_IMPORT", name };
    if (name === "eval") return { code: "CODE_FROM_TEXT", name };
    if (name === "Function")
      return {
        code: "CODE_FROM_TEXT",
        name,
        isIdiom: /^return this;?$/.test(nameIn(args[0])?.trim() ?? ""),
      };
    return undefined;
  }
  if (node.type === "MemberExpression") {
    const object = identifierIn(node["object"]);
    if (object === undefined || !isFree(object)) return undefined;
    if (object === "WebAssembly") return { code: "WEBASSEMBLY_ABSENT", name: object };
    return object === "process" && isOwn ? processHazard(node, parents) : undefined;
  }
  if (!isOwn || !isReference(node, parents)) return undefined;
  const name = identifierIn(node) ?? "";
  if (!isFree(name)) return undefined;
  if (FILE_PATHS.includes(name)) return { code: "FILE_PATH_ABSENT", name };
  const code = findAbsence(name);
  return code === undefined ? undefined : { code, name };
}

/** `process.env.NODE_ENV` is known when the bundle is made. */
function processHazard(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): Candidate | undefined {
  const hazard = { code: "PROCESS_ABSENT", name: "process" } as const;
  const member = nameIn(node["property"]) ?? "";
  if (member !== "env") return PROCESS_MEMBERS.includes(member) ? undefined : hazard;
  const outer = parents.get(node);
  if (outer?.type !== "MemberExpression" || outer["object"] !== node) return hazard;
  return nameIn(outer["property"]) === "NODE_ENV" ? undefined : { ...hazard, shown: outer };
}

/**
 * A text, one of two texts, or a relative path with a fixed beginning: the bundler includes every
 * file that it can mean.
 */
function isKnownModule(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "Literal") return true;
  if (value.type === "ConditionalExpression")
    return isKnownModule(value["consequent"]) && isKnownModule(value["alternate"]);
  if (value.type === "TemplateLiteral") {
    const [first] = nodesIn(value["quasis"]);
    const raw = (first?.["value"] as { raw?: string } | undefined)?.raw ?? "";
    return nodesIn(value["expressions"]).length === 0 || /^\.{1,2}\//.test(raw);
  }
  return value.type === "BinaryExpression" && /^\.{1,2}\//.test(firstText(value));
}

function firstText(value: unknown): string {
  if (!isNode(value)) return "";
  return value.type === "BinaryExpression"
    ? firstText(value["left"])
    : value.type === "Literal"
      ? String(value["value"])
      : "";
}

/** `eval` in `eval(text)` and in `(0, eval)(text)`; `require` in `module.require(name)`. */
function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === "ParenthesizedExpression") return calledName(callee["expression"]);
  if (callee.type === "SequenceExpression")
    return calledName(nodesIn(callee["expressions"]).at(-1));
  if (callee.type === "MemberExpression" && identifierIn(callee["object"]) === "module")
    return nameIn(callee["property"]);
  return identifierIn(callee);
}

function identifierIn(value: unknown): string | undefined {
  return isNode(value) && value.type === "Identifier" ? String(value["name"]) : undefined;
}

/** Whether an identifier reads a variable: it is not a key, a member or a type. */
function isReference(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): boolean {
  const parent = parents.get(node);
  if (node.type !== "Identifier" || parent === undefined) return false;
  switch (parent.type) {
    case "MemberExpression":
      return parent["object"] === node || parent["computed"] === true;
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
    case "AccessorProperty":
      return parent["value"] === node || parent["computed"] === true;
    case "UnaryExpression":
      return parent["operator"] !== "typeof";
    default:
      return !/^TS(?!(?:AsExpression|NonNullExpression|SatisfiesExpression)$)|Specifier$|Label|^(?:Break|Continue)Statement$/.test(
        parent.type,
      );
  }
}

/** Every name that is declared anywhere in a file. */
function declaredNames(parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>): Set<string> {
  const names = new Set<string>();
  const declare = (pattern: unknown): void => {
    if (!isNode(pattern)) return;
    visit(pattern, (node, parent) => {
      // Defaults in a pattern read names too. Counting them as declared can only hide a hazard.
      if (
        node.type === "Identifier" &&
        !(parent?.type === "Property" && parent["key"] === node && parent["shorthand"] !== true)
      )
        names.add(String(node["name"]));
    });
  };
  for (const node of parents.keys()) {
    switch (node.type) {
      case "VariableDeclarator":
      case "ClassDeclaration":
      case "ClassExpression":
      case "TSEnumDeclaration":
      case "TSModuleDeclaration":
        declare(node["id"]);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        declare(node["id"]);
        for (const parameter of nodesIn(node["params"])) declare(parameter);
        break;
      case "CatchClause":
        declare(node["param"]);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        declare(node["local"]);
        break;
    }
  }
  return names;
}

/**
 * Whether the code checks the name before: `typeof WebAssembly === "object" && WebAssembly.Module`.
 */
function isAskedFor(
  name: string,
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): boolean {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = parents.get(at)) {
    const test =
      at.type === "LogicalExpression"
        ? at["left"]
        : at.type.startsWith("If") || at.type.startsWith("Cond")
          ? at["test"]
          : undefined;
    if (isNode(test) && hasTypeof(test, name)) return true;
  }
  return false;
}

function hasTypeof(test: SyntaxNode, name: string): boolean {
  let found = false;
  visit(test, (node) => {
    found ||=
      node.type === "UnaryExpression" &&
      node["operator"] === "typeof" &&
      identifierIn(node["argument"]) === name;
  });
  return found;
}

function isInTry(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): boolean {
  for (
    let at = node, above = parents.get(at);
    above !== undefined;
    at = above, above = parents.get(at)
  ) {
    if (above.type === "TryStatement" && above["block"] === at && isNode(above["handler"]))
      return true;
  }
  return false;
}

/** `Function("return this")()` around `Function("return this")`. */
function findCall(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): SyntaxNode {
  const outer = parents.get(node);
  return outer?.type === "CallExpression" && outer["callee"] === node ? outer : node;
}

function isOneOfTwo(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>,
): boolean {
  return ["LogicalExpression", "ConditionalExpression"].includes(parents.get(node)?.type ?? "");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
