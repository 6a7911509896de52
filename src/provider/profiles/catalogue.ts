import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";
import { type ProviderProfile, STRICT } from "../profile.ts";
import {
  AUTHORIZATION_PROFILES,
  CLIENT_AUTHENTICATION_PROFILES,
  PROTECTED_RESOURCE_PROFILES,
  TOKEN_REQUEST_PROFILES,
} from "./requests.ts";
import {
  TOKEN_ENVELOPE_PROFILES,
  TOKEN_ERROR_PROFILES,
  TOKEN_MEMBER_PROFILES,
} from "./token-answers.ts";

/** All profiles, the strict one first. */
export const PROVIDER_PROFILES: readonly ProviderProfile[] = [
  STRICT,
  ...CLIENT_AUTHENTICATION_PROFILES,
  ...AUTHORIZATION_PROFILES,
  ...TOKEN_REQUEST_PROFILES,
  ...TOKEN_MEMBER_PROFILES,
  ...TOKEN_ENVELOPE_PROFILES,
  ...TOKEN_ERROR_PROFILES,
  ...PROTECTED_RESOURCE_PROFILES,
];

/** @throws {PackError} PROFILE_UNKNOWN */
export function findProfile(name: string): ProviderProfile {
  const profile = PROVIDER_PROFILES.find((each) => each.name === name);
  if (profile !== undefined) return profile;
  throw new PackError("PROFILE_UNKNOWN", `There is no provider profile "${name.slice(0, 60)}".`, {
    details: { profile: name.slice(0, 60), known: PROVIDER_PROFILES.map((each) => each.name) },
    hint: "Run packsmith provider --list-profiles to see all profiles.",
  });
}

const GROUPS = [
  "client",
  "scope",
  "authorization",
  "token",
  "refresh",
  "answer",
  "resource",
] as const;

/**
 * Combines several profiles into one. Functions run one after the other; other members must not
 * contradict each other.
 * @param profiles profiles, or their names
 * @throws {PackError} PROFILE_UNKNOWN, PROFILE_CONFLICT when two profiles contradict each other
 */
export function composeProfiles(profiles: readonly (string | ProviderProfile)[]): ProviderProfile {
  return profiles
    .map((profile) => (typeof profile === "string" ? findProfile(profile) : profile))
    .reduce(combine, STRICT);
}

function combine(first: ProviderProfile, second: ProviderProfile): ProviderProfile {
  if (first === STRICT) return second;
  if (first.grant !== undefined && second.grant !== undefined && first.grant !== second.grant)
    throw conflict(first, second, "grant");
  return {
    name: `${first.name}+${second.name}`,
    summary: `${first.summary}; ${second.summary}`,
    needs: { ...first.needs, ...second.needs },
    grant: first.grant ?? second.grant,
    refusal: first.refusal ?? second.refusal,
    ...Object.fromEntries(GROUPS.map((group) => [group, combineGroup(first, second, group)])),
  };
}

function combineGroup(
  first: ProviderProfile,
  second: ProviderProfile,
  group: (typeof GROUPS)[number],
): Record<string, unknown> | undefined {
  const [left, right] = [first[group], second[group]] as [
    Record<string, unknown> | undefined,
    Record<string, unknown> | undefined,
  ];
  if (left === undefined || right === undefined) return left ?? right;
  const members = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const earlier = members[name];
    if (earlier === undefined) members[name] = value;
    else if (typeof earlier === "function" && typeof value === "function") {
      members[name] = (input: unknown, facts: unknown) => value(earlier(input, facts), facts);
    } else if (isRecord(earlier) && isRecord(value)) members[name] = { ...earlier, ...value };
    else if (JSON.stringify(earlier) !== JSON.stringify(value))
      throw conflict(first, second, `${group}.${name}`);
  }
  return members;
}

function conflict(
  first: ProviderProfile,
  second: ProviderProfile,
  member: string,
): PackError<"PROFILE_CONFLICT"> {
  return new PackError(
    "PROFILE_CONFLICT",
    `The profiles ${first.name} and ${second.name} contradict each other (${member}).`,
    {
      details: { profiles: [first.name, second.name], member },
      hint: "Remove one of the two options.",
    },
  );
}

/**
 * Adds a profile to that of a known provider. If the two contradict each other, the added one wins:
 * its client authentication,
 * or its way to present the token, replaces all of the known one.
 */
export function overlayProfile(known: ProviderProfile, added: ProviderProfile): ProviderProfile {
  const presents = Object.keys(added.resource ?? {}).some((name) =>
    ["scheme", "header", "query"].includes(name),
  );
  const base = {
    ...known,
    ...(added.client === undefined ? {} : { client: undefined }),
    ...(presents ? { resource: undefined } : {}),
  };
  return {
    ...base,
    name: added.name,
    summary: added.summary,
    grant: added.grant,
    refusal: added.refusal,
    ...Object.fromEntries(GROUPS.map((group) => [group, overlayGroup(base[group], added[group])])),
  };
}

function overlayGroup(known: object | undefined, added: object | undefined): object | undefined {
  if (known === undefined || added === undefined) return known ?? added;
  const members: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(added)) {
    const earlier = members[name];
    members[name] =
      typeof earlier === "function" && typeof value === "function"
        ? (input: unknown, facts: unknown) => value(earlier(input, facts), facts)
        : isRecord(earlier) && isRecord(value)
          ? { ...earlier, ...value }
          : value;
  }
  return members;
}
