import type { AccountSlot } from "../accounts/account.ts";
import { PackError } from "../errors.ts";

/** The path of every redirect URI while the issuer tells whose answer it is. */
export const REDIRECT_PATH = "/oauth/callback";

export interface RedirectPathOptions {
  packName: string;
  /** Each administrator's account may belong to another server. @default "user" */
  slot?: AccountSlot | undefined;
  /** The server's issuer, when it is known. */
  issuer: string | undefined;
  /** The path that is registered, when it is another one. */
  given: string | undefined;
}

/**
 * The path of a Pack's redirect URI. A known issuer is compared with `iss` of every answer; without one, each Pack has a path
 * of its own, so that an answer of one server is never taken for that of another (rules 14 and 32; RFC 9700 §4.4.2.2).
 * @throws {PackError} USAGE_INVALID when the given path cannot be one
 */
export function redirectPathOf({ packName, slot = "user", issuer, given }: RedirectPathOptions): string {
  if (given !== undefined) return checkPath(given);
  if (issuer !== undefined) return REDIRECT_PATH;
  const admin = slot.startsWith("admin:") ? `/${encodeURIComponent(slot.slice("admin:".length))}` : "";
  return `${REDIRECT_PATH}/${packName.toLowerCase()}${admin}`;
}

function checkPath(path: string): string {
  const isPlain = /^\/[A-Za-z0-9._~/-]{1,200}$/.test(path) && !/\/\/|\/\.{1,2}(?:\/|$)/.test(path);
  if (isPlain && !["/start", "/done"].includes(path)) return path;
  throw new PackError("USAGE_INVALID", "The redirect path is not the path of a URL.", {
    details: undefined,
    hint: "Write it as it is registered, such as --redirect-path /oauth/callback.",
  });
}
