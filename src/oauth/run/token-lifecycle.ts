import { OAuth2Client, OAuth2Fetch, type OAuth2Token } from "@badgateway/oauth2-client";
import { isPackError } from "../../errors.ts";
import { expiryLeewayMs, isExpired, type TokenSet } from "../token-set.ts";

export interface TokenLifecycleOptions {
  clientId: string;
  /** The stored tokens of the account. Another process may have renewed them. */
  load(): Promise<TokenSet | undefined>;
  /**
   * Renews the stored tokens, and stores the result before it returns: a rotated token must not be
   * lost. Runs inside `exclusively`.
   * @param isEarly whether the stored tokens can be used if this fails
   */
  renew(stored: TokenSet | undefined, isEarly: boolean): Promise<TokenSet>;
  /** Whether these tokens can be renewed. */
  canRenew(stored: TokenSet | undefined): boolean;
  /** Runs work while no other process renews the same account. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @default Date.now */
  now?: (() => number) | undefined;
}

export interface TokenLifecycle {
  /**
   * A usable access token: from memory, from the store, or renewed shortly before it expires (see
   * `expiryLeewayMs`).
   */
  getAccessToken(): Promise<string>;
  /**
   * Another token than the one that a server refused with 401. If someone else has renewed the
   * tokens meanwhile, theirs is
   * used without another request.
   * @returns undefined when the account cannot be renewed
   */
  renewAfterUnauthorized(rejected: string): Promise<string | undefined>;
}

/**
 * Hands out and renews the tokens of one account in this process. However many callers there are,
 * one renewal runs at a time.
 */
export function createTokenLifecycle(options: TokenLifecycleOptions): TokenLifecycle {
  const { now = Date.now } = options;
  let current: TokenSet | undefined;
  let rejected: string | undefined;
  /** After an early renewal has failed, the next one waits. */
  let retryAtMs = 0;

  const isUsable = (tokenSet: TokenSet | undefined, leewayMs: number): tokenSet is TokenSet =>
    tokenSet !== undefined &&
    tokenSet.accessToken !== rejected &&
    !isExpired(tokenSet, now(), leewayMs);
  const isFresh = (tokenSet: TokenSet | undefined): tokenSet is TokenSet =>
    tokenSet !== undefined &&
    isUsable(
      tokenSet,
      options.canRenew(tokenSet) && !(tokenSet.renewsItself === true && now() < retryAtMs)
        ? expiryLeewayMs(tokenSet)
        : 0,
    );

  const renewsEarly = (tokenSet: TokenSet | undefined): boolean =>
    isUsable(tokenSet, 0) && tokenSet.renewsItself === true;

  const obtain = async (): Promise<TokenSet> => {
    const seen = await options.load();
    if (isFresh(seen)) return seen;
    return options.exclusively(async () => {
      const stored = await options.load();
      if (isFresh(stored)) return stored;
      const isEarly = renewsEarly(stored);
      try {
        return await options.renew(stored, isEarly);
      } catch (error) {
        // It is renewed long before it expires.
        if (isEarly && isUsable(stored, 0)) {
          retryAtMs = now() + RETRY_MS;
          return stored;
        }
        // Within the leeway the old token still works, so a short outage of the provider does no
        // harm.
        if (isTransient(error) && isUsable(stored, 0)) return stored;
        throw error;
      }
    });
  };

  // The library shares one renewal among all callers. It gets no expiry, because it knows only the
  // system's clock, and no refresh token, because it would hide why a refresh failed and print a
  // warning instead.
  const shared = new OAuth2Fetch({
    client: new OAuth2Client({ clientId: options.clientId }),
    scheduleRefresh: false,
    getNewToken: async () => {
      current = await obtain();
      return {
        accessToken: current.accessToken,
        refreshToken: null,
        expiresAt: null,
      } satisfies OAuth2Token;
    },
    storeToken: () => {
      rejected = undefined;
    },
  });

  return {
    async getAccessToken() {
      if (isFresh(current)) return shared.getAccessToken();
      return (await shared.refreshToken()).accessToken;
    },
    async renewAfterUnauthorized(token) {
      if (current !== undefined && current.accessToken !== token && isFresh(current))
        return current.accessToken;
      rejected = token;
      const stored = await options.load();
      if (!isFresh(stored) && !options.canRenew(stored)) return undefined;
      return (await shared.refreshToken()).accessToken;
    },
  };
}

/** How long a token that could not be renewed early is used before the next attempt. */
const RETRY_MS = 60_000;

function isTransient(error: unknown): boolean {
  return isPackError(error, "OAUTH_TOKEN_UNAVAILABLE") || isPackError(error, "OAUTH_TOKEN_TIMEOUT");
}
