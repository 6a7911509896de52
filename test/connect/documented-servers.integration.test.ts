import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { refreshAccount } from "../../src/connect/manage-accounts.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeSigningKeys, readAssertion } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

const ORIGIN = "https://login.books.example";
const keys = makeSigningKeys("rsa");

/** A request of a token, and what a server with this documentation answers. */
interface Expected {
  /** `POST` has a form, `JSON` an object as body, `GET` everything in the URL. */
  request: `${"GET" | "POST" | "JSON" | "POST-QUERY"} ${string}`;
  /** The complete parameters. An assertion is replaced by its `iss`, `sub` and `aud`. */
  params: Record<string, string>;
  answer: object;
}

interface Documented {
  definition: Omit<OAuth2Authentication, "type">;
  clientSecret?: string;
  /** The names of the client ID and of the code at the login. */
  names?: { client?: string; code?: string };
  connect: Expected[];
  renew: Expected[];
}

const client = { client_id: "app", client_secret: "app-secret" };
const redirect_uri = "REDIRECT";
const grant = { grant_type: "authorization_code", code: "the-code", redirect_uri };
const assertion = {
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: JSON.stringify(["app.example", "app", "https://books.example"]),
};
const pair = (number: number) => ({
  access_token: `at-${number}`,
  refresh_token: `rt-${number}`,
  token_type: "bearer",
  expires_in: 600,
});

const SERVERS: Record<string, Documented> = {
  "a long-lived token, which is exchanged for its successor at one URL": {
    definition: {
      authorizationUrl: `${ORIGIN}/dialog/oauth`,
      tokenUrl: `${ORIGIN}/oauth/access_token`,
      useProofKeyForCodeExchange: false,
      credentialsLocation: "Body",
      tokenRequestFormat: "query",
      tokenExchange: {
        url: `${ORIGIN}/oauth/access_token`,
        method: "GET",
        grantType: "long_exchange_token",
        params: { long_exchange_token: "{token}" },
      },
      tokenRenewal: {
        url: `${ORIGIN}/oauth/access_token`,
        method: "GET",
        grantType: "long_exchange_token",
        params: { long_exchange_token: "{token}" },
      },
    },
    connect: [
      {
        request: "POST-QUERY /oauth/access_token",
        params: { ...grant, ...client },
        answer: { access_token: "short", token_type: "bearer", expires_in: 3_600 },
      },
      {
        request: "GET /oauth/access_token",
        params: { ...client, grant_type: "long_exchange_token", long_exchange_token: "short" },
        answer: { access_token: "long", token_type: "bearer", expires_in: 5_183_944 },
      },
    ],
    renew: [
      {
        request: "GET /oauth/access_token",
        params: { ...client, grant_type: "long_exchange_token", long_exchange_token: "long" },
        answer: { access_token: "longer", token_type: "bearer", expires_in: 5_183_944 },
      },
    ],
  },
  "a long-lived token, which is renewed with nothing but itself": {
    definition: {
      authorizationUrl: `${ORIGIN}/oauth/authorize`,
      tokenUrl: `${ORIGIN}/oauth/access_token`,
      useProofKeyForCodeExchange: false,
      credentialsLocation: "Body",
      tokenExchange: {
        url: `${ORIGIN}/access_token`,
        method: "GET",
        grantType: "x_exchange_token",
        params: { access_token: "{token}" },
      },
      tokenRenewal: {
        url: `${ORIGIN}/refresh_access_token`,
        method: "GET",
        grantType: "x_refresh_token",
        params: { access_token: "{token}" },
        withClient: false,
      },
    },
    connect: [
      {
        request: "POST /oauth/access_token",
        params: { ...grant, ...client },
        answer: { access_token: "short", user_id: 17_841_405_793_187_218 },
      },
      {
        request: "GET /access_token",
        params: { ...client, grant_type: "x_exchange_token", access_token: "short" },
        answer: { access_token: "long", token_type: "bearer", expires_in: 5_183_944 },
      },
    ],
    renew: [
      {
        request: "GET /refresh_access_token",
        params: { grant_type: "x_refresh_token", access_token: "long" },
        answer: { access_token: "longer", token_type: "bearer", expires_in: 5_183_944 },
      },
    ],
  },
  "other names at the login than in the JSON of the token request": {
    definition: {
      authorizationUrl: `${ORIGIN}/v2/auth/authorize`,
      tokenUrl: `${ORIGIN}/oauth2/token/`,
      refreshUrl: `${ORIGIN}/oauth2/refresh_token/`,
      useProofKeyForCodeExchange: false,
      credentialsLocation: "Body",
      tokenRequestFormat: "json",
      nestedResponseKey: "data",
      parameterNames: { client_id: "client_key" },
      tokenParameterNames: { code: "auth_code" },
    },
    names: { client: "client_key" },
    connect: [
      {
        request: "JSON /oauth2/token/",
        params: { ...client, grant_type: grant.grant_type, auth_code: "the-code", redirect_uri },
        answer: { code: 0, message: "OK", request_id: "1", data: pair(1) },
      },
    ],
    renew: [
      {
        request: "JSON /oauth2/refresh_token/",
        params: { ...client, grant_type: "refresh_token", refresh_token: "rt-1" },
        answer: { code: 0, message: "OK", request_id: "2", data: pair(2) },
      },
    ],
  },
  "assertions whose issuer is the domain of the application": {
    definition: {
      authorizationUrl: `${ORIGIN}/app-confirm`,
      tokenUrl: `${ORIGIN}/api/1.0/auth/token`,
      useProofKeyForCodeExchange: false,
      clientAuthentication: "private_key_jwt",
      assertionIssuer: "app.example",
      assertionAudience: "https://books.example",
    },
    clientSecret: keys.privateKey,
    connect: [
      {
        request: "POST /api/1.0/auth/token",
        params: { ...grant, client_id: "app", ...assertion },
        answer: pair(1),
      },
    ],
    renew: [
      {
        request: "POST /api/1.0/auth/token",
        params: {
          grant_type: "refresh_token",
          refresh_token: "rt-1",
          client_id: "app",
          ...assertion,
        },
        answer: { access_token: "at-2", token_type: "bearer", expires_in: 2_399 },
      },
    ],
  },
  "token requests whose parameters are all in the URL": {
    definition: {
      authorizationUrl: `${ORIGIN}/oauth/authorize`,
      tokenUrl: `${ORIGIN}/oauth/token`,
      useProofKeyForCodeExchange: false,
      credentialsLocation: "Body",
      tokenRequestFormat: "query",
    },
    connect: [
      {
        request: "POST-QUERY /oauth/token",
        params: { ...grant, ...client },
        answer: pair(1),
      },
    ],
    renew: [
      {
        request: "POST-QUERY /oauth/token",
        params: { ...client, grant_type: "refresh_token", refresh_token: "rt-1" },
        answer: pair(2),
      },
    ],
  },
  "a login whose parameters are in the fragment": {
    definition: {
      authorizationUrl: `${ORIGIN}/#/oauth/authorize`,
      tokenUrl: `${ORIGIN}/api/v1/oauth/token`,
      useProofKeyForCodeExchange: false,
      credentialsLocation: "Body",
    },
    connect: [
      {
        request: "POST /api/v1/oauth/token",
        params: { ...grant, ...client },
        answer: { ...pair(1), created_at: 1_700_000_000 },
      },
    ],
    renew: [
      {
        request: "POST /api/v1/oauth/token",
        params: { ...client, grant_type: "refresh_token", refresh_token: "rt-1" },
        answer: pair(2),
      },
    ],
  },
};

