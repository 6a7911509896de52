import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AuthorityUnderTest } from "./oauthlib-server.ts";

/** A folder in which it is installed. It is no dependency of this project. */
const folder = process.env["PACKSMITH_CLIENTS"];

interface Token {
  accessToken: string;
  accessTokenExpiresAt: Date;
  refreshToken: string;
  refreshTokenExpiresAt: Date;
  scope: string[];
  client?: object;
  user?: object;
}
interface Reply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
interface Library {
  new (
    options: object,
  ): {
    authorize(request: object, response: Reply, options: object): Promise<unknown>;
    token(request: object, response: Reply, options?: object): Promise<unknown>;
    authenticate(request: object, response: Reply, options?: object): Promise<unknown>;
  };
  Request: new (given: object) => object;
  Response: new (given: object) => Reply;
}

const CLIENT = { id: "pack", secret: "secret-of-pack-0123456789" };
const USER = { id: "user" };

/** An authorization server of the package @node-oauth/oauth2-server, with an API. */
export async function startNodeOAuthServer(): Promise<AuthorityUnderTest> {
  const OAuth2Server = createRequire(join(folder ?? "/", "package.json"))(
    "@node-oauth/oauth2-server",
  ) as Library;
  const server = new OAuth2Server({ model: createModel() });
  const requests: [string, string, number][] = [];
  const listener = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
    const body = Object.fromEntries(new URLSearchParams(await text(incoming)));
    const request = new OAuth2Server.Request({
      method: incoming.method,
      headers: incoming.headers,
      query: Object.fromEntries(searchParams),
      body,
    });
    const reply = new OAuth2Server.Response({ headers: {} });
    if (pathname === "/requests") reply.body = [...requests];
    else await answer(pathname, request, reply).catch((error: unknown) => fail(reply, error));
    if (pathname !== "/requests")
      requests.push([pathname, String(body["grant_type"] ?? ""), reply.status]);
    outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    outgoing.end(JSON.stringify(reply.body ?? {}));
  });
  async function answer(path: string, request: object, reply: Reply): Promise<void> {
    const authenticateHandler = { handle: () => USER };
    if (path === "/authorize") await server.authorize(request, reply, { authenticateHandler });
    else if (path === "/token") await server.token(request, reply);
    else {
      await server.authenticate(request, reply, { scope: ["docs:read"] });
      reply.body = { name: "Node OAuth user" };
    }
  }
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url,
    readRequests: async () => [...requests],
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function fail(reply: Reply, error: unknown): void {
  const { code = 500, name, message } = error as { code?: number; name: string; message: string };
  reply.status = code;
  reply.body = { error: name, error_description: message };
}

/** Where the library keeps what it issues. */
function createModel() {
  const codes = new Map<string, Record<string, unknown> & { authorizationCode: string }>();
  const tokens = new Map<string, Token>();
  const client = {
    id: CLIENT.id,
    grants: ["authorization_code", "refresh_token"],
    redirectUris: ["http://127.0.0.1/"],
  };
  return {
    getClient: (id: string, secret: string | null) =>
      id === CLIENT.id && (secret === null || secret === CLIENT.secret) ? client : false,
    validateRedirectUri: (uri: string) => new URL(uri).hostname === "127.0.0.1",
    validateScope: (_user: unknown, _client: unknown, scope: string[] | undefined) => scope ?? [],
    saveAuthorizationCode(code: { authorizationCode: string }, owner: object, user: object) {
      const saved = { ...code, client: owner, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: (code: string) => codes.get(code),
    revokeAuthorizationCode: ({ authorizationCode }: { authorizationCode: string }) =>
      codes.delete(authorizationCode),
    saveToken(token: Token, owner: object, user: object) {
      const saved = { ...token, client: owner, user };
      tokens.set(token.accessToken, saved).set(token.refreshToken, saved);
      return saved;
    },
    getAccessToken: (text: string) => tokens.get(text),
    getRefreshToken: (text: string) => tokens.get(text),
    revokeToken: ({ refreshToken }: Token) => tokens.delete(refreshToken),
    verifyScope: ({ scope }: Token, wanted: string[]) =>
      wanted.every((each) => scope.includes(each)),
  };
}
