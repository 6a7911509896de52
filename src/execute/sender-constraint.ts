import type { OAuthSession } from "../accounts/account-session.ts";

interface Answer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

interface ProvedRequest {
  method: string;
  /** Without the token. */
  url: string;
  token: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends a request with the account's token; a bound token travels with a proof that this process holds its key (RFC 9449 §7).
 * A server that wants a nonce in the proof gets it in a second request.
 */
export async function sendProved<Response extends Answer>(
  session: Pick<OAuthSession, "proveRequest">,
  request: ProvedRequest,
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const prove = (nonce: string | undefined) =>
    session.proveRequest?.({ method: request.method, url: request.url, accessToken: request.token, nonce }) ?? Promise.resolve(undefined);
  const proof = await prove(undefined);
  if (proof === undefined) return await send({ ...request.headers });
  const bound = (text: string) => ({ ...request.headers, Authorization: `DPoP ${request.token}`, DPoP: text });
  const answer = await send(bound(proof));
  const nonce = answer.headers["dpop-nonce"];
  const wantsNonce = answer.status === 401 && nonce !== undefined && /use_dpop_nonce/.test(answer.headers["www-authenticate"] ?? "");
  if (!wantsNonce) return answer;
  return await send(bound((await prove(nonce)) ?? proof));
}
