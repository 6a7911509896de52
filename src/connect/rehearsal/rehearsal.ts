import { randomBytes } from "node:crypto";
import type { AccountSlot } from "../../accounts/account-summary.ts";
import { PackError } from "../../errors.ts";
import type { Routes } from "../../oauth/routes.ts";
import type { ClientCredentials } from "../../oauth/token-set.ts";
import { DEFAULT_REDIRECT_URIS } from "../../provider/options.ts";
import { type LocalProvider, startProvider } from "../../provider/provider.ts";
import { createSimulatedClient } from "../simulation/simulated-client.ts";
import {
  type OwnOptions,
  pageRoutesToProvider,
  routesToProvider,
  startSimulatedProvider,
} from "../simulation/simulated-provider.ts";
import { createLocalApi } from "./local-api.ts";
import type { LocalDocuments, RehearsalOptions } from "./rehearsal-options.ts";
import { isOAuth, planRehearsal, type RehearsalPlan } from "./rehearsal-plan.ts";
import { canInventSecrets, createSecretCheck, inventSecrets } from "./secret-check.ts";

/** Client ID of every account that is connected to a rehearsal. */
export const LOCAL_CLIENT_ID = "packsmith-local";

/** What a connection to a rehearsal needs to know, and the runs after it. All of it is JSON. */
export interface LocalConnection {
  slot: AccountSlot;
  /** Undefined when the client registers itself, and for an account without OAuth. */
  client: ClientCredentials | undefined;
  /** Undefined for OAuth. */
  secrets: Readonly<Record<string, string>> | undefined;
  variables: Readonly<Record<string, string>>;
  endpoint: string | undefined;
  revocationUrl: string | undefined;
  /** `origin=url` texts. */
  routes: readonly string[];
  /** `origin=url` texts: where the browser finds the pages. */
  pageRoutes: readonly string[];
}

/** Local servers that answer everything a Pack sends. */
export interface Rehearsal extends AsyncDisposable {
  readonly provider: LocalProvider;
  readonly documents: LocalDocuments | undefined;
  readonly connection: LocalConnection;
  readonly tokenSeconds: number;
  /** Origins of the authorization server and, last, those that only the API has. */
  readonly origins: { server: readonly string[]; api: readonly string[] };
}

/**
 * Starts what stands in for everything that a Pack connects to: an authorization server at the
 * paths of its definition, and its API at all of its domains. The caller starts the document
 * service.
 * @throws {PackError} AUTHENTICATION_UNSUPPORTED when the credentials cannot be invented
 */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const plan = planRehearsal(options);
  const startDocuments = async (provider?: LocalProvider) =>
    plan.documentOrigins.length === 0 ? undefined : await options.startDocuments?.(provider);
  // The tokens of an authorization server are looked up there. Other tokens are those of the
  // document service, so that it is started first.
  const first = isOAuth(plan.authentication) ? undefined : await startDocuments();
  const { provider, credentials } = await startPlannedProvider(options, plan, first).catch(
    async (error: unknown) => {
      await first?.close();
      throw error;
    },
  );
  try {
    const documents = first ?? (await startDocuments(provider));
    const { origin } = provider.mutualTls ?? provider;
    const server = plan.simulated === undefined ? {} : routesToProvider(plan.simulated, provider);
    const api = {
      ...routesTo(origin, plan.apiOrigins),
      ...(documents === undefined ? {} : routesTo(documents.origin, plan.documentOrigins)),
    };
    return {
      provider,
      documents,
      tokenSeconds: plan.tokenSeconds,
      origins: { server: Object.keys(server), api: Object.keys(api) },
      connection: {
        slot: plan.slot,
        ...credentials,
        variables: plan.simulated?.variables ?? {},
        endpoint: plan.simulated?.endpoint ?? plan.endpoint,
        revocationUrl: provider.mutualTls?.revocationUrl ?? provider.revocationUrl,
        // A login page on the host of the API stays where the browser finds it.
        routes: writeRoutes({ ...api, ...server }),
        pageRoutes:
          plan.simulated === undefined
            ? []
            : writeRoutes(pageRoutesToProvider(plan.simulated, provider)),
      },
      async [Symbol.asyncDispose]() {
        await provider.close();
        await documents?.close();
      },
    };
  } catch (error) {
    await provider.close();
    await first?.close();
    throw error;
  }
}

function routesTo(target: string, origins: readonly string[]): Routes {
  return Object.fromEntries(origins.map((origin) => [origin, target]));
}

function writeRoutes(routes: Routes): string[] {
  return Object.entries(routes).map(([from, to]) => `${from}=${to}`);
}

type Credentials = Pick<LocalConnection, "client" | "secrets">;

async function startPlannedProvider(
  options: RehearsalOptions,
  plan: RehearsalPlan,
  documents: LocalDocuments | undefined,
): Promise<{ provider: LocalProvider; credentials: Credentials }> {
  const { authentication, apiOrigins, mcpPath } = plan;
  const random = options.random ?? randomBytes;
  const randomText = () => Buffer.from(random(24)).toString("base64url");
  const origin = apiOrigins[0]?.replace("*.", "") ?? "https://api.example";
  const api = createLocalApi(options.latest ?? (() => options), origin);
  const own = {
    ...options.provider,
    paths: { ...options.provider?.paths, ...(mcpPath === undefined ? {} : { mcp: mcpPath }) },
  };
  if (isOAuth(authentication))
    return await startForOAuth(options, plan, { ...own, api }, randomText);
  if (authentication !== undefined && !canInventSecrets(authentication))
    throw new PackError(
      "AUTHENTICATION_UNSUPPORTED",
      `packsmith provider --for cannot imitate a provider of ${authentication.type} accounts.`,
      {
        details: { type: authentication.type },
        hint: "Connect an account with the real provider, or test with recorded responses.",
      },
    );
  const secrets =
    authentication === undefined
      ? undefined
      : inventSecrets(authentication, randomText, documents?.token);
  const accepts =
    authentication === undefined || secrets === undefined
      ? () => true
      : createSecretCheck(authentication, secrets);
  const provider = await startProvider({
    control: false,
    now: options.now,
    ...own,
    api: { ...api, accepts, secrets: Object.values(secrets ?? {}) },
  });
  return { provider, credentials: { client: undefined, secrets } };
}

async function startForOAuth(
  { packName, now }: RehearsalOptions,
  { authentication, simulated, profile, tokenSeconds }: RehearsalPlan,
  own: OwnOptions,
  randomText: () => string,
): Promise<{ provider: LocalProvider; credentials: Credentials }> {
  if (simulated === undefined || !isOAuth(authentication))
    throw new TypeError("Only an OAuth account has a simulated provider.");
  const { registration, credentials } = createSimulatedClient(authentication, profile);
  const usesSecret = registration.clientSecret !== undefined;
  const clientSecret = usesSecret ? randomText() : credentials.clientSecret;
  const provider = await startSimulatedProvider(
    simulated,
    profile,
    {
      ...registration,
      clientId: LOCAL_CLIENT_ID,
      ...(usesSecret ? { clientSecret } : {}),
      name: packName,
      redirectUris: DEFAULT_REDIRECT_URIS,
      anyPathBelow: true,
      anyLocalhostPort: true,
      accessTokenTtlSeconds: tokenSeconds,
      now,
    },
    own,
  );
  const registersItself =
    authentication.type === "OAuth2" && authentication.useDynamicClientRegistration === true;
  return {
    provider,
    credentials: {
      client: registersItself ? undefined : { clientId: LOCAL_CLIENT_ID, clientSecret },
      secrets: undefined,
    },
  };
}
