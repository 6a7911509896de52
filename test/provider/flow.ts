import { createHash } from "node:crypto";
import type { LocalIssuer } from "../../src/provider/provider.ts";
import { type Choice, createHeadlessClient } from "../support/headless-client.ts";

export const REDIRECT_URI = "http://127.0.0.1:4711/oauth/callback";
export const VERIFIER = "verifier-verifier-verifier-verifier-verifier-1";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };

type Fields = Record<string, string>;

export function authorizationUrl(provider: LocalIssuer, fields: Fields = {}): string {
  const query = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: REDIRECT_URI,
    scope: "read write",
    state: "st",
    ...fields,
  };
  return `${provider.authorizationUrl}?${new URLSearchParams(query)}`;
}

/** Approves on the pages and returns the callback's code. */
export async function getCode(
  provider: LocalIssuer,
  fields: Fields = PKCE,
  choice: Choice = {},
): Promise<string> {
  const callback = await createHeadlessClient().authorize(
    authorizationUrl(provider, fields),
    choice,
  );
  const code = callback.searchParams.get("code");
  if (code === null) throw new Error(`No code: ${callback.search}`);
  return code;
}

export interface TokenResult {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { access_token: string; refresh_token: string; error?: string };
}

export async function post(
  url: string,
  fields: Fields | URLSearchParams,
  headers: Fields = {},
): Promise<TokenResult> {
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers,
    redirect: "manual",
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? {} : JSON.parse(text),
  };
}

export function clientFields(provider: LocalIssuer): Fields {
  return { client_id: provider.clientId, client_secret: provider.clientSecret };
}

export function exchange(
  provider: LocalIssuer,
  code: string,
  fields: Fields = {},
): Promise<TokenResult> {
  return post(provider.tokenUrl, {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...clientFields(provider),
    ...fields,
  });
}

export function refresh(
  provider: LocalIssuer,
  refreshToken: string,
  fields: Fields = {},
): Promise<TokenResult> {
  return post(provider.tokenUrl, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...clientFields(provider),
    ...fields,
  });
}

export async function connect(provider: LocalIssuer): Promise<TokenResult["body"]> {
  return (await exchange(provider, await getCode(provider))).body;
}

export function me(provider: LocalIssuer, accessToken: string): Promise<Response> {
  return fetch(provider.meUrl, { headers: { authorization: `Bearer ${accessToken}` } });
}
