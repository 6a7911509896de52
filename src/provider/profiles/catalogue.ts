import { PackError } from "../../errors.ts";
import { type ProviderProfile, STRICT } from "../profile.ts";
import { AUTHORIZATION_PROFILES } from "./authorization.ts";
import { CLIENT_AUTHENTICATION_PROFILES } from "./client-authentication.ts";
import { PROTECTED_RESOURCE_PROFILES } from "./protected-resource.ts";
import { TOKEN_ENVELOPE_PROFILES } from "./token-envelopes.ts";
import { TOKEN_ERROR_PROFILES } from "./token-errors.ts";
import { TOKEN_MEMBER_PROFILES } from "./token-members.ts";
import { TOKEN_REQUEST_PROFILES } from "./token-request.ts";

/** Every quirk profile, the strict one first. */
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
    hint: "packsmith provider --list-profiles names them all.",
  });
}
