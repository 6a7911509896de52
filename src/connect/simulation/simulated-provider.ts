import type { Routes } from "../../oauth/routes.ts";
import type { ProviderClient } from "../../provider/options.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import { overlayProfile } from "../../provider/profiles/compose.ts";
import { type LocalProvider, startProvider } from "../../provider/provider.ts";
import { declaredProfile } from "./declared-profile.ts";
import type { SimulatedDefinition } from "./simulated-definition.ts";

/** The one client of a simulated provider. */
export interface SimulatedRegistration extends Omit<ProviderClient, "grantTypes"> {
  accessTokenTtlSeconds: number;
  /** The real clock under that of the provider, in milliseconds. @default Date.now */
  now?: (() => number) | undefined;
}

/** Starts the strictest provider that a definition is made for, with one departure from the specifications. */
export function startSimulatedProvider(
  simulated: SimulatedDefinition,
  profile: ProviderProfile,
  { accessTokenTtlSeconds, now, ...client }: SimulatedRegistration,
): Promise<LocalProvider> {
  const { definition, issuer, apiOrigin, authorizationUrl, tokenUrl, refreshUrl } = simulated;
  const tenant = profile.authorization?.tenant;
  const pathOf = (url: string) => {
    const { pathname, search } = new URL(url);
    return (tenant !== undefined && pathname.startsWith(`/${tenant}/`) ? pathname.slice(tenant.length + 1) : pathname) + search;
  };
  return startProvider({
    profiles: [overlayProfile(declaredProfile(simulated), profile)],
    paths: {
      authorize: pathOf(authorizationUrl).split("?")[0] ?? "",
      token: pathOf(tokenUrl),
      ...(refreshUrl === tokenUrl ? {} : { refresh: pathOf(refreshUrl) }),
    },
    issuer,
    audiences: [tokenUrl, refreshUrl],
    dpop: definition.dpop === true,
    apiOrigin,
    accessTokenTtlSeconds,
    now,
    control: false,
    clients: [{ ...client, grantTypes: ["authorization_code", "refresh_token", "client_credentials"] }],
  });
}

/** Leads every origin of a definition to its provider. */
export function routesToProvider(
  { authorizationUrl, tokenUrl, refreshUrl, apiOrigin, issuer }: SimulatedDefinition,
  { origin }: LocalProvider,
): Routes {
  return Object.fromEntries(
    [authorizationUrl, tokenUrl, refreshUrl, apiOrigin, issuer ?? tokenUrl].map((url) => [new URL(url).origin, origin]),
  );
}
