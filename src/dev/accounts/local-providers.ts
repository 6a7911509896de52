import type { AccountSlot } from "../../accounts/account-summary.ts";
import {
  type LocalConnection,
  type Rehearsal,
  startRehearsal,
} from "../../connect/rehearsal/rehearsal.ts";
import type { RehearsalOptions } from "../../connect/rehearsal/rehearsal-options.ts";
import { describePurpose } from "../../connect/rehearsal/rehearsal-plan.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { PackError } from "../../errors.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { findProfile } from "../../provider/profiles/catalogue.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { LocalProviderView } from "../wire/accounts.ts";

export interface LocalProviderRequest {
  slot: AccountSlot;
  profile: string;
  tokenSeconds: number;
  /** The values of connection variables that the user has entered. */
  variables: Readonly<Record<string, string>>;
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
  rehearsal: Rehearsal;
  view: LocalProviderView;
  /** Makes the document service refuse its tokens. */
  withdrawTokens: () => void;
}

export function createLocalProviders(session: DevSession): LocalProviders {
  const running = new Map<string, Running>();

  const stop = async (slot: string): Promise<void> => {
    const found = running.get(slot);
    if (found === undefined) return;
    running.delete(slot);
    found.withdrawTokens();
    const routes = parseRoutes(session.routes());
    const own = parseRoutes(found.rehearsal.connection.routes);
    // Something else, such as the document service, may have taken over an origin in the meantime.
    for (const origin of found.view.origins)
      if (routes[origin] === own[origin]) session.setRoute(origin, undefined);
    await found.rehearsal[Symbol.asyncDispose]();
  };
  return {
    async start(definition, packName, { slot, profile: name, tokenSeconds, variables }) {
      const { bundle } = session.state();
      const options: RehearsalOptions = {
        definition,
        sources: bundle?.sources ?? [],
        latest: () => ({
          definition: session.state().definition ?? definition,
          sources: session.state().bundle?.sources ?? [],
        }),
        packName,
        slot,
        profile: findProfile(name),
        tokenSeconds,
        variables,
        now: session.now,
      };
      const purpose = describePurpose(options);
      const before = running.get(slot);
      if (before?.purpose === purpose) return before.rehearsal.connection;
      await stop(slot);
      let withdrawTokens = () => {};
      const rehearsal = await startRehearsal({
        ...options,
        async startDocuments(provider) {
          // The service looks up the tokens of the provider that was started last.
          if (provider !== undefined)
            withdrawTokens = session.localTokens.offer({
              url: provider.introspectionUrl,
              ...provider.resourceServer,
            });
          return await session.localDocuments.get();
        },
      });
      try {
        const origins = takeRoutes(session, rehearsal);
        const view = { profile: name, origins, tokenSeconds: rehearsal.tokenSeconds };
        running.set(slot, { purpose, rehearsal, view, withdrawTokens });
        return rehearsal.connection;
      } catch (error) {
        withdrawTokens();
        await rehearsal[Symbol.asyncDispose]();
        throw error;
      }
    },
    view: (slot) => running.get(slot)?.view,
    revocationUrl: (slot) => running.get(slot)?.rehearsal.connection.revocationUrl,
    expireTokens(slot) {
      const found = running.get(slot);
      found?.rehearsal.provider.clock.advance((found.view.tokenSeconds + 1) * 1_000);
      return found !== undefined;
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const slot of [...running.keys()]) await stop(slot);
    },
  };
}

/**
 * Routes origins to the rehearsal. The API may already be served by something else, such as the
 * document service.
 * @returns the origins that are now routed to it
 */
function takeRoutes(session: DevSession, { connection, origins }: Rehearsal): string[] {
  const taken = parseRoutes(session.routes());
  const routes = parseRoutes(connection.routes);
  const clash = origins.server.find(
    (origin) => !origins.api.includes(origin) && Object.hasOwn(taken, origin),
  );
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
  const free = Object.keys(routes).filter((origin) => !Object.hasOwn(taken, origin));
  for (const origin of free) session.setRoute(origin, routes[origin]);
  return free;
}
