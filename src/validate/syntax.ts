/** A node of a syntax tree (ESTree). */
export interface SyntaxNode {
  readonly type: string;
  /** Offset in the source text, in UTF-16 units. */
  readonly start: number;
  readonly [member: string]: unknown;
}

/** What a path leads to: where it is written, and the expression that is its value. */
export interface Found {
  place: SyntaxNode;
  value: SyntaxNode;
}

/** What can be looked up in one file. */
export interface Scope {
  /** The values of constants, by name. */
  constants: ReadonlyMap<string, SyntaxNode>;
  packExport: SyntaxNode | undefined;
}

const MAX_STEPS = 50;

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value;
}

/** Reads constants, the `pack` export and the calls of methods and functions, in the order of the text. */
export function scopeOf(program: SyntaxNode): { scope: Scope; calls: Map<string, SyntaxNode[]> } {
  const constants = new Map<string, SyntaxNode>();
  const calls = new Map<string, SyntaxNode[]>();
  let packExport: SyntaxNode | undefined;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "VariableDeclarator" && isNode(node["id"]) && isNode(node["init"])) {
      const name = node["id"]["name"];
      if (typeof name === "string" && !constants.has(name)) constants.set(name, node["init"]);
      if (name === "pack") packExport ??= node["id"];
    }
    const called = nameOfCall(node)?.["name"];
    if (typeof called === "string") calls.set(called, [...(calls.get(called) ?? []), node]);
    for (const member of Object.values(node)) {
      if (Array.isArray(member)) for (const item of member) if (isNode(item)) visit(item);
      if (isNode(member)) visit(member);
    }
  };
  visit(program);
  // A chain of calls is nested from its end; its names are in the order in which it runs.
  for (const list of calls.values()) list.sort((a, b) => (nameOfCall(a)?.start ?? a.start) - (nameOfCall(b)?.start ?? b.start));
  return { scope: { constants, packExport }, calls };
}

/** The identifier that a call calls: `addFormula` in `pack.addFormula(…)`. */
export function nameOfCall(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "CallExpression" || !isNode(node["callee"])) return undefined;
  const callee = node["callee"];
  const name = callee.type === "MemberExpression" ? callee["property"] : callee;
  return isNode(name) && name.type === "Identifier" ? name : undefined;
}

/** The expression behind casts, constants and builder calls such as `makeParameter({…})`. */
export function followed(node: SyntaxNode, scope: Scope): SyntaxNode {
  let at = node;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = stepOf(at, scope);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function stepOf(node: SyntaxNode, { constants }: Scope): SyntaxNode | undefined {
  if (node.type === "Identifier") return constants.get(String(node["name"]));
  if (isNode(node["expression"])) return node["expression"];
  const [argument] = node.type === "CallExpression" && Array.isArray(node["arguments"]) ? (node["arguments"] as unknown[]) : [];
  return isNode(argument) && /^make[A-Z]/.test(String(nameOfCall(node)?.["name"])) ? argument : undefined;
}

/** A member of an object literal, or an element of an array literal. */
export function childOf(node: SyntaxNode, key: string | number, scope: Scope): Found | undefined {
  const target = followed(node, scope);
  if (target.type === "ArrayExpression" && typeof key === "number") return elementOf(target, key);
  if (target.type !== "ObjectExpression" || typeof key !== "string") return undefined;
  const members = (target["properties"] as unknown[]).filter(isNode).reverse();
  for (const member of members) {
    if (member.type === "SpreadElement" && isNode(member["argument"])) {
      const inner = childOf(member["argument"], key, scope);
      if (inner !== undefined) return inner;
    } else if (isNode(member["key"]) && isNode(member["value"]) && keyOf(member["key"]) === key) {
      return { place: member, value: member["value"] };
    }
  }
  // The builder makes a schema of a formula's value hint.
  return key === "schema" ? childOf(target, "codaType", scope) : undefined;
}

function elementOf(array: SyntaxNode, index: number): Found | undefined {
  const elements = array["elements"] as unknown[];
  const element = elements[index];
  if (!isNode(element) || elements.slice(0, index).some((item) => isNode(item) && item.type === "SpreadElement")) return undefined;
  return { place: element, value: element };
}

function keyOf(key: SyntaxNode): unknown {
  return key.type === "Identifier" ? key["name"] : String(key["value"]);
}
