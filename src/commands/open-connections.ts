import type { AccountSession, OAuthSession } from "../accounts/account-session.ts";
import { isSecretAuthentication, secretFieldsOf } from "../accounts/secret-fields.ts";
import { createSecretSession } from "../accounts/secret-session.ts";
import type { Authentication } from "../define/authentication.ts";
import { parseEndpoint } from "../define/hosts.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { PackError } from "../errors.ts";
import type { Routes } from "../oauth/routes.ts";
import type { Redactor } from "../redact.ts";
import { type AccountSlot, accountKey, accountMissing, authenticationOf } from "./pack-account.ts";

/** Values of an account for one run, by name of the field: `token`, `username`, …; `accessToken` for OAuth2. */
export type GivenCredentials = Readonly<Record<string, string>>;

export interface ConnectionOptions {
  file: string;
  cwd: string;
  /** Folder of the vault. Without one no account is connected. */
  home?: string | undefined;
  databaseUrl?: string | undefined;
  /** Name of the connected account, of the user's and of the Pack's own alike. @default "default" */
  account?: string | undefined;
  /** Used in place of a connected account. */
  credentials?: GivenCredentials | undefined;
  /** The same for the Pack's own account. */
  systemCredentials?: GivenCredentials | undefined;
  /** Endpoint of the accounts that are given. */
  endpoint?: string | undefined;
  /** Makes up credentials that were not given: for runs that reach no network. @default false */
  inventsCredentials?: boolean | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

/** What something that runs needs of accounts. */
export interface ConnectionNeeds {
  requirement: "none" | "optional" | "required";
  /** Accepted from older Packs: names of the only authentications that it may use. */
  allowed: readonly string[] | undefined;
}

/** The accounts of one run. */
export interface Connections extends AsyncDisposable {
  account: AccountSession | undefined;
  systemAccount: AccountSession | undefined;
}

const NAMES: Readonly<Record<AccountSlot, string>> = { user: "defaultUserAuthentication", system: "systemAuthentication" };

/** @param target a formula, a table, or a question about one, in the words of the command line */
export function connectionNeeds(definition: PackVersionDefinition, target: string): ConnectionNeeds {
  const [name = ""] = target.split(/[:>]/);
  const formulas = Array.isArray(definition.formulas) ? definition.formulas : [];
  const tables = Array.isArray(definition.syncTables) ? definition.syncTables : [];
  const block = formulas.find((formula) => formula?.name === name) ?? tables.find((table) => table?.name === name)?.getter;
  const isQuestion = name !== target;
  const { connectionRequirement, allowedAuthenticationNames } = (block ?? {}) as unknown as Record<string, unknown>;
  const requirement = connectionRequirement === "required" || connectionRequirement === "optional" ? connectionRequirement : "none";
  return {
    // A question has a requirement of its own, mostly the one of its block; asking without an account is tried.
    requirement: isQuestion || block === undefined ? "optional" : requirement,
    allowed: Array.isArray(allowedAuthenticationNames) ? allowedAuthenticationNames.map(String) : undefined,
  };
}

/**
 * Opens the accounts that a run may use: the user's when it asks for one, and the Pack's own. The vault is opened only for a
 * Pack that declares authentication.
 * @throws {PackError} ACCOUNT_MISSING when one is required and none is connected, and those of `openAccount`
 */
export async function openConnections(
  options: ConnectionOptions,
  definition: PackVersionDefinition,
  { requirement, allowed }: ConnectionNeeds,
  routes: Routes,
): Promise<Connections> {
  const mayUse = (slot: AccountSlot) => allowed === undefined || allowed.includes(NAMES[slot]);
  const user = requirement === "none" || !mayUse("user") ? undefined : authenticationOf(definition, "user");
  const system = mayUse("system") ? authenticationOf(definition, "system") : undefined;
  const isRequired = requirement === "required";
  if (user === undefined && system === undefined) return withoutVault(undefined, undefined);
  const given = {
    account: user && givenSession(user, options.credentials, options),
    systemAccount: system && givenSession(system, options.systemCredentials, options),
  };
  const isComplete = (user === undefined || given.account !== undefined) && (system === undefined || given.systemAccount !== undefined);
  const { account: name = "default", home } = options;
  if (isComplete || home === undefined) {
    if (isRequired && user !== undefined && given.account === undefined) throw accountMissing(options.file, name);
    return withoutVault(given.account, given.systemAccount);
  }
  // A Pack without authentication must not wait for the database to load.
  const [{ openVault }, { openAccount }] = await Promise.all([import("../accounts/vault.ts"), import("./open-account.ts")]);
  const vault = await openVault({ directory: home, databaseUrl: options.databaseUrl, now: options.now });
  const open = async (slot: AccountSlot, authentication: Authentication | undefined, mustExist: boolean) => {
    if (authentication === undefined) return undefined;
    const key = await accountKey({ ...options, slot, account: name });
    if ((await vault.get(key)) === undefined) {
      if (mustExist) throw accountMissing(options.file, name);
      return undefined;
    }
    const { networkDomains } = definition;
    return await openAccount({ vault, key, authentication, networkDomains, routes, now: options.now, redactor: options.redactor });
  };
  try {
    return {
      account: given.account ?? (await open("user", user, isRequired)),
      systemAccount: given.systemAccount ?? (await open("system", system, isRequired && user === undefined)),
      [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose](),
    };
  } catch (error) {
    await vault[Symbol.asyncDispose]();
    throw error;
  }
}

function withoutVault(account: AccountSession | undefined, systemAccount: AccountSession | undefined): Connections {
  return { account, systemAccount, [Symbol.asyncDispose]: async () => {} };
}

/** An account for this run alone. */
function givenSession(
  authentication: Authentication,
  credentials: GivenCredentials | undefined,
  { endpoint: entered, inventsCredentials = false, redactor }: ConnectionOptions,
): AccountSession | undefined {
  if (credentials === undefined && !inventsCredentials) return undefined;
  const endpoint = entered === undefined ? undefined : parseEndpoint(entered);
  if (isSecretAuthentication(authentication)) {
    const invented = secretFieldsOf(authentication).filter(({ isOptional }) => !isOptional);
    const secrets = credentials ?? Object.fromEntries(invented.map(({ name }) => [name, `test-${name}`]));
    for (const { name, isHidden } of secretFieldsOf(authentication)) if (isHidden) redactor.add(secrets[name]);
    return createSecretSession({ authentication, secrets, endpoint });
  }
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials") return undefined;
  const accessToken = credentials === undefined ? "test-access-token" : credentials["accessToken"];
  if (accessToken === undefined) {
    throw new PackError("CREDENTIAL_MISSING", "The account needs a value for accessToken.", {
      details: { names: ["accessToken"] },
      hint: "Pass credentials: { accessToken }, or connect an account with connectPack.",
    });
  }
  redactor.add(accessToken);
  const session: OAuthSession = {
    authentication,
    endpoint,
    getAccessToken: async () => accessToken,
    renewAfterUnauthorized: async () => undefined,
  };
  return session;
}
