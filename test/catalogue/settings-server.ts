import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ProviderSettings } from "./provider-settings.ts";

// Shares no code with the project's own provider: a misreading of one is not a misreading of both.

export interface ServerOptions {
  settings: ProviderSettings;
  client: { id: string; secret: string };
  /** Fills `${…}` of the settings with what the user answers. */
  fill(text: string): string;
  /** Parameters of the callback, by name. */
  callback: Readonly<Record<string, string>>;
  /** The member with the API's address, and the address. */
  endpoint: { member: string; value: string } | undefined;
  /** Reads Basic credentials as RFC 6749 §2.3.1 writes them, or as they come. */
  decodesBasic: boolean;
  /** For clients with a certificate: that of the server, and the one to expect. */
  certificates?: { cert: string; key: string; client: string } | undefined;
}

export interface SettingsServer extends AsyncDisposable {
  origin: string;
  /** Every request that was refused, and why. */
  refusals: string[];
  /** Grants that were answered with tokens, and revocations. */
  answered: string[];
  /** Makes all access tokens invalid, before their time. */
  expireAll(): void;
  /** How long the next tokens live, in seconds. */
  setLifetime(seconds: number): void;
  /** Whether the last tokens were revoked. */
  isRevoked(): boolean;
}

interface Issued {
  token: string;
  kind: "code" | "access" | "refresh" | "unexchanged";
  expiresAtMs: number;
  /** Of a code: what its request said. */
  login?: { redirectUri: string | undefined; challenge: string | undefined };
}

type Params = ReadonlyMap<string, string>;

class Refusal extends Error {
  readonly status: number;
  readonly error: string;
  constructor(error: string, reason: string, status = 400) {
    super(reason);
    this.status = status;
    this.error = error;
  }
}

const MAX_BODY_BYTES = 100_000;
const FRAGMENT_PATH = "/catalogue-fragment";
/**
 * A page that reads the parameters in the fragment, as one of a single-page application. The
 * attribute says so to a program that runs no scripts.
 */
const FRAGMENT_PAGE = `<!doctype html><p data-packsmith-fragment="${FRAGMENT_PATH}?">Log in</p>`;
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A server that demands what the settings say, and nothing less than RFC 6749 and 7636. */
export async function startSettingsServer(options: ServerOptions): Promise<SettingsServer> {
  const state = {
    issued: new Map<string, Issued>(),
    lifetime: 3_600,
    refusals: [] as string[],
    answered: [] as string[],
    revoked: new Set<string>(),
  };
  const rules = readRules(options);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const asked = await readRequest(request);
      send(response, answerRequest(asked, rules, state, options));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      state.refusals.push(
        `${request.method} ${readPath(request)}: ${error.error}: ${error.message}`,
      );
      const body = { error: error.error, error_description: error.message };
      send(response, { status: error.status, body });
    }
  };
  const { certificates } = options;
  const server =
    certificates === undefined
      ? createServer(answer)
      : createTlsServer({ ...certificates, requestCert: true, rejectUnauthorized: false }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificates === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    refusals: state.refusals,
    answered: state.answered,
    expireAll() {
      for (const issued of state.issued.values())
        if (issued.kind === "access" || issued.kind === "unexchanged") issued.expiresAtMs = 0;
    },
    setLifetime(seconds) {
      state.lifetime = seconds;
    },
    isRevoked: () => {
      const last = [...state.issued.values()].filter(({ kind }) => kind !== "code").slice(-2);
      return last.some(({ token }) => state.revoked.has(token));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type State = {
  issued: Map<string, Issued>;
  lifetime: number;
  refusals: string[];
  answered: string[];
  revoked: Set<string>;
};

/** The settings with the answers of the user, as paths and parameters. */
function readRules({ settings, fill }: ServerOptions) {
  const paths = (text: string | undefined) =>
    (text ?? "").split(" || ").map((each) => splitUrl(fill(each)));
  const fixed = (params: Record<string, unknown> = {}) =>
    new Map(
      Object.entries(params)
        .map(([name, value]): [string, string] => [
          name,
          fill(String(value).split(" || ")[0] ?? ""),
        ])
        .filter(([, value]) => value !== ""),
    );
  const tokenParams = fixed(settings.token_params);
  const grantType = tokenParams.get("grant_type");
  tokenParams.delete("grant_type");
  tokenParams.delete("scope");
  const refreshParams = fixed(settings.refresh_params);
  refreshParams.delete("grant_type");
  return {
    authorization: paths(settings.authorization_url),
    token: paths(settings.token_url),
    refresh: paths(settings.refresh_url ?? settings.token_url),
    hasOwnRefresh:
      settings.refresh_url !== undefined && settings.refresh_url !== settings.token_url,
    isExchanged: settings.missing?.includes("LONG_LIVED_EXCHANGE") === true,
    authorizationParams: fixed(settings.authorization_params),
    tokenParams,
    refreshParams,
    grantType,
    renames: readRenames(settings),
    separator: { "+": " ", "%20": " " }[settings.scope_separator] ?? settings.scope_separator,
  };
}
/** The names of the provider, by those of RFC 6749. */
function readRenames({ param_renames: given = {} }: ProviderSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.replace(/=$/, ""), value.replace(/=$/, "")]),
  );
}

