import { isPackError, PackError } from "../errors.ts";
import type { AuthorizationAttempt } from "../oauth/connect/authorization-attempt.ts";
import type { TokenSet } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";
import type { CodeFlow, CodeSession, Connected } from "./code-session.ts";
import type { ConnectAccountOptions } from "./connect-options.ts";
import { redirectUriWithoutServer } from "./plan-code-flow.ts";
import { redirectAddress } from "./redirect-path.ts";

/** How often an address can be pasted. */
const MAX_PASTES = 5;

/**
 * Without a local server: the browser may be on another machine, and the user pastes its address.
 */
export async function connectByPasting(
  { options }: CodeFlow,
  paste: NonNullable<ConnectAccountOptions["paste"]>,
  session: CodeSession,
): Promise<Connected> {
  const redirectUri = redirectUriWithoutServer(options, session.redirectPath);
  options.onProgress?.(`redirect URI to register with the provider: ${redirectUri}`);
  options.onProgress?.(`contacted hosts: ${session.hosts.join(", ")}`);
  const attempt = await session.begin(redirectUri);
  const tokenSet = await completeWithPasted(attempt, paste);
  return { account: await session.keep(tokenSet, attempt), redirectUri };
}

/** A wrong address changes nothing, so it can be pasted again, until there is no other. */
async function completeWithPasted(
  attempt: AuthorizationAttempt,
  paste: NonNullable<ConnectAccountOptions["paste"]>,
): Promise<TokenSet> {
  let problem: PackError | undefined;
  for (let tries = 0; tries < MAX_PASTES; tries++) {
    const pasted = await paste(attempt.authorizationUrl, problem);
    if (problem !== undefined && pasted.trim() === "") break;
    try {
      return await attempt.complete(readPasted(pasted, attempt));
    } catch (error) {
      if (!isPackError(error, "OAUTH_STATE_MISMATCH") && !isNotTheAddress(error)) throw error;
      problem = error;
    }
  }
  throw problem ?? notTheAddress("it has no state");
}

/**
 * The query of the pasted address. The address must be the redirect URI: its path tells this server
 * from others, so the query alone is not enough (RFC 9700 §4.4.2.2).
 */
function readPasted(
  text: string,
  { state, redirectUri }: Pick<AuthorizationAttempt, "state" | "redirectUri">,
): URLSearchParams {
  const trimmed = text.trim();
  if (!canParseUrl(trimmed)) throw notTheAddress("it is not a valid URL");
  const url = new URL(trimmed);
  const params = url.searchParams;
  if (!params.has("state")) throw notTheAddress("it has no state");
  // That of an older attempt is refused for its state.
  if (params.get("state") !== state) return params;
  if (redirectAddress(withoutQuery(url)) !== redirectAddress(withoutQuery(new URL(redirectUri))))
    throw notTheAddress("it is another address");
  return params;
}

function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

const NOT_THE_ADDRESS =
  "The pasted text is not a redirect URI that contains an authorization code.";

function isNotTheAddress(error: unknown): error is PackError<"OAUTH_CALLBACK_INVALID"> {
  return isPackError(error, "OAUTH_CALLBACK_INVALID") && error.message === NOT_THE_ADDRESS;
}

function notTheAddress(reason: string): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", NOT_THE_ADDRESS, {
    details: { reason },
    hint: "Approve the request. Then copy the complete address from the browser's address bar, even if the browser cannot show the page.",
  });
}
