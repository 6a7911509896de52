import type { OAuthDefinition } from "../../oauth/definition.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import { isRecord } from "../../shared/values.ts";
import { SIMULATED_CLIENT } from "./simulated-client.ts";
import type { SimulatedDefinition } from "./simulated-definition.ts";

/** A corrected definition, and the change in words. */
export interface Correction {
  definition: OAuthDefinition;
  /** Such as `add nestedResponseKey: "data"`. */
  edit: string;
}

/**
 * Adds the members that a definition needs for a profile. Undefined if no member helps, or if it
 * has all of them.
 */
export function correctDefinition(
  definition: OAuthDefinition,
  profile: ProviderProfile,
  simulated: SimulatedDefinition,
): Correction | undefined {
  const members: Readonly<Record<string, unknown>> = { ...definition };
  const changed: Record<string, unknown> = {};
  const edits: string[] = [];
  for (const [name, needed] of Object.entries(profile.needs ?? {})) {
    const value = merge(members[name], fillIn(needed, simulated));
    if (JSON.stringify(value) === JSON.stringify(members[name])) continue;
    changed[name] = value;
    edits.push(editOf(name, members[name], value));
  }
  return edits.length === 0
    ? undefined
    : {
        definition: { ...definition, ...changed },
        edit: edits.join(", ").replaceAll(SIMULATED_CLIENT.clientId, "<your client ID>"),
      };
}

/** Adds the needed value to the present one. Lists and parameters keep their other entries. */
function merge(present: unknown, needed: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(needed))
    return [...present, ...needed.filter((item) => !present.includes(item))];
  return isRecord(present) && isRecord(needed) ? { ...present, ...needed } : needed;
}

function editOf(name: string, present: unknown, value: unknown): string {
  if (value === undefined) return `remove ${name}`;
  return present === undefined
    ? `add ${name}: ${source(value)}`
    : `change ${name} to ${source(value)}`;
}

/** The value as source code. */
function source(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${source(each)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function fillIn(needed: unknown, simulated: SimulatedDefinition): unknown {
  if (typeof needed === "string")
    return needed.replace(
      /\{(\w+)\}/g,
      (text, name: string) => placeholder(name, simulated) ?? text,
    );
  if (Array.isArray(needed)) return needed.map((item) => fillIn(item, simulated));
  if (!isRecord(needed)) return needed;
  return Object.fromEntries(
    Object.entries(needed).map(([name, value]) => [name, fillIn(value, simulated)]),
  );
}

function placeholder(
  name: string,
  { authorizationUrl, tokenUrl }: SimulatedDefinition,
): string | undefined {
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const values: Record<string, () => string> = {
    tokenOrigin: () => new URL(tokenUrl).origin,
    authorizationOrigin: () => new URL(authorizationUrl).origin,
    tokenPath: () => pathOf(tokenUrl),
    authorizationPath: () => pathOf(authorizationUrl),
    clientId: () => SIMULATED_CLIENT.clientId,
  };
  return values[name]?.();
}
