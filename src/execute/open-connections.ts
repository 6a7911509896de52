import type { AccountSession, OAuthSession } from "../accounts/account-session.ts";
import type { AccountSlot } from "../accounts/account-summary.ts";
import { createSecretSession } from "../accounts/entered-credentials.ts";
import type { KeyStore } from "../accounts/key-file.ts";
import {
  accountKey,
  accountMissing,
  accountNotFound,
  findSlotAuthentication,
} from "../accounts/pack-account.ts";
import {
  type Authentication,
  isSecretAuthentication,
  listSecretFields,
} from "../define/authentication.ts";
import type { ConnectionRequirement } from "../define/enumerations.ts";
import { parseEndpoint } from "../define/hosts.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { PackError } from "../errors.ts";
import { isSecretVariable, listVariables } from "../oauth/connection-answers.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import type { Routes } from "../oauth/routes.ts";
import type { Tape } from "../oauth/tape.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import type { Redactor } from "../shared/redact.ts";
import type { Cassette, RecordedAccount } from "./cassette/cassette-format.ts";
import { getConnectionRequirement } from "./find-block.ts";
import { connectCommand, type RunAccount } from "./step-up.ts";

const debug = createDebugLog("run");

/** Credentials for one run, by name: `token`, `username`, …; `accessToken` for OAuth2. */
export type GivenCredentials = Readonly<Record<string, string>>;

export interface ConnectionOptions {
  file: string;
  cwd: string;
  /** Folder of the vault. Without it no account is connected. */
  home?: string | undefined;
  /**
   * A `postgres://` URL that keeps the vault's records on a server. @default they are in the folder
   */
  databaseUrl?: string | undefined;
  /** Where a new vault keeps its key. @default a key file */
  keyStore?: KeyStore | undefined;
  /** Name of the user's account and of the Pack's own account. @default "default" */
  account?: string | undefined;
  /** Used instead of a connected account. */
  credentials?: GivenCredentials | undefined;
  /** The same for the Pack's own account. */
  systemCredentials?: GivenCredentials | undefined;
  /** Endpoint of the accounts in `credentials` and `systemCredentials`. */
  endpoint?: string | undefined;
  /** Makes up missing credentials, for runs without a network. @default false */
  inventsCredentials?: boolean | undefined;
  /** Records the token requests, or answers them from a recording. */
  tape?: Tape | undefined;
  /** Receives each token request, without secrets. */
  onTokenExchange?: ((record: ExchangeRecord) => void) | undefined;
  redactor: Redactor;
  now?: (() => number) | undefined;
}

/** Which account a target needs. */
export interface ConnectionNeeds {
  requirement: ConnectionRequirement;
  /** `allowedAuthenticationNames`: the only authentications that may be used. */
  allowed: readonly string[] | undefined;
  /** Scopes in addition to those of the authentication. @default none */
  scopes?: readonly string[] | undefined;
}

/** The accounts of one run. */
export interface Connections extends AsyncDisposable {
  account: AccountSession | undefined;
  systemAccount: AccountSession | undefined;
  /** The slot of the account that requests use by default. */
  slot: AccountSlot;
  /** The accounts as a recording describes them. */
  recorded: Cassette["accounts"];
}

const NAMES = { user: "defaultUserAuthentication", system: "systemAuthentication" } as const;

/** @param target a formula, a table or a metadata formula, as on the command line */
export function connectionNeeds(
  definition: PackVersionDefinition,
  target: string,
): ConnectionNeeds {
  const requirement = getConnectionRequirement(definition, target);
  if (/^(User|System)?Auth:/.test(target)) {
    // Without user authentication, the target is the Pack's own account, which does not have to be
    // connected.
    const isUser =
      !target.startsWith("System") && findSlotAuthentication(definition, "user") !== undefined;
    return isUser
      ? { requirement, allowed: [NAMES.user] }
      : { requirement: "optional", allowed: [NAMES.system] };
  }
  const name = target.split(/[:>]/, 1)[0];
  const formula = definition.formulas.find((candidate) => candidate.name === name);
  const getter = definition.syncTables.find((candidate) => candidate.name === name)?.getter;
  const runnable = formula ?? getter;
  // Scopes for updates replace those of the table.
  const updateOptions = target.includes(":update") ? getter?.updateOptions : undefined;
  return {
    requirement,
    allowed: runnable?.allowedAuthenticationNames,
    scopes: updateOptions?.extraOAuthScopes ?? runnable?.extraOAuthScopes ?? [],
  };
}

/**
 * Opens the accounts that a run may use: the user's, if the target needs one, and the Pack's own.
 * The vault is opened only when
 * the Pack declares authentication.
 * @throws {PackError} ACCOUNT_SCOPES when the user's account was not granted the scopes
 * @throws {PackError} ACCOUNT_MISSING when a required account is not connected, and those of
 *   `openAccount`
 */