type Rules = ReturnType<typeof readRules>;

interface Address {
  path: string;
  query: Params;
}

function splitUrl(url: string): Address {
  const rest = url.replace(/^https:\/\/[^/?]*/, "").replace(/^[^/?]*/, "");
  const [path = "", query = ""] = rest.split("?", 2);
  return { path: path === "" ? "/" : path, query: uniqueParams(new URLSearchParams(query)) };
}

interface Asked {
  method: string;
  path: string;
  query: Params;
  headers: IncomingMessage["headers"];
  body: string;
  certificate: string | undefined;
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MAX_BODY_BYTES) throw new Refusal("invalid_request", "the body is too large");
  }
  const url = new URL(request.url ?? "/", "http://localhost");
  const socket = request.socket as Partial<TLSSocket>;
  const { method = "", headers } = request;
  return {
    method,
    path: url.pathname,
    query: uniqueParams(url.searchParams),
    headers,
    body,
    certificate: socket.getPeerCertificate?.().raw?.toString("base64"),
  };
}

function readPath({ url = "" }: IncomingMessage): string {
  return url.split("?")[0] ?? "";
}

function uniqueParams(params: URLSearchParams): Params {
  const unique = new Map<string, string>();
  for (const [name, value] of params) {
    if (unique.has(name)) throw new Refusal("invalid_request", `${name} appears twice`);
    unique.set(name, value);
  }
  return unique;
}

interface Answer {
  status: number;
  body?: object | string;
  headers?: Record<string, string>;
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isText = typeof body === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json",
    "cache-control": "no-store",
    ...headers,
  });
  response.end(isText || body === undefined ? body : JSON.stringify(body));
}

function answerRequest(asked: Asked, rules: Rules, state: State, options: ServerOptions): Answer {
  const { path, method } = asked;
  const isAt = (addresses: readonly Address[]) => addresses.some((each) => each.path === path);
  const { authorization_url_fragment: fragment } = options.settings;
  if (path.endsWith("/catalogue-me")) return answerCall(asked, state, options);
  if (path === "/catalogue-revoke") return answerRevocation(asked, state, options);
  if (method === "GET" && isAt(rules.authorization))
    return fragment === undefined
      ? answerLogin(asked, rules, state, options)
      : { status: 200, body: FRAGMENT_PAGE };
  if (method === "GET" && path === FRAGMENT_PATH) return answerLogin(asked, rules, state, options);
  if (isAt(rules.token) || isAt(rules.refresh)) return answerToken(asked, rules, state, options);
  throw new Refusal("not_found", "there is nothing at this path", 404);
}