// Each server is written from the documentation of a provider, not from the definition.
describe("a provider that documents", () => {
  it.each(Object.entries(SERVERS))("%s: connects and renews", async (_, documented) => {
    const { definition, clientSecret = client.client_secret, names, connect, renew } = documented;
    using folder = makeTemporaryFolder();
    const expected = [...connect, ...renew];
    const received: Omit<Expected, "answer">[] = [];
    let redirectUri = "";
    await using server = await startTokenServer(({ method, url, headers, params }) => {
      const next = expected[received.length];
      const { pathname, searchParams } = new URL(url, ORIGIN);
      const isJson = headers["content-type"]?.startsWith("application/json") === true;
      const isInUrl = method === "POST" && searchParams.size > 0;
      const kind = isJson ? "JSON" : isInUrl ? "POST-QUERY" : (method as "GET" | "POST");
      const sent: Record<string, string> = isJson
        ? (JSON.parse([...params.keys()].join("")) as Record<string, string>)
        : Object.fromEntries(method === "GET" || isInUrl ? searchParams : params);
      received.push({ request: `${kind} ${pathname}`, params: describeParams(sent, redirectUri) });
      return { body: next?.answer };
    });
    const pack = join(folder.path, "pack.ts");
    writeFileSync(
      pack,
      `import { newPack } from "packsmith";
      export const pack = newPack().addNetworkDomain("books.example")
        .setUserAuthentication(${JSON.stringify({ type: "OAuth2", ...definition })});`,
    );
    const home = join(folder.path, "home");
    mkdirSync(home, { mode: 0o700 });
    const options = {
      file: pack,
      cwd: folder.path,
      home,
      routes: [`${ORIGIN}=${server.url}`],
      redactor: createRedactor(),
    };
    await connectAccount({
      ...options,
      client: { clientId: client.client_id, clientSecret },
      browser: async (startUrl) => {
        const start = await fetch(startUrl, { redirect: "manual" });
        const login = new URL(start.headers.get("location") ?? "");
        const query = login.hash.includes("?") ? login.hash.split("?")[1] : login.search;
        const asked = new URLSearchParams(query);
        expect(asked.get(names?.client ?? "client_id")).toBe("app");
        expect(asked.get("response_type")).toBe("code");
        redirectUri = asked.get("redirect_uri") ?? "";
        const callback = new URL(redirectUri);
        callback.searchParams.set(names?.code ?? "code", "the-code");
        callback.searchParams.set("state", asked.get("state") ?? "");
        const cookie = start.headers.get("set-cookie")?.split(";")[0] ?? "";
        await fetch(callback, { headers: { cookie } });
      },
    });
    await refreshAccount(options);
    expect(received).toEqual(expected.map(({ request, params }) => ({ request, params })));
  });
});

function describeParams(
  { client_assertion, ...params }: Record<string, string>,
  redirectUri: string,
): Record<string, string> {
  if (params["redirect_uri"] === redirectUri) params["redirect_uri"] = "REDIRECT";
  if (client_assertion === undefined) return params;
  const { iss, sub, aud } = readAssertion(client_assertion).claims;
  return { ...params, client_assertion: JSON.stringify([iss, sub, aud]) };
}
