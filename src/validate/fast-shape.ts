import type * as z from "zod/mini";

type Check = (value: unknown) => boolean;

/** The parts of a zod definition that are read here. */
interface ShapeDefinition {
  type: string;
  checks?: readonly unknown[] | undefined;
  innerType?: { def: ShapeDefinition } | undefined;
  element?: { def: ShapeDefinition } | undefined;
  entries?: Readonly<Record<string, unknown>> | undefined;
  values?: readonly unknown[] | undefined;
  fn?: Check | undefined;
  shape?: Readonly<Record<string, { def: ShapeDefinition }>> | undefined;
  catchall?: { def: ShapeDefinition } | undefined;
}

const known = new WeakMap<z.ZodMiniObject, Check>();

/**
 * Whether an object certainly has a shape. Most objects do, and finding that out with zod copies each of them: a Pack of 1,000
 * formulas then takes twice as long. False says nothing; zod tells what is wrong.
 */
export function certainlyFits(shape: z.ZodMiniObject, value: object): boolean {
  let check = known.get(shape);
  if (check === undefined) {
    check = objectCheck(shape.def as unknown as ShapeDefinition);
    known.set(shape, check);
  }
  return check(value);
}

function objectCheck({ shape = {}, catchall }: ShapeDefinition): Check {
  const isStrict = catchall?.def.type === "never";
  const checks = Object.entries(shape).map(([key, member]) => [key, checkOf(member.def)] as const);
  const keys = new Set(checks.map(([key]) => key));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const members = value as Readonly<Record<string, unknown>>;
    for (const [key, check] of checks) if (!check(members[key])) return false;
    if (isStrict) for (const key of Object.keys(members)) if (!keys.has(key)) return false;
    return true;
  };
}

function checkOf(def: ShapeDefinition): Check {
  // What is not listed here is left to zod, unless it is absent.
  if (def.checks !== undefined && def.checks.length > 0 && def.type !== "custom") return never;
  switch (def.type) {
    case "unknown":
      return () => true;
    case "string":
    case "boolean":
      return (value) => typeof value === def.type;
    case "number":
      return Number.isFinite;
    case "enum": {
      const values = Object.values(def.entries ?? {});
      return (value) => values.includes(value);
    }
    case "literal":
      return (value) => def.values?.includes(value) === true;
    case "object":
      return objectCheck(def);
    case "custom":
      return def.fn ?? never;
    case "optional": {
      const inner = def.innerType === undefined ? never : checkOf(def.innerType.def);
      return (value) => value === undefined || inner(value);
    }
    case "array": {
      const element = def.element === undefined ? never : checkOf(def.element.def);
      return (value) => Array.isArray(value) && value.every(element);
    }
    default:
      return never;
  }
}

function never(): boolean {
  return false;
}