/** The authorization request of a user who has logged in before (RFC 6749 §4.1.1). */
function answerLogin(
  { query }: Asked,
  rules: Rules,
  state: State,
  { settings, client, callback }: ServerOptions,
): Answer {
  const { renames, authorizationParams } = rules;
  const findName = (name: string) => renames[name] ?? name;
  const [address] = rules.authorization;
  const allowed = new Set([...authorizationParams.keys(), ...(address?.query.keys() ?? [])]);
  for (const name of ["client_id", "redirect_uri", "response_type", "state"])
    allowed.add(findName(name));
  for (const name of ["scope", "code_challenge", "code_challenge_method", "nonce"])
    allowed.add(name);
  refuseOthers(query, allowed);
  demand(query, findName("client_id"), client.id);
  demandAll(query, authorizationParams);
  demandAll(query, address?.query ?? new Map());
  const responseType = findName("response_type");
  if (responseType === "" && query.has("response_type"))
    throw new Refusal("invalid_request", "response_type is not known");
  if (responseType !== "" && !authorizationParams.has(responseType))
    demand(query, responseType, "code");
  const sent = query.get(findName("state")) ?? "";
  if (sent.length < 22) throw new Refusal("invalid_request", "the state can be guessed");
  if (!authorizationParams.has("scope")) demandScopes(query, rules.separator);
  const redirectUri = readRedirect(query.get(findName("redirect_uri")));
  const challenge = query.get("code_challenge");
  if (settings.pkce === true) demand(query, "code_challenge_method", "S256");
  if (settings.pkce === true && challenge?.length !== 43)
    throw new Refusal("invalid_request", "there is no code_challenge of S256");
  if (settings.pkce === false && challenge !== undefined)
    throw new Refusal("invalid_request", "code_challenge is not known");
  const code = issue(state, "code", 60);
  code.login = { redirectUri: redirectUri.href, challenge };
  const target = new URL(redirectUri);
  target.searchParams.set(settings.code_param ?? "code", code.token);
  target.searchParams.set("state", sent);
  for (const [name, value] of Object.entries(callback)) target.searchParams.set(name, value);
  return { status: 302, headers: { location: target.href } };
}

function readRedirect(text: string | undefined): URL {
  const url = URL.canParse(text ?? "") ? new URL(text ?? "") : undefined;
  if (url?.protocol !== "http:" || url.hostname !== "127.0.0.1" || url.search !== "")
    throw new Refusal("invalid_request", "the redirect URI is not registered");
  return url;
}

function demandScopes(params: Params, separator: string): void {
  const scopes = params.get("scope")?.split(separator) ?? [];
  if (scopes.length < 2 || scopes.some((scope) => scope === "" || /[\s,;]/.test(scope)))
    throw new Refusal("invalid_scope", `scopes are separated by "${separator}"`);
}

function refuseOthers(params: Params, allowed: ReadonlySet<string>): void {
  for (const name of params.keys())
    if (!allowed.has(name)) throw new Refusal("invalid_request", `${name} is not known`);
}

function demandAll(params: Params, wanted: Params): void {
  for (const [name, value] of wanted) demand(params, name, value);
}

function demand(params: Params, name: string, value: string): void {
  const given = params.get(name);
  if (given !== value)
    throw new Refusal(
      "invalid_request",
      `${name} is ${given === undefined ? "missing" : "not what it must be"}`,
    );
}

function issue(state: State, kind: Issued["kind"], lifetime: number): Issued {
  const token = randomBytes(24).toString("base64url");
  const issued: Issued = { token, kind, expiresAtMs: Date.now() + lifetime * 1_000 };
  state.issued.set(token, issued);
  return issued;
}

/** A token that exists, is valid, and is of one of these kinds. */
function take(state: State, token: string | undefined, ...kinds: Issued["kind"][]): Issued {
  const issued = state.issued.get(token ?? "");
  const isValid =
    issued !== undefined &&
    kinds.includes(issued.kind) &&
    issued.expiresAtMs > Date.now() &&
    !state.revoked.has(issued.token);
  if (!isValid) throw new Refusal("invalid_grant", "this one is not valid");
  return issued;
}

