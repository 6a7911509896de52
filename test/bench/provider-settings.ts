import { readFileSync } from "node:fs";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import type { ProviderProfile } from "../../src/provider/profile.ts";
import {
  createApi,
  describeProvider,
  findDelimiter,
  isExchanged,
  listNames,
  METHODS,
  ownHeaders,
  type ProviderSettings,
  withoutUsualGrant,
} from "../catalogue/provider-settings.ts";
import { fromDist } from "./from-dist.ts";

export interface SettingsResult {
  total: number;
  /** How many a definition can say, and validation accepts. */
  expressible: number;
  /** How many of them connect, call, refresh, call again and understand a refusal. */
  completed: number;
  /** Why others do not, by reason. */
  reasons: Record<string, number>;
}

/**
 * Translates the settings of real providers into definitions, and takes an account of each through
 * a simulated server that
 * demands what the settings say of the real one.
 * @param file JSON with `providers`, by name; the names are not shown
 */
export async function measureProviderSettings(file: string): Promise<SettingsResult> {
  const { validateDefinition } = await fromDist<
    typeof import("../../src/validate/validate-definition.ts")
  >("validate/validate-definition.js");
  const { simulateDefinition } = await fromDist<
    typeof import("../../src/connect/simulation/simulated-definition.ts")
  >("connect/simulation/simulated-definition.js");
  const { runSimulatedAccount } = await fromDist<
    typeof import("../../src/connect/simulation/simulated-account.ts")
  >("connect/simulation/simulated-account.js");
  const { providers } = JSON.parse(readFileSync(file, "utf8")) as {
    providers: Record<string, ProviderSettings>;
  };
  const result: SettingsResult = { total: 0, expressible: 0, completed: 0, reasons: {} };
  const count = (reason: string) => {
    result.reasons[reason] = (result.reasons[reason] ?? 0) + 1;
  };
  for (const settings of Object.values(providers)) {
    result.total++;
    const described = describeProvider(settings);
    if (typeof described === "string") {
      count(described);
      continue;
    }
    const { networkDomains } = described;
    const definition = withShortEndpoint(described.definition);
    const issues = validateDefinition({
      networkDomains,
      formulas: [],
      defaultAuthentication: definition,
    });
    const problem = issues.find(({ severity }) => severity === "error");
    if (problem !== undefined) {
      count(problem.code);
      continue;
    }
    result.expressible++;
    const outcome = await runSimulatedAccount(
      simulateDefinition(definition, networkDomains),
      networkDomains,
      createServer(settings),
    ).catch((error: unknown) => ({
      step: "the simulation",
      code: error instanceof Error ? error.name : "unknown",
    }));
    if (outcome === undefined) result.completed++;
    else count(`${outcome.step}: ${outcome.code}`);
  }
  return result;
}

/** The API of a simulated server has no path. */
function withShortEndpoint(definition: OAuthDefinition): OAuthDefinition {
  const { endpointUrl } = definition;
  return endpointUrl === undefined
    ? definition
    : { ...definition, endpointUrl: endpointUrl.replace(/^(https:\/\/[^/]+).*/, "$1") };
}

/** A server that demands what the settings say. */
function createServer(settings: ProviderSettings): ProviderProfile {
  const names = listNames(settings);
  const {
    grant_type: grantType,
    scope: _,
    ...tokenParams
  } = withoutUsualGrant(settings.token_params ?? {});
  const api = createApi(settings);
  // The simulated provider sends the address of its API itself.
  const extras = (settings.token_response_extras ?? []).filter(
    (name) => typeof api !== "object" || name !== api.member,
  );
  return {
    name: "settings",
    summary: "demands what the settings of a real provider say",
    client: METHODS[settings.client_auth]?.client,
    scope: { delimiter: findDelimiter(settings) },
    authorization: {
      pkce: settings.pkce === undefined ? "optional" : settings.pkce ? "S256" : "refused",
      parameters: demanded(settings.authorization_params),
      ...(settings.authorization_url_fragment === undefined ? {} : { fragment: true }),
      ...(names === undefined ? {} : { names }),
      ...(settings.code_param === undefined ? {} : { codeParameter: settings.code_param }),
    },
    token: {
      format: settings.body_format,
      parameters: demanded(tokenParams),
      headers: demanded(ownHeaders(settings)),
      exchange: isExchanged(settings),
      ...(typeof grantType === "string" ? { clientCredentialsGrantType: grantType } : {}),
    },
    refresh: {
      ownEndpoint:
        settings.refresh_url !== undefined && settings.refresh_url !== settings.token_url,
      parameters: demanded(withoutUsualGrant(settings.refresh_params ?? {})),
      prolongs: settings.refresh_keeps_token === true,
    },
    answer: {
      ...(settings.nested_token_path === undefined
        ? {}
        : { container: settings.nested_token_path.replace(/\.?access_token$/, "") }),
      beside: Object.fromEntries(extras.map((name) => [name, `sample ${name}`])),
      members: (members) =>
        renamedToken(
          settings,
          settings.expires_in_unit === "milliseconds" ? inMilliseconds(members) : members,
        ),
    },
    ...(settings.token_header === undefined
      ? {}
      : { resource: { header: settings.token_header.toLowerCase(), scheme: "" } }),
  };
}

function renamedToken(
  { access_token_name: name }: ProviderSettings,
  members: Record<string, unknown>,
): Record<string, unknown> {
  if (name === undefined || members["access_token"] === undefined) return members;
  const { access_token: token, ...rest } = members;
  return { ...rest, [name]: token };
}

function inMilliseconds(members: Record<string, unknown>): Record<string, unknown> {
  return typeof members["expires_in"] === "number"
    ? { ...members, expires_in: members["expires_in"] * 1_000 }
    : members;
}

/**
 * Fixed values must come as they are; of templates, any value. An empty one is as good as none (RFC
 * 6749 §3.1).
 */
function demanded(params: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, String(value).includes("${") ? "" : String(value)]),
  );
}
