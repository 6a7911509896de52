import type { AccountSlot } from "../../accounts/account-summary.ts";
import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import type { Authentication } from "../../define/authentication.ts";
import { isLoopbackHost } from "../../define/hosts.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import { type ProviderProfile, STRICT } from "../../provider/profile.ts";
import {
  type SimulatedDefinition,
  simulateDefinition,
} from "../simulation/simulated-definition.ts";
import { documentUrl, findDocumentOrigins } from "./document-service.ts";
import type { RehearsalOptions } from "./rehearsal-options.ts";

const DEFAULT_TOKEN_SECONDS = 3_600;
const MAX_TOKEN_SECONDS = 86_400;

/** What a rehearsal needs to be, before anything is started. */
export interface RehearsalPlan {
  slot: AccountSlot;
  profile: ProviderProfile;
  tokenSeconds: number;
  authentication: Authentication | undefined;
  /** Undefined without OAuth. */
  simulated: SimulatedDefinition | undefined;
  /** The endpoint of an account without OAuth, if each has its own. */
  endpoint: string | undefined;
  /** Origins of the API, which the provider answers for. */
  apiOrigins: readonly string[];
  /** Origins of the document service that the Pack calls. */
  documentOrigins: readonly string[];
  /** The path of the Pack's MCP server, for which that of the provider stands in. */
  mcpPath: string | undefined;
}

/** Two rehearsals with the same text need the same servers. */
export function describePurpose(options: RehearsalOptions): string {
  const { profile, ...plan } = planRehearsal(options);
  return JSON.stringify([profile.name, plan]);
}

export function planRehearsal({
  definition,
  sources,
  slot: wantedSlot,
  profile = STRICT,
  tokenSeconds = DEFAULT_TOKEN_SECONDS,
  variables,
}: RehearsalOptions): RehearsalPlan {
  const slot = wantedSlot ?? firstSlot(definition);
  const authentication = findSlotAuthentication(definition, slot);
  const documentOrigins = findDocumentOrigins(definition, sources);
  const mcp = definition.mcpServers?.find(({ endpointUrl }) => endpointUrl.startsWith("https://"));
  const tenant = profile.authorization?.tenant;
  const simulated = isOAuth(authentication)
    ? simulateDefinition(
        authentication,
        definition.networkDomains,
        tenant === undefined ? "" : `/${tenant}`,
        variables,
      )
    : undefined;
  const [documents] = documentOrigins;
  return {
    slot,
    profile,
    tokenSeconds: Math.min(Math.max(Math.round(tokenSeconds) || 1, 1), MAX_TOKEN_SECONDS),
    authentication,
    simulated:
      simulated === undefined
        ? undefined
        : {
            ...simulated,
            // The metadata of a resource names the origin that clients asked (RFC 9728 §3.3).
            apiOrigin: mcp === undefined ? simulated.apiOrigin : new URL(mcp.endpointUrl).origin,
            accountEndpoint:
              documents === undefined ? simulated.accountEndpoint : documentUrl(documents),
          },
    endpoint: findEndpoint(definition, authentication, documents),
    apiOrigins: listApiOrigins(definition, simulated?.apiOrigin, mcp?.endpointUrl),
    documentOrigins,
    mcpPath: mcp === undefined ? undefined : new URL(mcp.endpointUrl).pathname,
  };
}

function firstSlot(definition: PackVersionDefinition): AccountSlot {
  const slots: AccountSlot[] = [
    "user",
    "system",
    ...(definition.adminAuthentications ?? []).map(({ name }): AccountSlot => `admin:${name}`),
  ];
  return slots.find((slot) => findSlotAuthentication(definition, slot) !== undefined) ?? "user";
}

function findEndpoint(
  { networkDomains }: PackVersionDefinition,
  authentication: Authentication | undefined,
  documents: string | undefined,
): string | undefined {
  if (authentication === undefined || !("requiresEndpointUrl" in authentication)) return undefined;
  if (authentication.requiresEndpointUrl !== true) return undefined;
  if (documents !== undefined) return documentUrl(documents);
  const domain = authentication.endpointDomain ?? networkDomains[0] ?? "api.example";
  return `https://${domain}`;
}

export function isOAuth(
  authentication: Authentication | undefined,
): authentication is OAuthDefinition {
  return authentication?.type === "OAuth2" || authentication?.type === "OAuth2ClientCredentials";
}

/** All hosts of the Pack's domains, and the origins that it names. */
function listApiOrigins(
  { networkDomains }: PackVersionDefinition,
  ...named: readonly (string | undefined)[]
): string[] {
  const domains = networkDomains
    .filter((domain) => !isLoopbackHost(domain))
    .map((domain) => `https://*.${domain}`);
  const origins = named.flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
  return [...new Set([...origins, ...domains])];
}
