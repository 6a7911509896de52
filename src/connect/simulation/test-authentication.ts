import type { AccountSlot } from "../../accounts/account-summary.ts";
import { requireOAuth } from "../../accounts/pack-account.ts";
import { openValidPack } from "../../execute/open-pack.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import { findProfile, PROVIDER_PROFILES } from "../../provider/profiles/catalogue.ts";
import { inParallel } from "../../shared/concurrency.ts";
import { uptimeMs } from "../../shared/time.ts";
import { correctDefinition } from "./corrected-definition.ts";
import type { ProfileResult } from "./profile-result.ts";
import { runSimulatedAccount } from "./simulated-account.ts";
import { type SimulatedDefinition, simulateDefinition } from "./simulated-definition.ts";

export interface TestAuthenticationOptions {
  file: string;
  cwd: string;
  /** @default "user" */
  slot?: AccountSlot | undefined;
  /** Names of provider profiles. @default all of them */
  profiles?: readonly string[] | undefined;
  /** Milliseconds of a clock that only goes forward. @default `uptimeMs` */
  now?: (() => number) | undefined;
}

export interface AuthenticationTest {
  /** Whether nothing failed. */
  ok: boolean;
  results: readonly ProfileResult[];
  durationMs: number;
}

/** Several at a time, because each account mostly waits for its provider. */
const ACCOUNTS_AT_ONCE = 4;

/**
 * Tests a Pack's OAuth definition against simulated providers, one for each profile. Each provider
 * fits the definition and
 * deviates from the specifications in one point. If that fails, the corrected definition is tested
 * too.
 * @throws {PackError} PROFILE_UNKNOWN, OAUTH_NOT_CONFIGURED, PACK_INVALID, and errors of building
 *   and loading the Pack
 */
export async function testAuthentication(
  options: TestAuthenticationOptions,
): Promise<AuthenticationTest> {
  const { now = uptimeMs } = options;
  const startedMs = now();
  const profiles = options.profiles?.map(findProfile) ?? PROVIDER_PROFILES;
  await using pack = await openValidPack(options.file, { cwd: options.cwd });
  const definition = requireOAuth(pack.definition, options.slot ?? "user");
  const results = await inParallel(
    profiles,
    (profile) => testProfile(definition, pack.definition.networkDomains, profile),
    ACCOUNTS_AT_ONCE,
  );
  return {
    ok: results.every(({ outcome }) => outcome !== "failed"),
    results,
    durationMs: now() - startedMs,
  };
}

async function testProfile(
  definition: OAuthDefinition,
  networkDomains: readonly string[],
  profile: ProviderProfile,
): Promise<ProfileResult> {
  const result = {
    profile: profile.name,
    summary: profile.summary,
    failure: undefined,
    edit: undefined,
    remaining: undefined,
  };
  const grant = definition.type === "OAuth2" ? "authorization_code" : "client_credentials";
  if (profile.grant !== undefined && profile.grant !== grant)
    return { ...result, outcome: "skipped" };
  // A provider that expects the secret in one place needs a client with a secret.
  const wantsSecret =
    profile.client?.methods !== undefined || profile.needs?.["credentialsLocation"] !== undefined;
  if (definition.clientAuthentication !== undefined && wantsSecret)
    return { ...result, outcome: "skipped" };
  const simulated = simulate(definition, networkDomains, profile);
  const failure = await runSimulatedAccount(simulated, networkDomains, profile);
  if (failure === undefined) return { ...result, outcome: "passed" };
  const correction = correctDefinition(definition, profile, simulated);
  if (correction === undefined) return { ...result, outcome: "failed", failure };
  const corrected = simulate(correction.definition, networkDomains, profile);
  const remaining = await runSimulatedAccount(corrected, networkDomains, profile);
  return { ...result, outcome: "failed", failure, edit: correction.edit, remaining };
}

function simulate(
  definition: OAuthDefinition,
  networkDomains: readonly string[],
  { authorization }: ProviderProfile,
): SimulatedDefinition {
  return simulateDefinition(
    definition,
    networkDomains,
    authorization?.tenant === undefined ? "" : `/${authorization.tenant}`,
  );
}
