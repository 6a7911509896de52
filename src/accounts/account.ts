import type { ConnectionAnswers } from "../define/connection-values.ts";
import { clientSecretsOf } from "../oauth/client-key.ts";
import { dpopSecretOf } from "../oauth/dpop.ts";
import { type ClientCredentials, hideSecrets, type TokenSet } from "../oauth/token-set.ts";
import { isPublicField } from "./entered-credentials.ts";

/**
 * Who uses an account: one user, the Pack itself, or all users after an administrator has set it
 * up.
 */
export type AccountSlot = "user" | "system" | `admin:${string}`;

/** Identifies an account of a Pack. */
export interface AccountKey {
  /** The real path of the Pack's entry file. */
  pack: string;
  slot: AccountSlot;
  /** `default`, unless the Pack has several accounts in this slot. */
  name: string;
}

/** The redirect URI of an account, as far as it was chosen. */
export interface RedirectChoice {
  /**
   * Port to listen on; 0 takes a free one. A busy port is an error: silently using another would
   * break the redirect URI. @default 0
   */
  port?: number | undefined;
  /** Ports to try in turn instead, if several are registered with the provider. */
  ports?: readonly number[] | undefined;
  /** The registered redirect URI, if a tunnel or proxy forwards it to the port. */
  redirectUri?: string | undefined;
  /**
   * Path of the redirect URI. @default "/oauth/callback", followed by the Pack's name if the
   * server's issuer is unknown
   */
  redirectPath?: string | undefined;
  /**
   * Host in the redirect URI. `localhost` is served on IPv4 and IPv6, because browsers may use
   * either. @default "127.0.0.1"
   */
  redirectHost?: "127.0.0.1" | "localhost" | undefined;
  /**
   * Serves the redirect URI with https and a certificate made for this run. Not with the headless
   * browser. @default false
   */
  https?: boolean | undefined;
}

/** An account without its secrets. */
export interface AccountSummary {
  key: AccountKey;
  /** The Pack's display name. */
  packName: string;
  /** `type` of the definition that it was connected with. */
  authType: string;
  clientId: string;
  endpoint: string | undefined;
  connectionName: string | undefined;
  /**
   * How it was connected, because a provider may accept only the redirect URI that is registered.
   * @default a free port
   */
  redirect?: RedirectChoice | undefined;
  requestedScopes: string[];
  /** Undefined if the provider did not name them. */
  grantedScopes: string[] | undefined;
  /** `reconnect`: the provider refuses to renew it, so the user must connect it again. */
  status: "connected" | "reconnect";
  reconnectReason: string | undefined;
  /** Undefined without a token, or if its expiry is unknown. */
  expiresAtMs: number | undefined;
  /** Whether it has a refresh token. */
  renewable: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** URLs from a server's metadata. */
export interface DiscoveredUrls {
  issuer: string;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  revocationUrl?: string | undefined;
  /** The identifier that the protected resource publishes, sent as `resource` (RFC 8707). */
  resource?: string | undefined;
}

/** Where the credentials of an account may go. */
export interface AccountHosts {
  /** Requests to these domains and their subdomains carry the credentials. */
  credentialDomains: readonly string[];
  /**
   * The origins of the endpoints that get the client credentials: token, refresh, exchange, pushed
   * requests, revocation.
   */
  tokenOrigins: readonly string[];
}

/** An account with its secrets. `util.inspect` hides them. */
export interface StoredAccount {
  key: AccountKey;
  packName: string;
  authType: string;
  client: ClientCredentials;
  /** Undefined until the first token request has succeeded. */
  tokenSet: TokenSet | undefined;
  /** For an account without OAuth: the entered credentials, by the names of `secretFieldsOf`. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** The answers to the connection variables, secret ones included. @default none */
  answers?: ConnectionAnswers | undefined;
  /** Discovered URLs, for a definition that leaves them out. */
  server?: DiscoveredUrls | undefined;
  /** The hosts that it was connected for. `any`: a replay made it up, and sends nothing. */
  hosts: AccountHosts | "any";
  endpoint: string | undefined;
  connectionName: string | undefined;
  redirect?: RedirectChoice | undefined;
  requestedScopes: string[];
  grantedScopes: string[] | undefined;
  status: "connected" | "reconnect";
  reconnectReason?: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Makes an account whose secrets `util.inspect` hides. */
export function createStoredAccount(members: StoredAccount): StoredAccount {
  return hideSecrets({ ...members, client: hideSecrets({ ...members.client }, ["clientSecret"]) }, [
    "answers",
    "secrets",
  ]);
}

/** @returns the account without its secrets */
export function summarizeAccount(account: StoredAccount): AccountSummary {
  const {
    client,
    tokenSet,
    reconnectReason,
    answers: _,
    server: __,
    secrets: ___,
    hosts: ____,
    ...rest
  } = account;
  return {
    ...rest,
    clientId: client.clientId,
    reconnectReason,
    expiresAtMs: tokenSet?.expiresAtMs,
    renewable: tokenSet?.refreshToken !== undefined,
  };
}

/** The account's name in messages: `default`, or `system:default`. */
export function accountLabel(key: AccountKey): string {
  return key.slot === "user" ? key.name : `${key.slot}:${key.name}`;
}

/**
 * The options of the command line that name this account: ` --account work`, or nothing for the
 * default one.
 */
export function accountOptions({ slot, name }: Pick<AccountKey, "slot" | "name">): string {
  const whose =
    slot === "user"
      ? ""
      : slot === "system"
        ? " --system"
        : ` --admin ${slot.slice("admin:".length)}`;
  return `${whose}${name === "default" ? "" : ` --account ${name}`}`;
}

/** The account's key as one string: its ID in the database. */
export function accountId(key: AccountKey): string {
  return JSON.stringify([key.pack, key.slot, key.name]);
}

/** Names of response members that hold secrets, such as `id_token`, `session_handle`, `apiKey`. */
const SECRET_MEMBER = /token|secret|password|session|assertion|credential|key/i;
const MIN_LENGTH = 8;

/**
 * All secrets of an account: the client secret, the tokens, and response members and answers whose
 * name marks them as a
 * secret. A redactor must know all of them, because a provider may repeat any of them in an error.
 */
export function secretsOf({
  client,
  tokenSet,
  answers,
  secrets = {},
}: Pick<StoredAccount, "client" | "tokenSet" | "answers" | "secrets">): string[] {
  const known = [
    ...clientSecretsOf(client.clientSecret),
    tokenSet?.accessToken,
    tokenSet?.refreshToken,
    dpopSecretOf(tokenSet?.dpopKey),
  ].filter((secret) => secret !== undefined);
  const entered = Object.entries(secrets).flatMap(([name, secret]) =>
    isPublicField(name, secrets) ? [] : [secret],
  );
  return [
    ...new Set([
      ...known,
      ...entered,
      ...secretMembers(tokenSet?.extra),
      ...secretMembers(answers?.variables),
    ]),
  ];
}

function secretMembers(value: unknown, isSecret = false): string[] {
  if (typeof value === "string")
    return isSecret && value.length >= MIN_LENGTH && !URL.canParse(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretMembers(member, isSecret || SECRET_MEMBER.test(name)),
  );
}
