import type { Formula } from "./temporary-definition.ts";

export function normalizeResult(_formula: Formula, value: unknown): unknown {
  return value;
}
