import type { OAuthDefinition } from "../../oauth/definition.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import { isRecord } from "../../shared/values.ts";
import { editDefinition } from "../definition-edit.ts";
import { CLIENT_ID_VALUE } from "../find-needs.ts";
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
  const edit = editDefinition(
    definition,
    Object.fromEntries(
      Object.entries(profile.needs ?? {}).map(([name, needed]) => [
        name,
        fillIn(needed, simulated),
      ]),
    ),
  );
  return edit === undefined
    ? undefined
    : {
        definition: { ...definition, ...edit.members },
        edit: edit.text.replaceAll(SIMULATED_CLIENT.clientId, CLIENT_ID_VALUE),
      };
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
  const formatPath = (url: string) => new URL(url).pathname + new URL(url).search;
  const values: Record<string, () => string> = {
    tokenOrigin: () => new URL(tokenUrl).origin,
    authorizationOrigin: () => new URL(authorizationUrl).origin,
    tokenPath: () => formatPath(tokenUrl),
    authorizationPath: () => formatPath(authorizationUrl),
    clientId: () => SIMULATED_CLIENT.clientId,
  };
  return values[name]?.();
}
