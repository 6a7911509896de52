import type { ConnectionAnswers } from "../define/connection-values.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import { findDpopSecret } from "../oauth/dpop.ts";
import { type ClientCredentials, hideSecrets, type TokenSet } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";
import type { AccountSlot, AccountSummary } from "./account-summary.ts";
import { isPublicField } from "./entered-credentials.ts";

/** Identifies an account of a Pack. */
export interface AccountKey {
  /** The real path of the Pack's entry file. */
  pack: string;
  slot: AccountSlot;
  /** `default`, unless the Pack has several accounts in this slot. */
  name: string;
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

/** Where the credentials of an account may go, and what is read with them. */
export interface AccountHosts {
  /** Requests to these domains and their subdomains carry the credentials. */
  credentialDomains: readonly string[];
  /**
   * The origins of the endpoints that get the client credentials: token, refresh, exchange, pushed
   * requests, revocation.
   */
  tokenOrigins: readonly string[];
  /** The domains that the Pack declared: they may get what the API answers. @default none */
  networkDomains?: readonly string[] | undefined;
}

/** The redirect URI of an account, as its provider knows it. */
export interface RegisteredRedirect {
  /** The path of a loopback address, where any port counts; otherwise the complete URI. */
  address: string;
  /** A digest of all that the connection uses. */
  binding: string;
  /** Whether the server named itself in its response (RFC 9207). */
  namesIssuer: boolean;
  /** Only of a connection that has not ended: from then on the address is free again. */
  expiresAtMs?: number | undefined;
}

/** A claim of a connection that has not ended, so that others that begin meanwhile see it. */
export interface RedirectReservation extends Pick<RegisteredRedirect, "address" | "binding"> {
  /** Each connection has its own, also if several are of one account. */
  flowId: string;
  /** How long the claim counts if the process is killed, in milliseconds. */
  lifetimeMs: number;
}

/** What the summary of an account does not show. */
export interface AccountSecrets {
  client: ClientCredentials;
  /** Undefined until the first token request has succeeded. */
  tokenSet: TokenSet | undefined;
  /** For an account without OAuth: the entered credentials, by the names of `listSecretFields`. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** The answers to the connection variables, secret ones included. @default none */
  answers?: ConnectionAnswers | undefined;
  /** Discovered URLs, for a definition that leaves them out. */
  server?: DiscoveredUrls | undefined;
  /** The redirect URI that the provider knows, and the connection that it is bound to. */
  registeredRedirect?: RegisteredRedirect | undefined;
  /** The hosts that it was connected for. `any`: a replay made it up, and sends nothing. */
  hosts: AccountHosts | "any";
}

/** An account with its secrets. `util.inspect` hides them. */
export interface StoredAccount
  extends AccountSecrets,
    Omit<AccountSummary, "file" | "slot" | "name" | "clientId" | "expiresAt" | "renewable"> {
  key: AccountKey;
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
  return splitAccount(account).summary;
}

/** Separates what may be shown of an account from its secrets. */
export function splitAccount({
  key,
  client,
  tokenSet,
  secrets,
  answers,
  server,
  registeredRedirect,
  hosts,
  ...rest
}: StoredAccount): { summary: AccountSummary; secrets: AccountSecrets } {
  const summary = {
    ...rest,
    file: key.pack,
    slot: key.slot,
    name: key.name,
    clientId: client.clientId === "" ? undefined : client.clientId,
    expiresAt: calendarTime(tokenSet?.expiresAtMs),
    renewable:
      tokenSet?.refreshToken !== undefined ||
      tokenSet?.renewsItself === true ||
      rest.type === "OAuth2ClientCredentials",
  };
  return {
    summary,
    secrets: { client, tokenSet, secrets, answers, server, registeredRedirect, hosts },
  };
}

/** @returns undefined for a time that no calendar has, which a server may have sent */
function calendarTime(ms: number | undefined): string | undefined {
  return ms === undefined || Number.isNaN(new Date(ms).getTime()) ? undefined : isoTime(ms);
}

/** A time as accounts state it. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
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

/** The name of the account of local servers, so that it never replaces one of the real provider. */
export const LOCAL_ACCOUNT = "local";

/**
 * The scopes to request in addition to those of the definition. New tokens replace those of the
 * account before, so they keep its scopes. A server that names none has granted those that were
 * requested (RFC 6749 §5.1).
 */
export function extraScopesFor(
  before: Pick<StoredAccount, "tokenSet" | "scopes" | "requestedScopes"> | undefined,
  asked: readonly string[] = [],
): string[] {
  const granted = before?.tokenSet === undefined ? [] : (before.scopes ?? before.requestedScopes);
  return [...granted, ...asked];
}

/** The command that connects this account. */
export function formatConnectCommand(
  file: string,
  { slot, name }: Pick<AccountKey, "slot" | "name">,
): string {
  const options =
    name === LOCAL_ACCOUNT
      ? `${accountOptions({ slot, name: "default" })} --local`
      : accountOptions({ slot, name });
  return `packsmith auth connect ${file}${options}`;
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
export function listSecrets({
  client,
  tokenSet,
  answers,
  secrets = {},
}: Pick<StoredAccount, "client" | "tokenSet" | "answers" | "secrets">): string[] {
  const known = [
    ...listClientSecrets(client.clientSecret),
    tokenSet?.accessToken,
    tokenSet?.refreshToken,
    findDpopSecret(tokenSet?.dpopKey),
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
    return isSecret && value.length >= MIN_LENGTH && !canParseUrl(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretMembers(member, isSecret || SECRET_MEMBER.test(name)),
  );
}
