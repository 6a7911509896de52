import type { OAuthDefinition } from "../oauth/definition.ts";
import { isRecord } from "../shared/values.ts";

/** A change of a definition. */
export interface DefinitionEdit {
  /** The changed members with their new values. */
  members: Readonly<Record<string, unknown>>;
  /** The change in words, such as `add nestedResponseKey: "data"`. */
  text: string;
}

/**
 * The change that gives a definition the members that it needs. Lists and parameters keep their
 * other entries.
 * @returns undefined if the definition has all of them
 */
export function editDefinition(
  definition: OAuthDefinition,
  needed: Readonly<Record<string, unknown>>,
): DefinitionEdit | undefined {
  const present: Readonly<Record<string, unknown>> = { ...definition };
  const members: Record<string, unknown> = {};
  const texts: string[] = [];
  for (const [name, wanted] of Object.entries(needed)) {
    const value = merge(present[name], wanted);
    if (JSON.stringify(value) === JSON.stringify(present[name])) continue;
    members[name] = value;
    texts.push(describeChange(name, present[name], value));
  }
  return texts.length === 0 ? undefined : { members, text: texts.join(", ") };
}

function merge(present: unknown, needed: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(needed))
    return [...present, ...needed.filter((item) => !present.includes(item))];
  return isRecord(present) && isRecord(needed) ? { ...present, ...needed } : needed;
}

function describeChange(name: string, present: unknown, value: unknown): string {
  if (value === undefined) return `remove ${name}`;
  return present === undefined
    ? `add ${name}: ${formatSource(value)}`
    : `change ${name} to ${formatSource(value)}`;
}

/** The value as source code. */
function formatSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatSource).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${formatSource(each)}`,
  );
  return `{ ${members.join(", ")} }`;
}
