/** The part of a JSON schema that a Pack's schema can express. */
export type Shape =
  | { kind: "text"; hint?: TextHint | undefined; choices?: readonly string[] | undefined }
  | { kind: "number"; choices?: readonly number[] | undefined }
  | { kind: "boolean" }
  | { kind: "list"; items: Shape }
  | ObjectShape
  /** Any type, or one of several types. */
  | { kind: "unknown" };

export interface ObjectShape {
  kind: "object";
  /** The name of the object in the description. */
  name: string | undefined;
  members: ShapeMember[];
  /** The object has no named members. */
  isOpen: boolean;
  /** Members that were left out, and why. */
  left: string[];
}

export interface ShapeMember {
  name: string;
  shape: Shape;
  description: string | undefined;
  /** A nullable member is not required. */
  isRequired: boolean;
  isNullable: boolean;
}

export type TextHint = "Date" | "DateTime" | "Email" | "Url";

/** A shape where one is needed: undefined if the schema contains itself there. */
export type ShapeOrCircle = Shape | undefined;

export const UNKNOWN: Shape = { kind: "unknown" };

/** The innermost item type of a list. */
export function getItem(shape: Shape): Shape {
  return shape.kind === "list" ? getItem(shape.items) : shape;
}

/** A member of an object as its schema describes it. */
export interface PropertyShape {
  name: string;
  shape: ShapeOrCircle;
  isNullable: boolean;
  description: string | undefined;
}

/** An object of these members, without those that a Pack cannot describe. */
export function createObjectShape(
  properties: readonly PropertyShape[],
  required: readonly unknown[],
): ObjectShape {
  const members: ShapeMember[] = [];
  const left: string[] = [];
  for (const { name, shape, isNullable, description } of properties) {
    if (shape === undefined) left.push(`${name}: it contains the object itself`);
    else if (getItem(shape).kind === "unknown") left.push(`${name}: it has no specific type`);
    else {
      const isRequired = required.includes(name) && !isNullable;
      members.push({ name, shape, description, isRequired, isNullable });
    }
  }
  return toObject(members, left);
}

/** The shape of `allOf`: an object has the members of all its parts. */
export function mergeShapes(
  shapes: readonly ShapeOrCircle[],
  required: ReadonlySet<unknown>,
): Shape {
  const objects = shapes.filter((shape) => shape?.kind === "object");
  if (objects.length === 0) return shapes.find((shape) => shape !== undefined) ?? UNKNOWN;
  const members = new Map(
    objects.flatMap((shape) => shape.members).map((member) => [member.name, member]),
  );
  return toObject(
    // One part may require a member that another part defines.
    [...members.values()].map((member) => ({
      ...member,
      isRequired: member.isRequired || (required.has(member.name) && !member.isNullable),
    })),
    objects.flatMap((shape) => shape.left),
  );
}

/** The shape of `oneOf`: what is true of each choice. */
export function uniteShapes(shapes: readonly ShapeOrCircle[]): Shape {
  const objects = shapes.filter((shape) => shape?.kind === "object");
  if (objects.length === shapes.length) return uniteObjects(objects);
  const [first] = shapes;
  if (!shapes.every((shape) => shape?.kind === first?.kind)) return UNKNOWN;
  switch (first?.kind) {
    case "text":
    case "number":
    case "boolean":
      return { kind: first.kind };
    default:
      return UNKNOWN;
  }
}

/** A member is required only if all objects require it. */
function uniteObjects(objects: readonly ObjectShape[]): ObjectShape {
  const members = new Map<string, ShapeMember>();
  const left = objects.flatMap((shape) => shape.left);
  for (const member of objects.flatMap((shape) => shape.members)) {
    const before = members.get(member.name);
    const shape = before === undefined ? member.shape : findCommonShape(before.shape, member.shape);
    if (shape === undefined) left.push(`${member.name}: it has several types`);
    else
      members.set(member.name, {
        ...member,
        shape,
        isRequired: objects.every((each) => requires(each, member.name)),
      });
  }
  const clashes = new Set(left.map((reason) => reason.split(":")[0]));
  return toObject(
    [...members.values()].filter(({ name }) => !clashes.has(name)),
    left,
  );
}

function requires({ members }: ObjectShape, name: string): boolean {
  return members.some((member) => member.name === name && member.isRequired);
}

/** The shape of a member that has one shape or the other. */
function findCommonShape(one: Shape, other: Shape): Shape | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  // Objects with a kind of their own name it in a member with one choice.
  if (one.kind === "text" && other.kind === "text")
    return { kind: "text", hint: one.hint === other.hint ? one.hint : undefined };
  return one.kind === "number" && other.kind === "number" ? { kind: "number" } : undefined;
}

function toObject(members: ShapeMember[], left: readonly string[]): ObjectShape {
  return {
    kind: "object",
    name: undefined,
    members,
    isOpen: members.length === 0,
    left: [...new Set(left)],
  };
}
