import { isPackError, type PackError } from "../errors.ts";
import { idTokenError, invalidResponseError } from "./token-failure.ts";
import type { IssuedTokens } from "./token-response.ts";

/**
 * Lets a library make its requests with `send`, and throws the typed error behind the library's.
 * Errors of the libraries hold response bodies, so they never leave this function, not even as a
 * cause.
 * @throws {PackError} the last one of `send`; otherwise OAUTH_TOKEN_RESPONSE_INVALID
 */
export async function callLibrary<Result>(
  send: typeof fetch,
  call: (send: typeof fetch) => Promise<Result>,
): Promise<Result> {
  let failure: PackError | undefined;
  const observeFetch: typeof fetch = async (...request) => {
    try {
      return await send(...request);
    } catch (error) {
      if (isPackError(error)) failure = error as PackError;
      throw error;
    }
  };
  try {
    return await call(observeFetch);
  } catch (error) {
    throw failure ?? refusedByLibrary(error);
  }
}

function refusedByLibrary(error: unknown): unknown {
  if (isPackError(error)) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("OAUTH_JWT_")
    ? idTokenError(code)
    : invalidResponseError({
        host: "The authorization server",
        status: 200,
        reason: "one of its fields is not valid",
      });
}

/** The parameters of a grant, as a library has written them. */
export function readGrant({ body, headers }: RequestInit = {}): {
  params: URLSearchParams;
  headers: Headers;
} {
  const isForm = body instanceof URLSearchParams || typeof body === "string";
  return { params: new URLSearchParams(isForm ? body : ""), headers: new Headers(headers) };
}

/**
 * Tokens as a library expects them (RFC 6749 §5.1). Neither of them accepts all that providers
 * send, so it gets only what the standard names. What it makes of them is not used.
 */
export function toLibraryResponse(
  { accessToken, tokenType, expiresInSeconds, refreshToken, scope, idToken }: IssuedTokens,
  { keepIdToken = false }: { keepIdToken?: boolean | undefined } = {},
): Response {
  return Response.json({
    access_token: accessToken,
    token_type: /^dpop$/i.test(tokenType) ? tokenType : "Bearer",
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope,
    // Without an issuer to check it against, an ID Token would prove nothing.
    id_token: keepIdToken ? idToken : undefined,
  });
}
