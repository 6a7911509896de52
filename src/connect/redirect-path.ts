import type { AccountSlot } from "../accounts/account-summary.ts";
import { PackError } from "../errors.ts";

/** The path of the redirect URI if the server's issuer is known. */
export const REDIRECT_PATH = "/oauth/callback";

export interface RedirectPathOptions {
  packName: string;
  /**
   * An administrator's account may be at another server, so it has its own path. @default "user"
   */
  slot?: AccountSlot | undefined;
  /** The server's issuer, if it is known. */
  issuer: string | undefined;
  /** A registered path, which is used instead. */
  given: string | undefined;
}

/**
 * The path of a Pack's redirect URI. A known issuer is compared with `iss` of every response.
 * Without one, each Pack has its own
 * path, so that a response of one server is never taken for that of another (RFC 9700 §4.4.2.2).
 * @throws {PackError} USAGE_INVALID when the given path is not valid
 */
export function redirectPathOf({
  packName,
  slot = "user",
  issuer,
  given,
}: RedirectPathOptions): string {
  if (given !== undefined) return checkPath(given);
  if (issuer !== undefined) return REDIRECT_PATH;
  const admin = slot.startsWith("admin:")
    ? `/${encodeURIComponent(slot.slice("admin:".length))}`
    : "";
  return `${REDIRECT_PATH}/${packName.toLowerCase()}${admin}`;
}

function checkPath(path: string): string {
  const isPlain = /^\/[A-Za-z0-9._~/-]{1,200}$/.test(path) && !/\/\/|\/\.{1,2}(?:\/|$)/.test(path);
  if (isPlain && !["/start", "/done"].includes(path)) return path;
  throw new PackError("USAGE_INVALID", "The redirect path is not a valid URL path.", {
    details: undefined,
    hint: "Give the path that you registered with the provider, such as /oauth/callback.",
  });
}
