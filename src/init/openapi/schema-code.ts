import { normalizePropertyName } from "../../define/property-name.ts";
import {
  type Code,
  literal,
  NEW_LINE,
  writeArray,
  writeEntry,
  writeKey,
  writeObject,
} from "./code-document.ts";
import { chooseColumns } from "./columns.ts";
import { camelCase, createNames, sentence } from "./names.ts";
import type { ObjectShape, Shape, ShapeMember } from "./shapes.ts";

/**
 * Writes schemas as code. Every named object is a constant, which is declared before it is used.
 */
export interface SchemaCode {
  /** The schema expression of a shape. */
  expression(shape: Shape): Code;
  /** The TypeScript type of a shape's values. */
  writeType(shape: Shape): string;
  /** The constants that were used, in the order of their declarations. */
  constants(): Code[];
}

/**
 * @param use called with each name to import
 * @param leave called with each member that a schema does not have, and why
 */
export function createSchemaCode(
  use: (name: string) => void,
  leave: (what: string) => void,
): SchemaCode {
  const nameOf = createNames();
  const names = new Map<ObjectShape, string>();
  const written: Code[] = [];
  return {
    expression: (shape) => expression(shape, undefined, "the response"),
    writeType,
    constants: () => written,
  };

  function expression(shape: Shape, member: ShapeMember | undefined, place: string): Code {
    if (shape.kind === "object") {
      return shape.name === undefined && member !== undefined
        ? makeObject(shape, place)
        : nameConstant(shape);
    }
    use("ValueType");
    const more = [
      ...(member?.description === undefined
        ? []
        : [writeEntry("description", literal(member.description))]),
      ...(member?.isRequired === true ? ["required: true"] : []),
      ...(member === undefined || keyFor(member) === member.name
        ? []
        : [writeEntry("fromKey", literal(member.name))]),
    ];
    if (shape.kind === "list")
      return writeObject([
        "type: ValueType.Array",
        ["items: ", itemExpression(shape.items, place)],
        ...more,
      ]);
    return writeObject([...writeScalar(shape), ...more]);
  }

  function itemExpression(shape: Shape, place: string): Code {
    return shape.kind === "object" && shape.name === undefined
      ? makeObject(shape, place)
      : expression(shape, undefined, place);
  }

  function writeScalar(shape: Exclude<Shape, ObjectShape | { kind: "list" }>): Code[] {
    if (shape.kind === "number") return ["type: ValueType.Number"];
    if (shape.kind === "boolean") return ["type: ValueType.Boolean"];
    if (shape.kind === "unknown" || shape.hint === undefined) return ["type: ValueType.String"];
    use("ValueHintType");
    return ["type: ValueType.String", `codaType: ValueHintType.${shape.hint}`];
  }

  function nameConstant(shape: ObjectShape): string {
    const known = names.get(shape);
    if (known !== undefined) return known;
    const name = nameOf(
      `${(shape.name ?? "Result").replace(/Schema$/, "").slice(0, 40)}Schema`,
      "A",
    );
    names.set(shape, name);
    const comment = shape.left.map((reason) => `// Left out ${sentence(reason, 120)}.`);
    written.push([
      ...comment.flatMap((line) => [line, NEW_LINE]),
      `const ${name} = `,
      makeObject(shape, `the schema ${name.replace(/Schema$/, "")}`),
      ";",
    ]);
    return name;
  }

  function makeObject(shape: ObjectShape, place: string): Code {
    use("makeObjectSchema");
    for (const reason of shape.left) leave(`${place}: its property ${sentence(reason, 120)}`);
    const keys = chooseKeys(shape.members);
    const properties = shape.members.map((member) => {
      const key = keys.get(member) ?? member.name;
      const { shape: inner } = member;
      const inside = `${place}.${sentence(member.name, 50)}`;
      // An object property has no further members here, except fromKey.
      if (inner.kind !== "object")
        return [
          writeKey(key),
          ": ",
          expression(inner, { ...member, name: member.name, key } as KeyedMember, inside),
        ];
      const value = expression(inner, member, inside);
      return key === member.name
        ? writeEntry(writeKey(key), value)
        : [
            writeKey(key),
            ": ",
            writeObject([["...", value], writeEntry("fromKey", literal(member.name))]),
          ];
    });
    const entries: Code[] = [
      ["properties: ", writeObject(properties, { isBroken: properties.length > 0 })],
    ];
    const columns = chooseColumns(shape);
    const [id, display] = [
      columns.id && keys.get(columns.id),
      columns.display && keys.get(columns.display),
    ];
    if (id !== undefined) entries.push(writeEntry("idProperty", literal(id)));
    if (display !== undefined) entries.push(writeEntry("displayProperty", literal(display)));
    if (shape.isOpen) entries.push("includeUnknownProperties: true");
    return ["makeObjectSchema(", writeObject(entries, { isBroken: !shape.isOpen }), ")"];
  }

  function writeType(shape: Shape): string {
    switch (shape.kind) {
      case "text":
      case "unknown":
        return "string";
      case "number":
      case "boolean":
        return shape.kind;
      case "list":
        return `${writeType(shape.items)}[]`;
      case "object":
        use("SchemaType");
        return `SchemaType<typeof ${nameConstant(shape)}>`;
    }
  }
}

type KeyedMember = ShapeMember & { key: string };

function keyFor(member: ShapeMember): string {
  return "key" in member ? (member as KeyedMember).key : member.name;
}

/**
 * The keys of properties: the API's names where a document can show them, and unique after
 * compilation.
 */
function chooseKeys(members: readonly ShapeMember[]): Map<ShapeMember, string> {
  const compiled = new Set<string>();
  const keys = new Map<ShapeMember, string>();
  const isPlain = ({ name }: ShapeMember): boolean => /^[A-Za-z][A-Za-z0-9_-]*$/.test(name);
  // Properties that keep their name come first.
  for (const member of [...members.filter(isPlain), ...members.filter((each) => !isPlain(each))]) {
    const base = isPlain(member)
      ? member.name
      : camelCase(member.name).replace(/^[^A-Za-z]*/, "") || "field";
    let key = base;
    for (let number = 2; compiled.has(normalizePropertyName(key)); number++)
      key = `${base}${number}`;
    compiled.add(normalizePropertyName(key));
    keys.set(member, key);
  }
  return keys;
}

/** A JSON value as code. */
export function valueCode(value: unknown): Code {
  if (Array.isArray(value)) {
    const isBroken =
      value.length > 1 &&
      value.every(
        (item) => typeof item === "object" && item !== null && Object.keys(item).length > 1,
      );
    return writeArray(value.map(valueCode), { isBroken });
  }
  if (typeof value === "object" && value !== null) {
    return writeObject(
      Object.entries(value).map(([name, member]) => writeEntry(writeKey(name), valueCode(member))),
    );
  }
  return typeof value === "string" ? literal(value) : String(value);
}
