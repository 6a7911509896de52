import {
  type Bindings,
  calleeName,
  exportedBy,
  importedTo,
  isFunction,
  isNode,
  type Located,
  nodesIn,
  type SyntaxNode,
} from "./source-module.ts";

/** The target of a path: where it is written, and the expression that is its value. */
export interface Found {
  place: Located;
  value: Located;
}

const MAX_STEPS = 50;

export function listArguments(call: SyntaxNode): SyntaxNode[] {
  return nodesIn(call["arguments"]);
}

/**
 * The expression behind casts, constants, imports of the Pack's own files, members of constants,
 * builder calls such as
 * `makeParameter({…})` and calls of functions that do nothing but return a value.
 */
export function followReferences(from: Located): Located {
  let at = from;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = findStep(at);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function findStep(at: Located): Located | undefined {
  const { node, module, bindings } = at;
  switch (node.type) {
    case "Identifier": {
      const name = String(node["name"]);
      const constant = module.constants.get(name);
      const next =
        bindings?.get(name) ??
        (constant === undefined
          ? importedTo(module, name, at.isShared)
          : { ...at, node: constant });
      return next === undefined ? undefined : { ...next, names: [name, ...(at.names ?? [])] };
    }
    case "MemberExpression":
      return findMember(at);
    case "CallExpression":
      return findResult(at);
    default:
      return isNode(node["expression"]) ? { ...at, node: node["expression"] } : undefined;
  }
}

/** `schemas.task`, of a constant or of `import * as schemas`. */
function findMember(at: Located): Located | undefined {
  const { object, property, computed } = at.node;
  if (!isNode(object) || !isNode(property)) return undefined;
  const name = nameOfKey(property, computed === true);
  if (name === undefined) return undefined;
  const namespace =
    object.type === "Identifier" ? at.module.imports.get(String(object["name"])) : undefined;
  if (namespace?.name === "*") {
    const target = at.module.resolve(namespace.from);
    return target === undefined ? undefined : exportedBy(target, name, at.isShared);
  }
  return findChild({ ...at, node: object }, name)?.value;
}

function findResult(at: Located): Located | undefined {
  const callee = at.node["callee"];
  const [first] = listArguments(at.node);
  if (!isNode(callee)) return undefined;
  const called = followReferences({ ...at, node: callee });
  if (isFunction(called.node)) return findReturn(called, at);
  const name = String(calleeName(at.node)?.["name"]);
  return first !== undefined && (/^make[A-Z]/.test(name) || name === "freeze")
    ? { ...at, node: first }
    : undefined;
}

/**
 * What a function returns when it is called here. Its parameters are bound to the arguments of the
 * call.
 */
function findReturn({ node, module }: Located, call: Located): Located | undefined {
  const body = node["body"];
  if (!isNode(body)) return undefined;
  const last = body.type === "BlockStatement" ? (body["body"] as unknown[]).at(-1) : undefined;
  const value =
    body.type !== "BlockStatement"
      ? body
      : isNode(last) && last.type === "ReturnStatement"
        ? last["argument"]
        : undefined;
  if (!isNode(value)) return undefined;
  const bindings: Bindings = new Map();
  const given = listArguments(call.node);
  (node["params"] as unknown[]).forEach((parameter, index) => {
    const argument = given[index];
    if (isNode(parameter) && parameter.type === "Identifier" && argument !== undefined) {
      bindings.set(String(parameter["name"]), { ...call, node: argument });
    }
  });
  return { node: value, module, bindings, isShared: true };
}

/** A member of an object literal, or an element of an array literal. */
export function findChild(at: Located, key: string | number): Found | undefined {
  const target = followReferences(at);
  if (target.node.type === "ArrayExpression" && typeof key === "number")
    return findElement(target, key);
  if (target.node.type !== "ObjectExpression" || typeof key !== "string") return undefined;
  const members = (target.node["properties"] as unknown[]).filter(isNode).reverse();
  for (const node of members) {
    if (node.type === "SpreadElement" && isNode(node["argument"])) {
      const inner = findChild({ ...target, node: node["argument"], isShared: true }, key);
      if (inner !== undefined) return inner;
    } else if (
      isNode(node["key"]) &&
      isNode(node["value"]) &&
      nameOfKey(node["key"], node["computed"] === true) === key
    ) {
      const value = { ...target, node: node["value"] };
      // An argument of a function is fixed at the call.
      const argument =
        value.node.type === "Identifier"
          ? target.bindings?.get(String(value.node["name"]))
          : undefined;
      return { place: argument ?? { ...target, node }, value: argument ?? value };
    }
  }
  return writtenAs(target, key);
}

/** The names that authors write for members that the builder renames. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  schema: ["codaType", "placeholderSchema"],
  getter: ["formula"],
};
/** Members that the builder takes out of a table's `dynamicOptions`. */
export const DYNAMIC_OPTIONS: readonly string[] = [
  "getSchema",
  "entityName",
  "defaultAddDynamicColumns",
  "propertyOptions",
];

function writtenAs(object: Located, key: string): Found | undefined {
  for (const name of WRITTEN_AS[key] ?? []) {
    const found = findChild(object, name);
    if (found !== undefined) return found;
  }
  const options = DYNAMIC_OPTIONS.includes(key) ? findChild(object, "dynamicOptions") : undefined;
  return options === undefined ? undefined : findChild(options.value, key);
}

function findElement(array: Located, index: number): Found | undefined {
  const elements = array.node["elements"] as unknown[];
  const element = elements[index];
  if (
    !isNode(element) ||
    elements.slice(0, index + 1).some((item) => isNode(item) && item.type === "SpreadElement")
  )
    return undefined;
  const found = { ...array, node: element };
  return { place: found, value: found };
}

/** A key as text; `undefined` when only running the code shows it. */
export function nameOfKey(key: SyntaxNode, isComputed: boolean): string | undefined {
  if (key.type === "Identifier") return isComputed ? undefined : String(key["name"]);
  return key.type === "Literal" ? String(key["value"]) : textOfTemplate(key);
}

function textOfTemplate(node: SyntaxNode): string | undefined {
  const quasis =
    node.type === "TemplateLiteral" ? (node["quasis"] as { value: { cooked: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** The text of an expression that is a text literal. */
export function findText(node: SyntaxNode): string | undefined {
  return node.type === "Literal" && typeof node["value"] === "string"
    ? node["value"]
    : textOfTemplate(node);
}
