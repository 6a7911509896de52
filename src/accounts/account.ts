import type { ConnectionAnswers } from "../define/connection-values.ts";
import { clientSecretsOf } from "../oauth/client-key.ts";
import { dpopSecretOf } from "../oauth/dpop.ts";
import { type ClientCredentials, hideSecrets, type TokenSet } from "../oauth/token-set.ts";
import { isPublicField } from "./entered-credentials.ts";

/** Who uses an account: each user with one of their own, the Pack itself, or everybody after an administrator set it up. */
export type AccountSlot = "user" | "system" | `admin:${string}`;

/** Which account of which Pack. */
export interface AccountKey {
  /** The real path of the Pack's entry file. */
  pack: string;
  slot: AccountSlot;
  /** `default` unless there are several. */
  name: string;
}

/** What is known about an account without any secret. */
export interface AccountSummary {
  key: AccountKey;
  /** The Pack's name, for people. */
  packName: string;
  /** `type` of the definition that it was connected with. */
  authType: string;
  clientId: string;
  endpoint: string | undefined;
  connectionName: string | undefined;
  requestedScopes: string[];
  /** Undefined when the provider did not name them. */
  grantedScopes: string[] | undefined;
  /** `reconnect`: the provider refuses to renew it, so a person must connect it again. */
  status: "connected" | "reconnect";
  reconnectReason: string | undefined;
  /** Undefined when there is no token, or when its expiry is unknown. */
  expiresAtMs: number | undefined;
  /** Whether there is a refresh token. */
  renewable: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** URLs that came from a server's metadata. */
export interface DiscoveredUrls {
  issuer: string;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  revocationUrl?: string | undefined;
}

/** An account with its secrets. `util.inspect` shows none of them (rule 25). */
export interface StoredAccount {
  key: AccountKey;
  packName: string;
  authType: string;
  client: ClientCredentials;
  /** Undefined until the first token request succeeded. */
  tokenSet: TokenSet | undefined;
  /** Credentials that were entered, by the names of `secretFieldsOf`, for an account that is not connected to a provider. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** What was answered when it was connected, secrets included. @default none */
  answers?: ConnectionAnswers | undefined;
  /** URLs that were discovered, for a definition that leaves them out. */
  server?: DiscoveredUrls | undefined;
  endpoint: string | undefined;
  connectionName: string | undefined;
  requestedScopes: string[];
  grantedScopes: string[] | undefined;
  status: "connected" | "reconnect";
  reconnectReason?: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
}

/** An account that `util.inspect` shows without its secrets. */
export function createStoredAccount(members: StoredAccount): StoredAccount {
  return hideSecrets({ ...members, client: hideSecrets({ ...members.client }, ["clientSecret"]) }, ["answers", "secrets"]);
}

/** @returns the account without its secrets */
export function summarizeAccount(account: StoredAccount): AccountSummary {
  const { client, tokenSet, reconnectReason, answers: _, server: __, secrets: ___, ...rest } = account;
  return {
    ...rest,
    clientId: client.clientId,
    reconnectReason,
    expiresAtMs: tokenSet?.expiresAtMs,
    renewable: tokenSet?.refreshToken !== undefined,
  };
}

/** How an account is called in messages: `default`, or `system:default`. */
export function accountLabel(key: AccountKey): string {
  return key.slot === "user" ? key.name : `${key.slot}:${key.name}`;
}

/** The account's key as one text: its identity in the database. */
export function accountId(key: AccountKey): string {
  return JSON.stringify([key.pack, key.slot, key.name]);
}

/** Members of a token response that are secrets by their name: `id_token`, `session_handle`, `apiKey`. */
const SECRET_MEMBER = /token|secret|password|session|assertion|credential|key/i;
const MIN_LENGTH = 8;

/**
 * Every secret of an account: client secret, tokens, and what else came with the tokens, or
 * was answered, under a name that says so. Rules 25
 * and 44: a redactor must know all of them, because a provider may repeat any of them in an error.
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
  const entered = Object.entries(secrets).flatMap(([name, secret]) => (isPublicField(name, secrets) ? [] : [secret]));
  return [...new Set([...known, ...entered, ...secretMembers(tokenSet?.extra), ...secretMembers(answers?.variables)])];
}

function secretMembers(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret && value.length >= MIN_LENGTH && !URL.canParse(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretMembers(member, isSecret || SECRET_MEMBER.test(name)));
}
