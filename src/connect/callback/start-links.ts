import type { CookieOptions, Request } from "express";
import { readCookies } from "../../shared/cookies.ts";
import { sameSecret } from "../../shared/crypto.ts";
import { createLaunchKeys, type LinkOptions } from "../../shared/launch-keys.ts";
import { LINK_USED, NOT_STARTED_HERE, type Page } from "./page.ts";

/** The cookie of the browser that used a link, or why a visit is refused. */
export type StartVisit = { ok: true; cookie: StartCookie } | { ok: false; page: Page };

export interface StartCookie {
  name: string;
  value: string;
  options: CookieOptions;
}

/**
 * The links to `/start`. Each works once, so that no one else on the machine can use one that was
 * seen in a list of processes or in a terminal. The browser that used a link can open it again.
 */
export interface StartLinks {
  create(options?: LinkOptions): string;
  visit(request: Request): StartVisit;
}

export function createStartLinks(origin: string, random: (bytes: number) => Buffer): StartLinks {
  const keys = createLaunchKeys(random);
  // Cookies ignore ports.
  const cookie: StartCookie = {
    name: `packsmith_start_${random(6).toString("hex")}`,
    value: random(16).toString("base64url"),
    options: {
      httpOnly: true,
      sameSite: "lax",
      secure: origin.startsWith("https:"),
      path: "/start",
    },
  };
  return {
    create: (options) => `${origin}/start?launch=${keys.create(options)}`,
    visit({ query, headers }) {
      const { launch: key } = query;
      // The file that opens the browser counts as another site.
      const isEmbedded =
        headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-mode"] !== "navigate";
      if (typeof key !== "string" || isEmbedded || !keys.wasCreated(key))
        return { ok: false, page: NOT_STARTED_HERE };
      const isSameBrowser = sameSecret(
        readCookies(headers.cookie).get(cookie.name) ?? "",
        cookie.value,
      );
      return keys.use(key) || isSameBrowser ? { ok: true, cookie } : { ok: false, page: LINK_USED };
    },
  };
}
