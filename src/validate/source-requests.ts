import type { SourceFile } from "./issue.ts";
import {
  calleeName,
  isFunction,
  isNode,
  nameIn,
  parseModules,
  type SourceModule,
  type SyntaxNode,
  visit,
} from "./source-module.ts";
import { type BodyShape, collectTypes, readShape, type TypeDeclarations } from "./source-types.ts";
import { findChild, findText, followReferences, listArguments } from "./syntax.ts";

/** A request that the sources of a Pack send, as far as reading them shows it. */
export interface SourceRequest {
  /** In upper case; undefined if only a run knows it. */
  method: string | undefined;
  /** The path; `*` stands for a part that only a run knows. */
  path: string;
  /** The declared type of the body, such as that of `fetch<Task[]>`. */
  shape: BodyShape | undefined;
  /** The name of the formula or table that sends it. */
  owner: string | undefined;
  /** Members that are read of a body without a declared type, and which of them are lists. */
  members: ReadonlyMap<string, "list" | "value">;
}

/** What a part of a URL is when only a run knows it. */
const UNKNOWN = "*";
const MAX_DEPTH = 20;

/** Finds the requests in a Pack's own files. Nothing of them is run. */
export function readSourceRequests(sources: readonly SourceFile[]): SourceRequest[] {
  const modules = parseModules(sources);
  const types = collectTypes(modules.map(({ program }) => program));
  return modules.flatMap((module) => readModule(module, types));
}

function readModule(module: SourceModule, types: TypeDeclarations): SourceRequest[] {
  const requests: SourceRequest[] = [];
  const around: SyntaxNode[] = [];
  visit(module.program, (node) => {
    // The nodes around this one are those that have begun and not ended.
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= node.start) around.pop();
    if (node.type === "CallExpression") {
      const request = readCall(node, module, types);
      if (request !== undefined)
        requests.push({ ...request, owner: findOwner(around), members: findMembers(around) });
    }
    around.push(node);
  });
  return requests;
}

function readCall(
  call: SyntaxNode,
  module: SourceModule,
  types: TypeDeclarations,
): Pick<SourceRequest, "method" | "path" | "shape"> | undefined {
  const shape = readShape(findTypeArgument(call), types);
  const [first] = listArguments(call);
  const locate = (node: SyntaxNode) => ({ node, module, isShared: false });
  const url = first === undefined ? undefined : findChild(locate(first), "url")?.value.node;
  if (nameIn(calleeName(call)) === "fetch" && first !== undefined && url !== undefined) {
    const method = findChild(locate(first), "method")?.value;
    return {
      method: method === undefined ? "GET" : findText(followReferences(method).node)?.toUpperCase(),
      path: pathIn(readText(url, module)),
      shape,
    };
  }
  // A helper of the author, such as getJson<Task[]>(context, "/tasks").
  if (shape === undefined) return undefined;
  const text = listArguments(call)
    .map((argument) => readText(argument, module))
    .find((each) => /^(?:\/|https:\/\/|\*\/)./.test(each));
  return text === undefined ? undefined : { method: undefined, path: pathIn(text), shape };
}

function findTypeArgument(call: SyntaxNode): SyntaxNode | undefined {
  const list = call["typeArguments"];
  const [first] = isNode(list) ? (list["params"] as unknown[]) : [];
  return isNode(first) ? first : undefined;
}

/** The text that an expression gives, with `*` for what only a run knows. */
function readText(node: SyntaxNode, module: SourceModule, depth = 0): string {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const readInner = (each: unknown) => (isNode(each) ? readText(each, module, depth + 1) : UNKNOWN);
  const text = findText(node);
  if (text !== undefined) return text;
  switch (node.type) {
    case "TemplateLiteral": {
      const values = node["expressions"] as unknown[];
      return (node["quasis"] as { value: { cooked: string } }[])
        .map(
          ({ value }, index) =>
            value.cooked + (index < values.length ? readInner(values[index]) : ""),
        )
        .join("");
    }
    case "BinaryExpression":
      return node["operator"] === "+"
        ? readInner(node["left"]) + readInner(node["right"])
        : UNKNOWN;
    case "LogicalExpression": {
      const left = readInner(node["left"]);
      return left === UNKNOWN ? readInner(node["right"]) : left;
    }
    case "ConditionalExpression": {
      const first = readInner(node["consequent"]);
      return first === UNKNOWN ? readInner(node["alternate"]) : first;
    }
    case "CallExpression":
      return readCalled(node, module, readInner);
    case "NewExpression": {
      const [path, base] = listArguments(node).map(readInner);
      return (base ?? "").replace(/\/$/, "") + (path ?? UNKNOWN);
    }
    default: {
      const target = followReferences({ node, module, isShared: false });
      return target.node === node ? UNKNOWN : readText(target.node, target.module, depth + 1);
    }
  }
}

/** `withQueryParams(url, …)` and `joinUrl(base, path)` of packsmith, and `url.toString()`. */
function readCalled(
  call: SyntaxNode,
  module: SourceModule,
  inner: (node: unknown) => string,
): string {
  const name = nameIn(calleeName(call));
  const parts = listArguments(call);
  if (name === "withQueryParams" || name === "String") return inner(parts[0]);
  if (name === "joinUrl")
    return parts
      .map(inner)
      .join("/")
      .replace(/([^:])\/{2,}/g, "$1/");
  const { callee } = call;
  if (name === "toString" && isNode(callee)) return inner(callee["object"]);
  const target = followReferences({ node: call, module, isShared: false });
  return target.node === call ? UNKNOWN : readText(target.node, target.module, MAX_DEPTH / 2);
}

/** Without scheme, host and query. */
function pathIn(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*$/s, "");
  return path === "" ? "/" : path;
}

/** The `name` of the nearest object around: the formula or the table with this function. */
function findOwner(around: readonly SyntaxNode[]): string | undefined {
  for (const node of [...around].reverse()) {
    if (node.type !== "ObjectExpression") continue;
    const members = node["properties"] as SyntaxNode[];
    const isPart = members.some(({ key }) => /^(?:execute|formula)$/.test(nameIn(key) ?? ""));
    const name = members.find(({ key }) => nameIn(key) === "name")?.["value"];
    const text = isNode(name) ? findText(name) : undefined;
    if (isPart && text !== undefined) return text;
  }
  return undefined;
}

/** What the function around a request reads of `body`. */
function findMembers(around: readonly SyntaxNode[]): Map<string, "list" | "value"> {
  const members = new Map<string, "list" | "value">();
  const scope = [...around].reverse().find(isFunction);
  if (scope === undefined) return members;
  visit(scope, (node, parent) => {
    if (node.type !== "MemberExpression" || !isBody(node["object"])) return;
    const name = nameIn(node["property"]);
    if (name === undefined || LIST_METHODS.test(name)) return;
    const isList =
      (parent?.type === "MemberExpression" &&
        LIST_METHODS.test(nameIn(parent["property"]) ?? "")) ||
      parent?.type === "ForOfStatement";
    if (isList || !members.has(name)) members.set(name, isList ? "list" : "value");
  });
  return members;
}

const LIST_METHODS = /^(?:map|flatMap|filter|forEach|reduce|find|some|every|length|slice|at)$/;

function isBody(node: unknown): boolean {
  if (!isNode(node)) return false;
  return node.type === "MemberExpression"
    ? nameIn(node["property"]) === "body"
    : nameIn(node) === "body";
}
