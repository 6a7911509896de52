import { randomBytes } from "node:crypto";
import type { AccountSlot } from "../../accounts/account-summary.ts";
import { oauthOf } from "../../accounts/pack-account.ts";
import { createSimulatedClient } from "../../connect/simulation/simulated-client.ts";
import { simulateDefinition } from "../../connect/simulation/simulated-definition.ts";
import {
  pageRoutesToProvider,
  routesToProvider,
  startSimulatedProvider,
} from "../../connect/simulation/simulated-provider.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import type { ClientCredentials } from "../../oauth/token-set.ts";
import { DEFAULT_REDIRECT_URIS } from "../../provider/options.ts";
import { findProfile } from "../../provider/profiles/catalogue.ts";
import type { LocalProvider } from "../../provider/provider.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { LocalProviderView } from "../wire/accounts.ts";
import { LOCAL_CLIENT_ID } from "./describe-accounts.ts";

export interface LocalProviderRequest {
  slot: AccountSlot;
  profile: string;
  tokenSeconds: number;
  /** The values of connection variables that the user has entered. */
  variables: Readonly<Record<string, string>>;
}

/** What a connection needs to know about the local provider. */
export interface LocalConnection {
  /** Undefined when the client registers itself. */
  client: ClientCredentials | undefined;
  variables: Readonly<Record<string, string>>;
  endpoint: string | undefined;
  /** `origin=url` texts: where the browser finds the pages. */
  pageRoutes: readonly string[];
}

/**
 * Local providers in this process, one per slot. While one runs, requests for the origins of the
 * definition are routed to it.
 */
export interface LocalProviders extends AsyncDisposable {
  /**
   * Starts the provider of a slot, or reuses the running one if nothing about it has changed.
   * @throws {PackError} PROFILE_UNKNOWN, OAUTH_NOT_CONFIGURED, ROUTE_INVALID when an origin is
   *   already routed elsewhere
   */
  start(
    definition: PackVersionDefinition,
    packName: string,
    request: LocalProviderRequest,
  ): Promise<LocalConnection>;
  view(slot: string): LocalProviderView | undefined;
  /** Its revocation endpoint. */
  revocationUrl(slot: string): string | undefined;
  /** Expires every access token at the provider. The account notices with its next request. */
  expireTokens(slot: string): boolean;
  stop(slot: string): Promise<void>;
}

interface Running {
  /** Identifies what it was started for. */
  purpose: string;
  provider: LocalProvider;
  view: LocalProviderView;
  connection: LocalConnection;
  /** Makes the document service refuse its tokens. */
  withdrawTokens: () => void;
}

const MAX_TOKEN_SECONDS = 86_400;

export function createLocalProviders(session: DevSession): LocalProviders {
  const running = new Map<string, Running>();

  const stop = async (slot: string): Promise<void> => {
    const found = running.get(slot);
    if (found === undefined) return;
    running.delete(slot);
    found.withdrawTokens();
    const routes = parseRoutes(session.routes());
    // Something else, such as the document service, may have taken over an origin in the meantime.
    const { origin: target } = found.provider.mutualTls ?? found.provider;
    const own = found.view.origins.filter((origin) => routes[origin] === target);
    for (const origin of own) session.setRoute(origin, undefined);
    await found.provider.close();
  };
  return {
    async start(definition, packName, { slot, profile: name, tokenSeconds, variables }) {
      const profile = findProfile(name);
      const authentication = oauthOf(definition, slot);
      const tenant = profile.authorization?.tenant;
      const ofApi = simulateDefinition(
        authentication,
        definition.networkDomains,
        tenant === undefined ? "" : `/${tenant}`,
        variables,
      );
      // The metadata of a resource names the origin that clients asked (RFC 9728 §3.3).
      const simulated = { ...ofApi, apiOrigin: mcpOriginOf(definition) ?? ofApi.apiOrigin };
      const accessTokenTtlSeconds = Math.min(
        Math.max(Math.round(tokenSeconds) || 1, 1),
        MAX_TOKEN_SECONDS,
      );
      const purpose = JSON.stringify([name, accessTokenTtlSeconds, simulated]);
      const before = running.get(slot);
      if (before?.purpose === purpose) return before.connection;
      await stop(slot);
      const { credentials, registration } = createSimulatedClient(authentication, profile);
      const usesSecret = registration.clientSecret !== undefined;
      const clientSecret = usesSecret
        ? randomBytes(24).toString("base64url")
        : credentials.clientSecret;
      const provider = await startSimulatedProvider(simulated, profile, {
        ...registration,
        clientId: LOCAL_CLIENT_ID,
        ...(usesSecret ? { clientSecret } : {}),
        name: packName,
        redirectUris: DEFAULT_REDIRECT_URIS,
        anyPathBelow: true,
        anyLocalhostPort: true,
        accessTokenTtlSeconds,
        now: session.now,
      });
      try {
        const routes = {
          ...routesToProvider(ofApi, provider),
          ...routesToProvider(simulated, provider),
        };
        const origins = takeRoutes(session, routes, [ofApi.apiOrigin, simulated.apiOrigin]);
        const isRegistered =
          authentication.type === "OAuth2" && authentication.useDynamicClientRegistration === true;
        const connection: LocalConnection = {
          client: isRegistered ? undefined : { clientId: LOCAL_CLIENT_ID, clientSecret },
          variables: simulated.variables,
          endpoint: simulated.endpoint,
          pageRoutes: Object.entries(pageRoutesToProvider(simulated, provider)).map(
            ([from, to]) => `${from}=${to}`,
          ),
        };
        const view = { profile: name, origins, tokenSeconds: accessTokenTtlSeconds };
        const withdrawTokens = session.localTokens.offer({
          url: provider.introspectionUrl,
          ...provider.resourceServer,
        });
        running.set(slot, { purpose, provider, connection, view, withdrawTokens });
        return connection;
      } catch (error) {
        await provider.close();
        throw error;
      }
    },
    view: (slot) => running.get(slot)?.view,
    revocationUrl(slot) {
      const provider = running.get(slot)?.provider;
      return provider?.mutualTls?.revocationUrl ?? provider?.revocationUrl;
    },
    expireTokens(slot) {
      const found = running.get(slot);
      found?.provider.clock.advance((found.view.tokenSeconds + 1) * 1_000);
      return found !== undefined;
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const slot of [...running.keys()]) await stop(slot);
    },
  };
}

/** The origin of the Pack's MCP server, for which the provider's own one stands in. */
function mcpOriginOf({ mcpServers = [] }: PackVersionDefinition): string | undefined {
  const [server] = mcpServers;
  return server?.endpointUrl.startsWith("https://") === true
    ? new URL(server.endpointUrl).origin
    : undefined;
}

/**
 * Routes origins to the provider. The API and the MCP server may already be served by something
 * else, such as the document service.
 * @returns the origins that are now routed to it
 */
function takeRoutes(
  session: DevSession,
  routes: Readonly<Record<string, string>>,
  apis: readonly string[],
): string[] {
  const taken = parseRoutes(session.routes());
  const origins = Object.keys(routes);
  const clash = origins.find((origin) => !apis.includes(origin) && Object.hasOwn(taken, origin));
  if (clash !== undefined) {
    throw new PackError(
      "ROUTE_INVALID",
      `Requests for ${clash} are already routed to ${taken[clash]}.`,
      {
        details: { route: clash },
        hint: "Connect to that server, or start packsmith dev without this --route.",
      },
    );
  }
  const free = origins.filter((origin) => !Object.hasOwn(taken, origin));
  for (const origin of free) session.setRoute(origin, routes[origin]);
  return free;
}
