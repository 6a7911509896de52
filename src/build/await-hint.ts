import {
  isFunction,
  isNode,
  nodesIn,
  parseProgram,
  type SyntaxNode,
  visit,
} from "../validate/source-module.ts";

/** What the code at a place lacks: the value of a promise, or of each promise in an array. */
export type MissingAwait = "value" | "elements";

/** A place in a file. Lines and columns count from 1. */
export interface CodePlace {
  file: string;
  text: string;
  line: number;
  column: number;
}

/** An expression that is a promise, and the member that is read from it, if there is one. */
interface AwaitedExpression {
  node: SyntaxNode;
  member?: string | undefined;
}

const MAX_QUOTE = 60;
const ARRAY_METHODS = new Set(["map", "forEach", "filter", "flatMap", "find", "some", "every"]);

/**
 * Where `await` helps, and what else it needs there.
 * @returns undefined where it does not help, or where only a look at more of the code would show it
 */
export function awaitHint(missing: MissingAwait, place: CodePlace): string | undefined {
  const program = parseProgram({ path: place.file, text: place.text });
  if (program === undefined) return undefined;
  const offset = findOffset(place);
  const path = findPath(program, offset);
  const expression = findExpression(path, offset);
  if (expression === undefined) return undefined;
  const { node, member } = expression;
  if (node.type === "Identifier") return hintForName(missing, program, { node, member }, place);
  const { body } = node;
  if (isFunction(node) && isNode(body))
    return hintInFunction(ACTIONS[missing], program, body, place.text);
  return hintFor(missing, program, expression, place);
}

const ACTIONS: Readonly<Record<MissingAwait, string>> = {
  value: "write await before the call",
  elements: "wait for all elements of the array with await Promise.all(…)",
};

/** Expressions in which a promise may be at a deeper place. */
const CONTAINERS = new Set(["ObjectExpression", "ArrayExpression"]);

function hintFor(
  missing: MissingAwait,
  program: SyntaxNode,
  { node, member }: AwaitedExpression,
  { text }: CodePlace,
): string | undefined {
  const isCall = node.type === "CallExpression" || node.type === "NewExpression";
  if (!isCall && !CONTAINERS.has(node.type)) return undefined;
  const action =
    member === undefined || missing === "elements"
      ? ACTIONS[missing]
      : `write await and the call in parentheses: (await ${quote(text, node)}).${member}`;
  return hintInFunction(action, program, node, text);
}

/** A constant has the promise of a call; the parameter of a callback is one of several promises. */
function hintForName(
  missing: MissingAwait,
  program: SyntaxNode,
  { node }: AwaitedExpression,
  place: CodePlace,
): string | undefined {
  const path = findPath(program, node.start);
  const name = String(node["name"]);
  for (let index = path.length - 1; index >= 0; index--) {
    const scope = path[index] as SyntaxNode;
    const call = path[index - 1];
    const isParameter =
      isFunction(scope) && nodesIn(scope["params"]).some((one) => one["name"] === name);
    if (isParameter) {
      const array = missing === "value" && call !== undefined ? findMapped(call, scope) : undefined;
      if (call === undefined || array === undefined) return undefined;
      const action = `wait for all elements of the array first: await Promise.all(${quote(place.text, array)})`;
      return hintInFunction(action, program, call, place.text);
    }
    const value = findConstant(scope, name);
    if (value !== undefined) return hintFor(missing, program, { node: value }, place);
  }
  return undefined;
}

/** The value of a constant that a block declares. */
function findConstant(block: SyntaxNode, name: string): SyntaxNode | undefined {
  if (block.type !== "BlockStatement" && block.type !== "Program") return undefined;
  for (const statement of nodesIn(block["body"])) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of nodesIn(statement["declarations"]))
      if (isNode(id) && id["name"] === name) return isNode(init) ? unwrap(init) : undefined;
  }
  return undefined;
}

/** The array whose elements a callback gets. */
function findMapped(call: SyntaxNode, callback: SyntaxNode): SyntaxNode | undefined {
  const { callee } = call;
  const isCallback =
    call.type === "CallExpression" && nodesIn(call["arguments"]).includes(callback);
  if (!isCallback || !isNode(callee) || callee.type !== "MemberExpression") return undefined;
  const { object, property } = callee;
  const isMethod = isNode(property) && ARRAY_METHODS.has(String(property["name"]));
  return isMethod && isNode(object) ? unwrap(object) : undefined;
}

