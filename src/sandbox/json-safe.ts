/** How many more values a check may visit. */
export interface CheckBudget {
  values: number;
}

/**
 * Whether `JSON.stringify` writes a value exactly: nothing in it needs a tag, and no `toJSON` changes it. A cycle uses up the
 * budget.
 */
export type IsJsonSafe = (value: unknown, budget: CheckBudget) => boolean;

/**
 * Creates the check. The function is self-contained: its source text is evaluated inside the sandbox, where it captures the
 * intrinsics before the Pack can change them.
 */
export function createJsonSafeCheck(): IsJsonSafe {
  const { isArray } = Array;
  const { is, getPrototypeOf } = Object;
  const { isFinite: isFiniteNumber } = Number;
  const ObjectPrototype = Object.prototype;
  const ArrayPrototype = Array.prototype;
  const MAX_DEPTH = 500;

  const isJsonSafe = (value: unknown, budget: CheckBudget, depth: number): boolean => {
    budget.values -= 1;
    switch (typeof value) {
      case "string":
      case "boolean":
        return true;
      case "number":
        return isFiniteNumber(value) && !is(value, -0);
      case "object": {
        if (value === null) return true;
        if (depth > MAX_DEPTH || budget.values < 0 || (value as { toJSON?: unknown }).toJSON !== undefined) return false;
        const prototype: unknown = getPrototypeOf(value);
        if (prototype === ArrayPrototype) {
          if (!isArray(value)) return false;
          for (let index = 0; index < value.length; index++) if (!isJsonSafe(value[index], budget, depth + 1)) return false;
          return true;
        }
        if (prototype !== ObjectPrototype && prototype !== null) return false;
        for (const name in value)
          if (name === "$" || !isJsonSafe((value as Record<string, unknown>)[name], budget, depth + 1)) return false;
        return true;
      }
      default:
        return false;
    }
  };
  return (value, budget) => isJsonSafe(value, budget, 0);
}
