import type { Request, Response } from "express";
import type { AuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import { readCookies } from "../../shared/cookies.ts";
import { sameSecret } from "../../shared/crypto.ts";
import type { CallbackAddress } from "./callback-address.ts";

/** Attempts whose callback has not come yet. A cookie binds each to its browser (RFC 9700 §4.7). */
export interface PendingAttempts {
  add(attempt: AuthorizationAttempt, response: Response): void;
  /** The attempts that this browser began, by ID. */
  findOwn(request: Request): ReadonlyMap<string, AuthorizationAttempt>;
  /**
   * Forgets an attempt before its code is exchanged, so that a replayed callback finds nothing (RFC
   * 9700 §4.5).
   */
  remove(id: string, response: Response): void;
}

export function createPendingAttempts(
  { origin, redirectPath: path }: Pick<CallbackAddress, "origin" | "redirectPath">,
  random: (bytes: number) => Buffer,
): PendingAttempts {
  const pending = new Map<string, { attempt: AuthorizationAttempt; cookie: string }>();
  return {
    add(attempt, response) {
      const id = random(6).toString("hex");
      const cookie = random(16).toString("base64url");
      pending.set(id, { attempt, cookie });
      response.cookie(cookieName(id), cookie, {
        httpOnly: true,
        sameSite: "lax",
        secure: origin.startsWith("https:"),
        path,
        maxAge: 10 * 60_000,
      });
    },
    findOwn({ headers }) {
      const cookies = readCookies(headers.cookie);
      const own = [...pending].filter(([id, { cookie }]) =>
        sameSecret(cookies.get(cookieName(id)) ?? "", cookie),
      );
      return new Map(own.map(([id, { attempt }]) => [id, attempt]));
    },
    remove(id, response) {
      pending.delete(id);
      response.clearCookie(cookieName(id), { path });
    },
  };
}

/** Cookies ignore ports, so the name contains the attempt's ID. */
function cookieName(id: string): string {
  return `packsmith_${id}`;
}
