import { type JsonWebKey, randomBytes } from "node:crypto";
import { canParseUrl } from "../../shared/urls.ts";
import { createFaultPlan, type FaultPlan } from "../faults.ts";
import {
  AdditionalGrantType,
  type AliasedEndpoint,
  DEFAULT_REDIRECT_URIS,
  DEFAULT_USERS,
  GrantType,
  type JwtAccessTokens,
  type LocalApi,
  type ProviderClient,
  type ProviderOptions,
  type ProviderUser,
} from "../options.ts";
import type { PkceMode, ProviderProfile } from "../profile.ts";
import { composeProfiles } from "../profiles/catalogue.ts";
import { createIdTokens, type IdTokens } from "../request/jwt.ts";
import { createDeviceAuthorizations, type DeviceAuthorizations } from "./device-authorizations.ts";
import { createRecorder, type RecordedRequest, type Recorder } from "./recorder.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import {
  createPushedRequests,
  createUsedAssertions,
  type PushedRequests,
  type UsedAssertions,
} from "./single-use.ts";
import { type KeptState, openStateFile, readState, type StateFile } from "./state-file.ts";
import { createTokenStore, type TokenStore } from "./token-store.ts";

/** The state of one provider. Routes read and change it. */
export interface ProviderState {
  readonly clock: VirtualClock;
  /** The clients of the options, and those that registered themselves. */
  readonly clients: Map<string, ProviderClient>;
  /** IDs of the clients of the options. */
  readonly configured: ReadonlySet<string>;
  readonly defaultClient: ProviderClient & { clientSecret: string };
  readonly resourceServer: ProviderClient & { clientSecret: string };
  readonly users: readonly ProviderUser[];
  readonly tokens: TokenStore;
  readonly sessions: Sessions;
  readonly devices: DeviceAuthorizations;
  readonly pushed: PushedRequests;
  readonly assertions: UsedAssertions;
  readonly idTokens: IdTokens;
  /** Undefined if nothing is kept. */
  readonly file: StateFile | undefined;
  readonly faults: FaultPlan;
  readonly recorder: Recorder;
  readonly policy: Policy;
  /** The first part of the paths that control it. */
  readonly controlKey: string;
  /** What the URLs of the endpoints that ask for certificates begin with, once it listens there. */
  mutualTlsBase: string | undefined;
  /** Makes an identifier or secret from this many random bytes. */
  readonly randomText: (bytes: number) => string;
  /**
   * Removes sessions, tokens, faults, requests and registered clients, and resets the clock.
   * Clients of the options stay.
   */
  reset(): void;
}

export interface Policy {
  acrValues: readonly string[];
  /** Where it is below another issuer; otherwise empty. */
  path: string;
  scopes: readonly string[] | undefined;
  pkce: PkceMode;
  accessTokenTtlSeconds: number;
  registration: boolean;
  pushedRequestsRequired: boolean;
  grants: readonly AdditionalGrantType[];
  assertionIssuers: Readonly<Record<string, string | JsonWebKey>>;
  jwtAccessTokens: JwtAccessTokens | undefined;
  cors: boolean;
  clientDocuments: Readonly<Record<string, unknown>>;
  meScope: string | undefined;
  tokenResponse: Readonly<Record<string, unknown>>;
  profile: ProviderProfile;
  paths: Partial<Record<AliasedEndpoint, string>>;
  issuer: string | undefined;
  audiences: readonly string[];
  dpop: boolean;
  api: LocalApi | undefined;
  onRequest: ((request: RecordedRequest) => void) | undefined;
  apiOrigin: string | undefined;
  control: boolean;
  sleep: (ms: number) => Promise<void>;
}