export async function openConnections(
  options: ConnectionOptions,
  definition: PackVersionDefinition,
  { requirement, allowed, scopes = [] }: ConnectionNeeds,
  routes: Routes,
): Promise<Connections> {
  const mayUse = (slot: "user" | "system") =>
    allowed === undefined || allowed.includes(NAMES[slot]);
  const userSlot: AccountSlot = mayUse("user")
    ? "user"
    : chooseAdminSlot(definition, allowed ?? []);
  const user = requirement === "none" ? undefined : findSlotAuthentication(definition, userSlot);
  const system = mayUse("system") ? findSlotAuthentication(definition, "system") : undefined;
  const isRequired = requirement === "required";
  const given = {
    account: user && givenSession(user, options.credentials, options),
    systemAccount: system && givenSession(system, options.systemCredentials, options),
  };
  const isComplete =
    (user === undefined || given.account !== undefined) &&
    (system === undefined || given.systemAccount !== undefined);
  const { account: name = "default", home, now = Date.now } = options;
  const recorded: Cassette["accounts"] = {
    ...(given.account === undefined ? {} : { user: describeSession(given.account) }),
    ...(given.systemAccount === undefined ? {} : { system: describeSession(given.systemAccount) }),
  };
  if (isComplete || home === undefined) {
    if (isRequired && user !== undefined && given.account === undefined)
      throw accountMissing(options.file, name, userSlot);
    return withoutVault(given.account, given.systemAccount, userSlot, recorded);
  }
  // Loaded on demand: a Pack without authentication does not need the database.
  const [{ openVault }, { openAccount }, { describeAccount }] = await Promise.all([
    import("../accounts/vault.ts"),
    import("../accounts/open-account.ts"),
    import("./cassette/recorded-account.ts"),
  ]);
  const { databaseUrl, keyStore } = options;
  const vault = await openVault({ directory: home, databaseUrl, keyStore, now: options.now });
  const open = async (
    slot: AccountSlot,
    authentication: Authentication | undefined,
    mustExist: boolean,
  ) => {
    if (authentication === undefined) return undefined;
    const key = await accountKey({ ...options, slot, account: name });
    debug(() => `account: ${slot} ${name} of ${key.pack}`, options.redactor);
    const stored = await vault.get(key);
    if (stored === undefined) {
      if (mustExist) throw await accountNotFound(vault, options.file, key);
      return undefined;
    }
    const missing = scopes.filter((scope) => stored.scopes?.includes(scope) === false);
    if (missing.length > 0 && slot !== "system")
      throw scopesMissing({ file: options.file, account: name, slot }, missing);
    recorded[slot === "system" ? "system" : "user"] = describeAccount(
      stored,
      listSecretVariables(authentication),
      now(),
    );
    const { redactor, tape, onTokenExchange: onExchange } = options;
    const { networkDomains } = definition;
    return await openAccount({
      vault,
      key,
      authentication,
      networkDomains,
      routes,
      now: options.now,
      redactor,
      tape,
      onExchange,
    });
  };
  try {
    const account = given.account ?? (await open(userSlot, user, isRequired));
    const systemAccount =
      given.systemAccount ?? (await open("system", system, isRequired && user === undefined));
    return {
      account,
      systemAccount,
      recorded,
      slot: account === undefined && systemAccount !== undefined ? "system" : userSlot,
      [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose](),
    };
  } catch (error) {
    await vault[Symbol.asyncDispose]();
    throw error;
  }
}

function scopesMissing(run: RunAccount, missing: readonly string[]): PackError<"ACCOUNT_SCOPES"> {
  const { account, slot } = run;
  return new PackError(
    "ACCOUNT_SCOPES",
    `The account "${account}" does not have the scopes that this run needs: ${missing.join(" ")}.`,
    {
      details: { account, slot, missing },
      hint: `Run ${connectCommand(run, { scopes: missing })}.`,
    },
  );
}

/**
 * The account of an administrator, when neither the user's account nor the Pack's own is allowed.
 */
function chooseAdminSlot(
  definition: PackVersionDefinition,
  allowed: readonly string[],
): AccountSlot {
  const name = (definition.adminAuthentications ?? [])
    .map((admin) => String(admin.name))
    .find((candidate) => allowed.includes(candidate));
  return `admin:${name ?? ""}`;
}

function withoutVault(
  account: AccountSession | undefined,
  systemAccount: AccountSession | undefined,
  userSlot: AccountSlot,
  recorded: Cassette["accounts"],
): Connections {
  const slot = account === undefined && systemAccount !== undefined ? "system" : userSlot;
  return { account, systemAccount, slot, recorded, [Symbol.asyncDispose]: async () => {} };
}

function listSecretVariables(authentication: Authentication): string[] {
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials")
    return [];
  return listVariables(authentication)
    .filter(isSecretVariable)
    .map(({ name }) => name);
}

function describeSession(session: AccountSession): RecordedAccount {
  const { authentication, endpoint } = session;
  return {
    type: authentication.type,
    clientId: "",
    ...(endpoint === undefined ? {} : { endpoint }),
    ...("secrets" in session
      ? { fields: Object.keys(session.secrets) }
      : { token: { isRenewable: false, clientAuthentication: "body" } }),
  };
}

/** An account for this run only, from credentials that were passed. */
function givenSession(
  authentication: Authentication,
  credentials: GivenCredentials | undefined,
  { endpoint: entered, inventsCredentials = false, redactor }: ConnectionOptions,
): AccountSession | undefined {
  if (credentials === undefined && !inventsCredentials) return undefined;
  const endpoint = entered === undefined ? undefined : parseEndpoint(entered);
  if (isSecretAuthentication(authentication)) {
    const invented = listSecretFields(authentication).filter(({ isOptional }) => !isOptional);
    const secrets =
      credentials ?? Object.fromEntries(invented.map(({ name }) => [name, `test-${name}`]));
    for (const { name, isHidden } of listSecretFields(authentication))
      if (isHidden) redactor.add(secrets[name]);
    return createSecretSession({ authentication, secrets, endpoint });
  }
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials")
    return undefined;
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
