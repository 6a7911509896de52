import { isNode, nameIn, nodesIn, type SyntaxNode, visit } from "./source-module.ts";

/** What a JSON value is, as a type of TypeScript says it. */
export type BodyShape =
  | { kind: "object"; members: readonly ShapeMember[] }
  | { kind: "list"; item: BodyShape }
  | { kind: "text" | "number" | "boolean" | "null" | "unknown" }
  | { kind: "literal"; value: string | number | boolean };

export interface ShapeMember {
  name: string;
  shape: BodyShape;
  isOptional: boolean;
}

/** The interfaces and type aliases of a Pack, by name. */
export type TypeDeclarations = ReadonlyMap<string, SyntaxNode>;

type Arguments = ReadonlyMap<string, BodyShape>;

const UNKNOWN: BodyShape = { kind: "unknown" };
/** A type may contain itself. */
const MAX_DEPTH = 8;
const LISTS: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Iterable"]);
/** Types of the language that keep what their first argument is. */
const WRAPPERS: ReadonlySet<string> = new Set(["Partial", "Readonly", "Required", "NonNullable"]);

export function collectTypes(programs: readonly SyntaxNode[]): TypeDeclarations {
  const types = new Map<string, SyntaxNode>();
  for (const program of programs) {
    visit(program, (node) => {
      const name = nameIn(node["id"]);
      if (/^TS(?:Interface|TypeAlias)Declaration$/.test(node.type) && name !== undefined)
        types.set(name, node);
    });
  }
  return types;
}

/** @returns undefined without a type, and for one that says nothing about the value */
export function readShape(
  type: SyntaxNode | undefined,
  types: TypeDeclarations,
): BodyShape | undefined {
  const shape = type === undefined ? UNKNOWN : shapeOfType(type, types, new Map(), 0);
  return shape.kind === "unknown" ? undefined : shape;
}

function shapeOfType(
  type: SyntaxNode,
  types: TypeDeclarations,
  given: Arguments,
  depth: number,
): BodyShape {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const readInner = (each: unknown): BodyShape =>
    isNode(each) ? shapeOfType(each, types, given, depth + 1) : UNKNOWN;
  switch (type.type) {
    case "TSStringKeyword":
    case "TSTemplateLiteralType":
      return { kind: "text" };
    case "TSNumberKeyword":
      return { kind: "number" };
    case "TSBooleanKeyword":
      return { kind: "boolean" };
    case "TSNullKeyword":
      return { kind: "null" };
    case "TSLiteralType":
      return shapeOfLiteral(type["literal"]);
    case "TSArrayType":
      return { kind: "list", item: readInner(type["elementType"]) };
    case "TSTupleType":
      return { kind: "list", item: readInner(nodesIn(type["elementTypes"])[0]) };
    case "TSParenthesizedType":
    case "TSTypeOperator":
      return readInner(type["typeAnnotation"]);
    case "TSUnionType": {
      const parts = nodesIn(type["types"]).map(readInner);
      return parts.find(({ kind }) => kind !== "unknown" && kind !== "null") ?? parts[0] ?? UNKNOWN;
    }
    case "TSIntersectionType":
      return mergeShapes(nodesIn(type["types"]).map(readInner));
    case "TSTypeLiteral":
      return { kind: "object", members: listMembers(type["members"], readInner) };
    case "TSTypeReference":
      return shapeOfReference(type, types, given, depth);
    default:
      return UNKNOWN;
  }
}

function shapeOfReference(
  type: SyntaxNode,
  types: TypeDeclarations,
  given: Arguments,
  depth: number,
): BodyShape {
  const name = nameIn(type["typeName"]) ?? "";
  const bound = given.get(name);
  if (bound !== undefined) return bound;
  const list = type["typeArguments"];
  const passed = (isNode(list) ? nodesIn(list["params"]) : []).map((each) =>
    shapeOfType(each, types, given, depth + 1),
  );
  const [first = UNKNOWN] = passed;
  if (LISTS.has(name)) return { kind: "list", item: first };
  if (WRAPPERS.has(name)) return first;
  if (name === "Record") return { kind: "object", members: [] };
  const declaration = types.get(name);
  if (declaration === undefined) return UNKNOWN;
  const parameters = declaration["typeParameters"];
  const names = isNode(parameters)
    ? nodesIn(parameters["params"]).map((each) => nameIn(each["name"]) ?? String(each["name"]))
    : [];
  const own: Arguments = new Map(names.map((each, index) => [each, passed[index] ?? UNKNOWN]));
  const readInner = (each: unknown): BodyShape =>
    isNode(each) ? shapeOfType(each, types, own, depth + 1) : UNKNOWN;
  const { body } = declaration;
  if (!isNode(body)) return readInner(declaration["typeAnnotation"]);
  const bases = nodesIn(declaration["extends"]).map((base) =>
    shapeOfReference({ ...base, typeName: base["expression"] }, types, own, depth + 1),
  );
  return mergeShapes([...bases, { kind: "object", members: listMembers(body["body"], readInner) }]);
}

function listMembers(members: unknown, inner: (type: unknown) => BodyShape): ShapeMember[] {
  return nodesIn(members).flatMap((member) => {
    const name = nameIn(member["key"]);
    const annotation = member["typeAnnotation"];
    return name === undefined || member.type !== "TSPropertySignature" || !isNode(annotation)
      ? []
      : [
          {
            name,
            shape: inner(annotation["typeAnnotation"]),
            isOptional: member["optional"] === true,
          },
        ];
  });
}

function mergeShapes(shapes: readonly BodyShape[]): BodyShape {
  const members = shapes.flatMap((shape) => (shape.kind === "object" ? shape.members : []));
  return members.length === 0 ? (shapes[0] ?? UNKNOWN) : { kind: "object", members };
}

function shapeOfLiteral(literal: unknown): BodyShape {
  const value = isNode(literal) ? literal["value"] : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? { kind: "literal", value }
    : UNKNOWN;
}
