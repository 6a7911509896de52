import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { AdminAuthentication, Authentication } from "../define/authentication.ts";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../define/oauth.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { PackError } from "../errors.ts";
import { type AccountKey, formatConnectCommand, LOCAL_ACCOUNT } from "./account.ts";
import { requireAccountName } from "./account-name.ts";
import type { AccountSlot } from "./account-summary.ts";
import type { Vault } from "./vault.ts";

/** Names one of a Pack's accounts. */
export interface AccountChoice {
  file: string;
  cwd: string;
  slot: AccountSlot;
  /** @default "default" */
  account: string;
}

/**
 * The vault's key for an account. It contains the real path of the Pack, so no other Pack can use
 * the account.
 * @throws {PackError} USAGE_INVALID for an account without a name
 */
export async function accountKey({ file, cwd, slot, account }: AccountChoice): Promise<AccountKey> {
  requireAccountName(account);
  const path = resolve(cwd, file);
  return { pack: await realpath(path).catch(() => path), slot, name: account };
}

/**
 * The path of a slot's authentication in the definition; undefined if there is no administrator's
 * account of this name.
 */
export function authenticationPath(
  definition: PackVersionDefinition,
  slot: AccountSlot,
): (string | number)[] | undefined {
  if (slot === "user") return ["defaultAuthentication"];
  if (slot === "system") return ["systemConnectionAuthentication"];
  const index = listAdmins(definition).findIndex(({ name }) => `admin:${name}` === slot);
  return index < 0 ? undefined : ["adminAuthentications", index, "authentication"];
}

function listAdmins({
  adminAuthentications,
}: PackVersionDefinition): readonly AdminAuthentication[] {
  return adminAuthentications ?? [];
}

/** The authentication of a slot; undefined if the Pack declares none. */
export function findSlotAuthentication(
  definition: PackVersionDefinition,
  slot: AccountSlot,
): Authentication | undefined {
  const { defaultAuthentication, systemConnectionAuthentication } = definition;
  const authentication: Authentication | undefined =
    slot === "user"
      ? defaultAuthentication
      : slot === "system"
        ? systemConnectionAuthentication
        : listAdmins(definition).find(({ name }) => `admin:${name}` === slot)?.authentication;
  return authentication?.type === "None" ? undefined : authentication;
}

/** @throws {PackError} OAUTH_NOT_CONFIGURED when the slot has no OAuth2 authentication */
export function requireOAuth(
  definition: PackVersionDefinition,
  slot: AccountSlot,
): OAuth2Authentication | OAuth2ClientCredentialsAuthentication {
  const authentication = findSlotAuthentication(definition, slot);
  if (authentication?.type === "OAuth2" || authentication?.type === "OAuth2ClientCredentials")
    return authentication;
  const declared =
    authentication === undefined ? "no authentication" : `${authentication.type} authentication`;
  throw new PackError(
    "OAUTH_NOT_CONFIGURED",
    `The Pack declares ${declared} for its ${slot.replace(":", " ")} account, but this command needs an OAuth2 account.`,
    {
      details: undefined,
      hint: hintFor(definition, slot),
    },
  );
}

function hintFor(definition: PackVersionDefinition, slot: AccountSlot): string {
  if (slot === "user")
    return "Call pack.setUserAuthentication with the type OAuth2 or OAuth2ClientCredentials.";
  if (slot === "system")
    return "Remove --system, or call pack.setSystemAuthentication in the Pack.";
  const names = listAdmins(definition).map(({ name }) => String(name));
  if (names.length === 0) return "Remove --admin, or call pack.addAdminAuthentication in the Pack.";
  return `Pass --admin with one of ${names.join(", ")}.`;
}

/** The error of a command that needs an account that is not connected. */
export function accountMissing(
  file: string,
  account: string,
  slot: AccountSlot = "user",
): PackError<"ACCOUNT_MISSING"> {
  return createMissingError(file, { slot, name: account }, "");
}

/** The same error. If an account of the local provider exists, the hint names `--local`. */
export async function accountNotFound(
  vault: Vault,
  file: string,
  key: AccountKey,
): Promise<PackError<"ACCOUNT_MISSING">> {
  const hasLocal =
    key.name !== LOCAL_ACCOUNT && (await vault.get({ ...key, name: LOCAL_ACCOUNT })) !== undefined;
  return createMissingError(
    file,
    key,
    hasLocal
      ? " An account of the local provider is connected: execute, auth refresh and auth revoke use it with --local."
      : "",
  );
}

function createMissingError(
  file: string,
  { slot, name }: Pick<AccountKey, "slot" | "name">,
  advice: string,
): PackError<"ACCOUNT_MISSING"> {
  return new PackError("ACCOUNT_MISSING", `No account "${name}" is connected for ${file}.`, {
    details: { account: name },
    hint: `Run ${formatConnectCommand(file, { slot, name })}.${advice}`,
  });
}