/** All token requests (RFC 6749 §4.1.3, §4.4.2, §6), in the format of the settings. */
function answerToken(asked: Asked, rules: Rules, state: State, options: ServerOptions): Answer {
  const { settings, client } = options;
  const params = readTokenParams(asked, settings.body_format);
  const grant = params.get("grant_type") ?? "";
  for (const [name, value] of Object.entries(settings.token_headers ?? {})) {
    const isUsual = /^(?:accept|content-type)$/i.test(name);
    if (isUsual || value.includes("$")) continue;
    if (asked.headers[name.toLowerCase()] !== value)
      throw new Refusal("invalid_request", `the header ${name} is missing`);
  }
  const known = new Set(["grant_type", ...authenticate(asked, params, options)]);
  const use = (...names: string[]) => {
    for (const name of names) known.add(rules.renames[name] || name).add(name);
  };
  const refreshes = grant === "refresh_token" && settings.mode === "code";
  const addresses = refreshes ? rules.refresh : rules.token;
  const address = addresses.find(({ path }) => path === asked.path);
  if (address === undefined) throw new Refusal("not_found", "tokens are issued elsewhere", 404);
  for (const [name, value] of address.query) {
    demand(asked.query, name, value);
    known.add(name);
  }
  let result: Record<string, unknown>;
  if (rules.isExchanged && grant === EXCHANGE) {
    use("subject_token", "subject_token_type");
    take(state, params.get("subject_token"), "unexchanged");
    result = { access_token: issue(state, "access", state.lifetime).token };
  } else if (refreshes) {
    use("refresh_token", "scope", ...rules.refreshParams.keys());
    demandAll(params, rules.refreshParams);
    const old = take(state, params.get("refresh_token"), "refresh");
    state.issued.delete(old.token);
    result = tokens(state, rules, true);
    if (settings.refresh_keeps_token === true) {
      for (const issued of state.issued.values())
        if (issued.kind === "access") issued.expiresAtMs = Date.now() + state.lifetime * 1_000;
      delete result["access_token"];
    }
  } else if (settings.mode === "code") {
    use("code", "redirect_uri", "code_verifier", ...rules.tokenParams.keys());
    demand(params, "grant_type", rules.grantType ?? "authorization_code");
    demandAll(params, withoutState(rules.tokenParams));
    checkCode(params, rules, state);
    result = tokens(state, rules, true);
  } else {
    use("scope", ...rules.tokenParams.keys());
    demand(params, "grant_type", rules.grantType ?? "client_credentials");
    demandAll(params, rules.tokenParams);
    demandScopes(params, rules.separator);
    result = tokens(state, rules, false);
  }
  if (client.id !== "") refuseOthers(params, known);
  state.answered.push(grant);
  const unit = settings.expires_in_unit === "milliseconds" ? 1_000 : 1;
  if (!settings.uses?.includes("NO_EXPIRES_IN")) result["expires_in"] = state.lifetime * unit;
  result["token_type"] = "Bearer";
  return { status: 200, body: shape(result, options) };
}

/** `${state}` is that of the login, which this server does not compare. */
function withoutState(params: Params): Params {
  return new Map([...params].filter(([, value]) => !/^\$\{state\}$/.test(value)));
}

function checkCode(params: Params, rules: Rules, state: State): void {
  const code = take(state, params.get("code"), "code");
  state.issued.delete(code.token);
  const { redirectUri, challenge } = code.login ?? {};
  const name = rules.renames["redirect_uri"] ?? "redirect_uri";
  if (name !== "" && ![params.get(name), params.get("redirect_uri")].includes(redirectUri))
    throw new Refusal("invalid_grant", "the redirect URI is another one");
  const verifier = params.get("code_verifier");
  const digest = createHash("sha256")
    .update(verifier ?? "")
    .digest("base64url");
  if (challenge === undefined ? verifier !== undefined : digest !== challenge)
    throw new Refusal("invalid_grant", "the code verifier does not fit");
}

function tokens(state: State, rules: Rules, isRenewable: boolean): Record<string, unknown> {
  const kind = rules.isExchanged ? "unexchanged" : "access";
  return {
    access_token: issue(state, kind, state.lifetime).token,
    ...(isRenewable ? { refresh_token: issue(state, "refresh", 86_400).token } : {}),
  };
}

/** The members where and as the settings have them. */
function shape(members: Record<string, unknown>, { settings, endpoint }: ServerOptions): object {
  const { access_token_name: name, nested_token_path: nested } = settings;
  const named = { ...members };
  if (name !== undefined && named["access_token"] !== undefined) {
    named[name] = named["access_token"];
    delete named["access_token"];
  }
  const extras = Object.fromEntries(
    (settings.token_response_extras ?? []).map((extra) => [extra, `sample ${extra}`]),
  );
  const own = endpoint === undefined ? {} : { [endpoint.member]: endpoint.value };
  const path = nested?.replace(/\.?access_token$/, "") ?? "";
  const beside = { ...extras, ...own };
  if (path === "") return { ...named, ...beside };
  return path
    .split(".")
    .reverse()
    .reduce<object>(
      (inner, key, index) => ({ [key]: inner, ...(index === 0 ? beside : {}) }),
      named,
    );
}