const OUTSIDE =
  "A Pack can use await only in an async function: move the call into an async function.";

/** @param action what to write in the function */
function hintInFunction(
  action: string,
  program: SyntaxNode,
  node: SyntaxNode,
  text: string,
): string | undefined {
  const path = findPath(program, node.start).filter(({ end }) => end >= node.end);
  const index = path.findLastIndex(
    (one) => one !== node && (isFunction(one) || one.type === "PropertyDefinition"),
  );
  const around = path[index];
  if (around === undefined || !isFunction(around) || isInParameters(around, node)) return OUTSIDE;
  if (around["async"] === true) return sentence(action);
  const owner = path[index - 1];
  if (around["generator"] === true || owner === undefined) return undefined;
  if (/^(?:get|set|constructor)$/.test(String(owner["kind"]))) return OUTSIDE;
  if (owner.type === "CallExpression") {
    // Only the caller of another callback knows whether it waits.
    const isMap = findMapped(owner, around) !== undefined && methodName(owner) === "map";
    const isAsync = hintInFunction("", program, owner, text) === ".";
    return isMap && isAsync
      ? `Make the callback async, ${action}, and wait for all of its results: await Promise.all(… .map(…)).`
      : undefined;
  }
  const { returnType } = around;
  const declared = isNode(returnType) ? returnType["typeAnnotation"] : undefined;
  const type = isNode(declared) ? ` with the return type Promise<${quote(text, declared)}>` : "";
  return `Make the function async${type}, and ${action}.`;
}

function methodName({ callee }: SyntaxNode): unknown {
  const property = isNode(callee) ? callee["property"] : undefined;
  return isNode(property) ? property["name"] : undefined;
}

function isInParameters(functionNode: SyntaxNode, { start, end }: SyntaxNode): boolean {
  return nodesIn(functionNode["params"]).some((one) => one.start <= start && end <= one.end);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function quote(text: string, { start, end }: SyntaxNode): string {
  const code = text.slice(start, end);
  return code.length > MAX_QUOTE || code.includes("\n") ? "…" : code;
}

function findOffset({ text, line, column }: CodePlace): number {
  let offset = 0;
  for (let before = 1; before < line; before++) offset = text.indexOf("\n", offset) + 1;
  return offset + column - 1;
}

/** The nodes around an offset, the outermost first. */
function findPath(program: SyntaxNode, offset: number): SyntaxNode[] {
  const path: SyntaxNode[] = [];
  visit(program, (node) => {
    if (node.start <= offset && offset < node.end) path.push(node);
  });
  return path;
}

/** The expression that the compiler means with a place. */
function findExpression(
  path: readonly SyntaxNode[],
  offset: number,
): AwaitedExpression | undefined {
  const [inner, around] = [path.at(-1), path.at(-2)];
  if (around?.type === "MemberExpression" && around["property"] === inner) {
    const { object } = around;
    return isNode(object) && inner !== undefined
      ? { node: unwrap(object), member: String(inner["name"]) }
      : undefined;
  }
  const key = path.findIndex(({ type, start }) => type === "Property" && start === offset);
  const pattern = path[key - 1];
  if (pattern?.type === "ObjectPattern") return findDestructured(path, pattern);
  for (const node of path.filter(({ start }) => start === offset)) {
    const value = VALUES[node.type];
    const expression = value === undefined ? node : node[value];
    if (!/Statement$|Declaration$|^Program$/.test(node.type) || value !== undefined)
      return isNode(expression) ? { node: unwrap(expression) } : undefined;
  }
  return undefined;
}

/** Which member of a node is its value. The compiler names the place where the node begins. */
const VALUES: Readonly<Record<string, string>> = {
  VariableDeclarator: "init",
  AssignmentExpression: "right",
  AssignmentPattern: "right",
  ReturnStatement: "argument",
  Property: "value",
  PropertyDefinition: "value",
};

function findDestructured(
  path: readonly SyntaxNode[],
  pattern: SyntaxNode,
): AwaitedExpression | undefined {
  const init = path.find(({ id }) => id === pattern)?.["init"];
  return isNode(init) ? { node: unwrap(init) } : undefined;
}

/** An expression without parentheses, casts and `?.`. */
function unwrap(node: SyntaxNode): SyntaxNode {
  const { expression } = node;
  return isNode(expression) ? unwrap(expression) : node;
}
