import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { AccountKey } from "../accounts/account.ts";
import type { Authentication } from "../define/authentication.ts";
import type { OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "../define/oauth.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { PackError } from "../errors.ts";

export type AccountSlot = "user" | "system";

/** Which of a Pack's accounts is meant. */
export interface AccountChoice {
  file: string;
  cwd: string;
  slot: AccountSlot;
  /** @default "default" */
  account: string;
}

/** The key under which the vault keeps an account: the Pack's real path, so that no other Pack can use it. */
export async function accountKey({ file, cwd, slot, account }: AccountChoice): Promise<AccountKey> {
  const path = resolve(cwd, file);
  return { pack: await realpath(path).catch(() => path), slot, name: account };
}

/** The authentication of a slot, or undefined when the Pack declares none there. */
export function authenticationOf(definition: PackVersionDefinition, slot: AccountSlot): Authentication | undefined {
  const authentication = slot === "system" ? definition.systemConnectionAuthentication : definition.defaultAuthentication;
  return authentication?.type === "None" ? undefined : authentication;
}

/** @throws {PackError} OAUTH_NOT_CONFIGURED when the slot has no OAuth2 authentication */
export function oauthOf(
  definition: PackVersionDefinition,
  slot: AccountSlot,
): OAuth2Authentication | OAuth2ClientCredentialsAuthentication {
  const authentication = authenticationOf(definition, slot);
  if (authentication?.type === "OAuth2" || authentication?.type === "OAuth2ClientCredentials") return authentication;
  const declared = authentication === undefined ? "no authentication" : `${authentication.type} authentication`;
  throw new PackError(
    "OAUTH_NOT_CONFIGURED",
    `The Pack declares ${declared} for its ${slot} account, and this works with OAuth2 accounts.`,
    {
      details: undefined,
      hint:
        slot === "system"
          ? "Leave out --system, or call setSystemAuthentication in the Pack."
          : "Call setUserAuthentication with type OAuth2 or OAuth2ClientCredentials.",
    },
  );
}

/** The error of a command that needs an account which is not connected. */
export function accountMissing(file: string, account: string): PackError<"ACCOUNT_MISSING"> {
  const option = account === "default" ? "" : ` --account ${account}`;
  return new PackError("ACCOUNT_MISSING", `No account "${account}" is connected for ${file}.`, {
    details: { account },
    hint: `Run packsmith auth connect ${file}${option}.`,
  });
}