function readTokenParams(asked: Asked, format: ProviderSettings["body_format"]): Params {
  if (asked.method !== "POST") throw new Refusal("invalid_request", "the method is not POST", 405);
  const type = asked.headers["content-type"]?.split(";")[0];
  if (format === "query") {
    if (asked.body !== "") throw new Refusal("invalid_request", "the parameters belong in the URL");
    return asked.query;
  }
  const wanted = format === "json" ? "application/json" : "application/x-www-form-urlencoded";
  if (type !== wanted) throw new Refusal("invalid_request", `the body is not ${wanted}`, 415);
  if (format === "form") return uniqueParams(new URLSearchParams(asked.body));
  const members = Object.entries(JSON.parse(asked.body) as Record<string, unknown>);
  return new Map(members.map(([name, value]) => [name, String(value)]));
}

/**
 * Checks who asks, and that nothing else of a request does.
 * @returns the parameters that it used
 */
function authenticate(asked: Asked, params: Params, options: ServerOptions): string[] {
  const { settings, client, decodesBasic, certificates } = options;
  const { authorization } = asked.headers;
  const refuse: (reason: string) => never = (reason) => {
    throw new Refusal("invalid_client", reason, 401);
  };
  const basic = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
  const [user = "", password = ""] = split(Buffer.from(basic ?? "", "base64").toString());
  const inHeader = ["basic", "basic_secret_as_user"].includes(settings.client_auth);
  if (inHeader !== (authorization !== undefined)) refuse("credentials are in the wrong place");
  if (inHeader && params.has("client_secret")) refuse("credentials are in two places");
  const decode = (text: string) => {
    try {
      return decodesBasic ? decodeURIComponent(text.replaceAll("+", " ")) : text;
    } catch {
      return refuse("the credentials are not form-encoded");
    }
  };
  const [id, secret] =
    settings.client_auth === "custom_names"
      ? ["sample_user", "sample_key"]
      : [readRenames(settings)["client_id"] || "client_id", "client_secret"];
  switch (settings.client_auth) {
    case "basic":
      if (decode(user) !== client.id || decode(password) !== client.secret)
        refuse("the client is unknown");
      return [];
    case "basic_secret_as_user":
      if (user !== client.secret || password !== "") refuse("the secret is not the user");
      return [];
    case "none":
      demand(params, "client_id", client.id);
      return ["client_id"];
    case "tls":
      demand(params, "client_id", client.id);
      if (asked.certificate !== certificates?.client) refuse("the certificate is another one");
      return ["client_id"];
    default: {
      // RFC 7009 knows no other names; here one may be as good as the other.
      const given = [
        params.get(id) ?? params.get("client_id"),
        params.get(secret) ?? params.get("client_secret"),
      ];
      if (given[0] !== client.id || given[1] !== client.secret) refuse("the client is unknown");
      return [id, "client_id", secret];
    }
  }
}

function split(text: string): string[] {
  const index = text.indexOf(":");
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function answerRevocation(asked: Asked, state: State, options: ServerOptions): Answer {
  if (asked.method !== "POST") throw new Refusal("invalid_request", "the method is not POST", 405);
  const params = uniqueParams(new URLSearchParams(asked.body));
  authenticate(asked, params, options);
  const token = params.get("token") ?? "";
  if (!state.issued.has(token)) throw new Refusal("invalid_request", "this token was never issued");
  state.revoked.add(token);
  state.answered.push("revocation");
  return { status: 200 };
}

/** The API: the token in the header of the settings, and nowhere else. */
function answerCall(asked: Asked, state: State, { settings }: ServerOptions): Answer {
  const { token_header: header } = settings;
  const value = asked.headers[header?.toLowerCase() ?? "authorization"];
  const token = header === undefined ? /^Bearer (\S+)$/.exec(String(value))?.[1] : String(value);
  try {
    take(state, token, "access");
  } catch {
    throw new Refusal("invalid_token", "the token is not valid here", 401);
  }
  return { status: 200, body: { name: "catalogue user" } };
}
