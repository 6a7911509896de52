import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Reference from "oidc-provider";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { createHeadlessClient } from "../support/headless-client.ts";
import { getCode, PKCE, REDIRECT_URI, VERIFIER } from "./flow.ts";

interface Party {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  registrationUrl: string;
  pushedRequestUrl: string;
  deviceAuthorizationUrl: string;
  code(): Promise<string>;
}

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

let ours: LocalProvider;
let server: Server;
const parties: { ours?: Party; reference?: Party } = {};

beforeAll(async () => {
  // The reference warns about its development defaults, which are what is wanted here.
  for (const method of ["warn", "info", "log"] as const)
    vi.spyOn(console, method).mockReturnValue();
  ours = await startProvider();
  const {
    tokenUrl,
    clientId,
    clientSecret,
    registrationUrl,
    pushedRequestUrl,
    deviceAuthorizationUrl,
  } = ours;
  const urls = { tokenUrl, registrationUrl, pushedRequestUrl, deviceAuthorizationUrl };
  parties.ours = { ...urls, clientId, clientSecret, code: () => getCode(ours) };
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = {
    client_id: "client",
    client_secret: "secret-of-the-reference-client",
    redirect_uris: [REDIRECT_URI],
    grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
  };
  const reference = new Reference(issuer, {
    clients: [client],
    features: {
      registration: { enabled: true },
      deviceFlow: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
    },
  });
  server.on("request", reference.callback());
  parties.reference = {
    tokenUrl: `${issuer}/token`,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    code: () => referenceCode(issuer),
    registrationUrl: `${issuer}/reg`,
    pushedRequestUrl: `${issuer}/request`,
    deviceAuthorizationUrl: `${issuer}/device/auth`,
  };
});

afterAll(async () => {
  vi.restoreAllMocks();
  await ours.close();
  server.closeAllConnections();
  server.close();
});

const exchange = async (code: string): Promise<Record<string, string>> => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: VERIFIER,
});
const cases: Record<string, (party: Party) => Promise<Record<string, string>>> = {
  "a wrong secret": async () => ({ ...(await exchange("x")), secret: "wrong" }),
  "a made-up code": () => exchange("made-up"),
  "a reused code": async (party) => {
    const fields = await exchange(await party.code());
    expect((await send(party, fields)).status).toBe(200);
    return fields;
  },
  "a wrong redirect URI": async (party) => ({
    ...(await exchange(await party.code())),
    redirect_uri: "http://127.0.0.1:1/other",
  }),
  "a wrong verifier": async (party) => ({
    ...(await exchange(await party.code())),
    code_verifier: `${VERIFIER}x`,
  }),
  "a missing verifier": async (party) => ({
    ...(await exchange(await party.code())),
    code_verifier: "",
  }),
  "a made-up refresh token": async () => ({
    grant_type: "refresh_token",
    refresh_token: "made-up",
  }),
  "two client authentication methods": async (party) => ({
    ...(await exchange("x")),
    client_id: party.clientId,
    client_secret: party.clientSecret,
  }),
};

it.each(Object.entries(cases))(
  "refuses %s with the status and error of node-oidc-provider",
  async (_, prepare) => {
    const { ours: own, reference } = parties;
    if (own === undefined || reference === undefined) throw new Error("not started");
    expect(await send(own, await prepare(own))).toEqual(
      await send(reference, await prepare(reference)),
    );
  },
);

const pushed = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "openid", ...PKCE };
const others: Record<
  string,
  (party: Party) => Promise<{ status: number; error: string | undefined }>
> = {
  "a registration without redirect URIs": (party) => register(party, {}),
  "a registration with a fragment": (party) =>
    register(party, { redirect_uris: ["https://app.example/cb#x"] }),
  "a registration with a relative redirect URI": (party) =>
    register(party, { redirect_uris: ["/cb"] }),
  "a registration with an unknown grant": (party) =>
    register(party, { redirect_uris: ["https://app.example/cb"], grant_types: ["x"] }),
  "a registration with an unknown client authentication": (party) =>
    register(party, { redirect_uris: ["https://app.example/cb"], token_endpoint_auth_method: "x" }),
  "a pushed request with a wrong secret": (party) =>
    send(party, { ...pushed, secret: "wrong" }, party.pushedRequestUrl),
  "a pushed request with another redirect URI": (party) =>
    send(party, { ...pushed, redirect_uri: "https://evil.example/" }, party.pushedRequestUrl),
  "a device request with a wrong secret": (party) =>
    send(party, { secret: "wrong" }, party.deviceAuthorizationUrl),
  "a made-up device code": (party) =>
    send(party, { grant_type: DEVICE_GRANT, device_code: "made-up" }),
  "a device grant without its code": (party) => send(party, { grant_type: DEVICE_GRANT }),
};

it.each(Object.entries(others))(
  "refuses %s with the status and error of node-oidc-provider",
  async (_, ask) => {
    const { ours: own, reference } = parties;
    if (own === undefined || reference === undefined) throw new Error("not started");
    expect(await ask(own)).toEqual(await ask(reference));
  },
);

async function register({ registrationUrl }: Party, metadata: object) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(registrationUrl, {
    method: "POST",
    headers,
    body: JSON.stringify(metadata),
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, error };
}

async function send(
  party: Party,
  { secret = party.clientSecret, ...fields }: Record<string, string>,
  url = party.tokenUrl,
) {
  const authorization = `Basic ${Buffer.from(`${party.clientId}:${secret}`).toString("base64")}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(fields),
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, error };
}

/** Walks through the reference's development pages: any login, then consent. */
async function referenceCode(issuer: string): Promise<string> {
  const browser = createHeadlessClient();
  const query = {
    response_type: "code",
    client_id: "client",
    redirect_uri: REDIRECT_URI,
    scope: "openid",
    ...PKCE,
  };
  let url = `${issuer}/auth?${new URLSearchParams(query)}`;
  let response = await browser.request(url);
  for (let hop = 0; hop < 12; hop++) {
    const location = response.headers.get("location");
    if (location?.startsWith(REDIRECT_URI)) return new URL(location).searchParams.get("code") ?? "";
    if (location !== null) {
      url = new URL(location, url).href;
      response = await browser.request(url);
      continue;
    }
    const html = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? "";
    url = /action="([^"]+)"/.exec(html)?.[1] ?? url;
    response = await browser.request(url, {
      method: "POST",
      body: new URLSearchParams({ prompt, login: "someone", password: "x" }),
    });
  }
  throw new Error("The reference's pages lead in circles.");
}
