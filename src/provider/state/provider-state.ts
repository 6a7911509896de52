import { randomBytes } from "node:crypto";
import { canParseUrl } from "../../shared/urls.ts";
import { createFaultPlan, type FaultPlan } from "../faults.ts";
import {
  DEFAULT_REDIRECT_URIS,
  DEFAULT_USERS,
  GrantType,
  type ProviderClient,
  type ProviderOptions,
  type ProviderUser,
} from "../options.ts";
import { composeProfiles } from "../profiles/catalogue.ts";
import { createIdTokens, type IdTokens } from "../request/jwt.ts";
import { createDeviceAuthorizations, type DeviceAuthorizations } from "./device-authorizations.ts";
import { type Policy, readPolicy } from "./policy.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import {
  createPushedRequests,
  createUsedAssertions,
  type PushedRequests,
  type UsedAssertions,
} from "./single-use.ts";
import { type KeptState, openStateFile, readState, type StateFile } from "./state-file.ts";
import { createTokenStore, type TokenStore } from "./token-store.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

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

/** @param path where it is below another issuer. @default at the root */
export function createProviderState(options: ProviderOptions = {}, path = ""): ProviderState {
  const random = options.random ?? randomBytes;
  const randomText = (bytes: number) => Buffer.from(random(bytes)).toString("base64url");
  const profile = composeProfiles(options.profiles ?? []);
  const kept = options.state === undefined ? undefined : readState(options.state);
  const clock = createVirtualClock(options.now ?? Date.now, kept?.clockAheadMs);
  const getSecret = (clientId: string) => kept?.clientSecrets[clientId] ?? randomText(32);
  const policy = readPolicy(options, profile, path);
  const { clients, configured, defaultClient, resourceServer } = listClients(
    options,
    getSecret,
    kept,
  );
  const tokens = createTokenStore({
    now: clock.now,
    randomText,
    tokenText: profile.token?.numeric === true ? () => randomNumber(random) : () => randomText(32),
    codeTtlSeconds: options.codeTtlSeconds ?? 60,
    accessTokenTtlSeconds: policy.accessTokenTtlSeconds,
    refreshTokenTtlSeconds: options.refreshTokenTtlSeconds ?? 2_592_000,
  });
  if (kept !== undefined) tokens.restore(kept.tokens);
  const idTokens = createIdTokens(kept?.signingKey);
  const cleared = {
    tokens,
    sessions: createSessions(randomText),
    devices: createDeviceAuthorizations({
      now: clock.now,
      random,
      randomText,
      intervalSeconds: options.deviceIntervalSeconds ?? 5,
    }),
    pushed: createPushedRequests(clock.now, randomText),
    assertions: createUsedAssertions(),
    faults: createFaultPlan(options.faults),
    recorder: createRecorder({
      now: clock.now,
      isSecret: (value) =>
        tokens.knows(value) ||
        [...clients.values()].some(({ clientSecret }) => clientSecret === value) ||
        options.api?.secrets?.includes(value) === true,
    }),
  };
  const state: Omit<ProviderState, "file"> = {
    ...cleared,
    clock,
    clients,
    configured,
    defaultClient,
    resourceServer,
    users: options.users ?? DEFAULT_USERS,
    idTokens,
    randomText,
    mutualTlsBase: undefined,
    // Not from `options.random`, which tests repeat.
    controlKey: randomBytes(16).toString("base64url"),
    policy,
    reset() {
      for (const part of Object.values(cleared)) part.clear();
      for (const id of clients.keys()) if (!configured.has(id)) clients.delete(id);
      clock.reset();
    },
  };
  const keep = (): KeptState => describeState(state, clock.aheadMs());
  return Object.assign(state, {
    file: options.state === undefined ? undefined : openStateFile(options.state, keep),
  });
}

/** What a state file keeps. */
function describeState(
  {
    clients,
    configured,
    defaultClient,
    resourceServer,
    idTokens,
    tokens,
  }: Omit<ProviderState, "file">,
  clockAheadMs: number,
): KeptState {
  return {
    kind: "packsmith-provider-state",
    version: 1,
    clockAheadMs,
    clientSecrets: Object.fromEntries(
      [defaultClient, resourceServer].map(({ clientId, clientSecret }) => [clientId, clientSecret]),
    ),
    signingKey: idTokens.privateKey(),
    // A client whose ID is a URL is read from there again.
    registeredClients: [...clients.values()].filter(
      ({ clientId }) => !configured.has(clientId) && !canParseUrl(clientId),
    ),
    tokens: tokens.keep(),
  };
}

/** A decimal number that JSON can represent exactly. */
function randomNumber(random: (bytes: number) => Uint8Array): string {
  return String(1 + Number.parseInt(Buffer.from(random(6)).toString("hex"), 16));
}

/** The clients of the options, two of its own, and those that registered themselves before. */
function listClients(
  { redirectUris = [], clients: given = [] }: ProviderOptions,
  secretOf: (clientId: string) => string,
  kept: KeptState | undefined,
) {
  const defaultClient = createDefaultClient(secretOf, redirectUris);
  const clientId = "packsmith-resource-server";
  const resourceServer = {
    clientId,
    clientSecret: secretOf(clientId),
    grantTypes: [],
    introspectsAll: true,
  };
  const clients = new Map<string, ProviderClient>();
  for (const client of [defaultClient, resourceServer, ...given]) {
    if (clients.has(client.clientId))
      throw new TypeError(`Two clients have the ID ${client.clientId}.`);
    clients.set(client.clientId, client);
  }
  const configured = new Set(clients.keys());
  for (const client of kept?.registeredClients ?? [])
    if (!configured.has(client.clientId)) clients.set(client.clientId, client);
  return { clients, configured, defaultClient, resourceServer };
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