/** @param path where it is below another issuer. @default at the root */
export function createProviderState(options: ProviderOptions = {}, path = ""): ProviderState {
  const random = options.random ?? randomBytes;
  const randomText = (bytes: number) => Buffer.from(random(bytes)).toString("base64url");
  const profile = composeProfiles(options.profiles ?? []);
  const kept = options.state === undefined ? undefined : readState(options.state);
  const clock = createVirtualClock(options.now ?? Date.now, kept?.clockAheadMs);
  const secretOf = (clientId: string) => kept?.clientSecrets[clientId] ?? randomText(32);
  const defaultClient = createDefaultClient(secretOf, options.redirectUris ?? []);
  const resourceServerId = "packsmith-resource-server";
  const resourceServer = {
    clientId: resourceServerId,
    clientSecret: secretOf(resourceServerId),
    grantTypes: [],
    introspectsAll: true,
  };
  const clients = new Map<string, ProviderClient>();
  for (const client of [defaultClient, resourceServer, ...(options.clients ?? [])]) {
    if (clients.has(client.clientId))
      throw new TypeError(`Two clients have the ID ${client.clientId}.`);
    clients.set(client.clientId, client);
  }
  const configured = new Set(clients.keys());
  for (const client of kept?.registeredClients ?? [])
    if (!configured.has(client.clientId)) clients.set(client.clientId, client);
  const accessTokenTtlSeconds = options.accessTokenTtlSeconds ?? 3_600;
  const tokens = createTokenStore({
    now: clock.now,
    randomText,
    tokenText: profile.token?.numeric === true ? () => randomNumber(random) : () => randomText(32),
    codeTtlSeconds: options.codeTtlSeconds ?? 60,
    accessTokenTtlSeconds,
    refreshTokenTtlSeconds: options.refreshTokenTtlSeconds ?? 2_592_000,
  });
  if (kept !== undefined) tokens.restore(kept.tokens);
  const idTokens = createIdTokens(kept?.signingKey);
  const current = (): KeptState => ({
    kind: "packsmith-provider-state",
    version: 1,
    clockAheadMs: clock.aheadMs(),
    clientSecrets: Object.fromEntries(
      [defaultClient, resourceServer].map(({ clientId, clientSecret }) => [clientId, clientSecret]),
    ),
    signingKey: idTokens.privateKey(),
    // A client whose ID is a URL is read from there again.
    registeredClients: [...clients.values()].filter(
      ({ clientId }) => !configured.has(clientId) && !canParseUrl(clientId),
    ),
    tokens: tokens.keep(),
  });
  const sessions = createSessions(randomText);
  const faults = createFaultPlan(options.faults);
  const isClientSecret = (value: string) =>
    [...clients.values()].some(({ clientSecret }) => clientSecret === value);
  const devices = createDeviceAuthorizations({
    now: clock.now,
    random,
    randomText,
    intervalSeconds: options.deviceIntervalSeconds ?? 5,
  });
  const pushed = createPushedRequests(clock.now, randomText);
  const assertions = createUsedAssertions();
  const recorder = createRecorder({
    now: clock.now,
    isSecret: (value) =>
      tokens.knows(value) ||
      isClientSecret(value) ||
      options.api?.secrets?.includes(value) === true,
  });
  return {
    clock,
    clients,
    configured,
    defaultClient,
    resourceServer,
    users: options.users ?? DEFAULT_USERS,
    tokens,
    sessions,
    devices,
    pushed,
    assertions,
    idTokens,
    file: options.state === undefined ? undefined : openStateFile(options.state, current),
    randomText,
    faults,
    recorder,
    mutualTlsBase: undefined,
    // Not from `options.random`, which tests repeat.
    controlKey: randomBytes(16).toString("base64url"),
    policy: {
      path,
      acrValues:
        options.acrValues ?? [profile.resource?.login?.acr].filter((acr) => acr !== undefined),
      scopes: options.scopes,
      pkce: profile.authorization?.pkce ?? options.pkce ?? "optional",
      accessTokenTtlSeconds,
      registration: options.registration ?? true,
      pushedRequestsRequired:
        options.pushedRequests === "required" || profile.authorization?.pushed === true,
      grants:
        options.grants ??
        (profile.token?.exchange === true ? [AdditionalGrantType.TokenExchange] : []),
      assertionIssuers: options.assertionIssuers ?? {},
      jwtAccessTokens: options.jwtAccessTokens,
      cors: options.cors === true,
      clientDocuments: options.clientDocuments ?? {},
      meScope: options.meScope,
      tokenResponse: options.tokenResponse ?? {},
      profile,
      paths: options.paths ?? {},
      issuer: options.issuer,
      audiences: options.audiences ?? [],
      dpop: options.dpop === true,
      api: options.api,
      onRequest: options.onRequest,
      apiOrigin: options.apiOrigin,
      control: options.control ?? true,
      sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms).unref())),
    },
    reset() {
      for (const part of [tokens, sessions, devices, pushed, assertions, faults, recorder])
        part.clear();
      for (const id of clients.keys()) if (!configured.has(id)) clients.delete(id);
      clock.reset();
    },
  };
}

/** A decimal number that JSON can represent exactly. */
function randomNumber(random: (bytes: number) => Uint8Array): string {
  return String(1 + Number.parseInt(Buffer.from(random(6)).toString("hex"), 16));
}

function createDefaultClient(
  secretOf: (clientId: string) => string,
  redirectUris: readonly string[],
) {
  const clientId = "packsmith-local-client";
  return {
    clientId,
    clientSecret: secretOf(clientId),
    name: "Your Pack",
    redirectUris: [...DEFAULT_REDIRECT_URIS, ...redirectUris],
    anyLocalhostPort: true,
    anyPathBelow: true,
    grantTypes: Object.values(GrantType),
  } satisfies ProviderClient;
}

/** A clock that tests can advance instead of waiting. */
export interface VirtualClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock forward. */
  advance(ms: number): void;
}

/** @param now the real clock, in milliseconds; advances are added to it */
function createVirtualClock(
  now: () => number,
  keptAheadMs = 0,
): VirtualClock & { reset(): void; aheadMs(): number } {
  let aheadMs = keptAheadMs;
  return {
    aheadMs: () => aheadMs,
    now: () => now() + aheadMs,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        throw new TypeError("A clock moves forward by a number of milliseconds.");
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
}
