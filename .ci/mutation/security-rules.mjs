// Each entry breaks the code of one security rule: [rule, file in src, text, replacement]. The text
// occurs once in the file. It may be on other lines there: white space, and a comma before a closing
// bracket, do not count.

const CALLBACK = "connect/callback/callback-server.ts";
const ADDRESS = "connect/callback/callback-address.ts";
const ATTEMPTS = "connect/callback/pending-attempts.ts";
const FLOW_RESULT = "connect/callback/flow-result.ts";
const START_LINKS = "connect/callback/start-links.ts";
const ATTEMPT = "oauth/connect/authorization-attempt.ts";
const REQUEST_VALUES = "oauth/connect/request-values.ts";
const REQUEST = "oauth/connect/authorization-request.ts";
const URLS = "oauth/url-policy.ts";
const SEND = "oauth/send.ts";
const RUN = "oauth/run-step.ts";
const PROOF_KEY = "oauth/connect/proof-key.ts";
const RENEW = "accounts/renew-account.ts";
const EXCHANGE = "oauth/connect/code-exchange.ts";
const NEXT_REQUEST = "execute/fetch/next-request.ts";
const POLICY = "execute/fetch/fetch-policy.ts";
const HOSTS = "define/hosts.ts";
const VAULT_KEY = "accounts/vault-key.ts";
const WRITES = "accounts/account-writes.ts";
const PENDING = "accounts/pending-tokens.ts";
const REDACT = "shared/redact.ts";
const MATCHER = "shared/secret-matcher.ts";
const VIEWS = "shared/decoded-views.ts";
const RESPONSE = "execute/fetch/fetch-response.ts";
const LOOPBACK = "shared/loopback-server.ts";
const CLIENT = "oauth/client-authentication.ts";
const BOUNDARY = "bundle/file-boundary.ts";
const SPECIAL_FILES = "bundle/special-files.ts";
const PROJECT = "shared/project-boundary.ts";
const ACCOUNT_HOSTS = "accounts/account-hosts.ts";
const PLAN = "connect/plan-code-flow.ts";
const REDIRECT = "connect/redirect-path.ts";
const CODE_FLOW = "connect/code-flow.ts";
const CONTROL = "service/local/control/control-plane.ts";

/** The tests that must notice a change of a file. */
export const TESTS = {
  [CALLBACK]: ["connect/callback/callback-server"],
  [ADDRESS]: ["connect/callback/callback-server"],
  [ATTEMPTS]: ["connect/callback/callback-server"],
  [FLOW_RESULT]: ["connect/callback/callback-server"],
  [START_LINKS]: ["connect/callback/callback-server"],
  [ATTEMPT]: ["oauth/connect/authorization-attempt"],
  [REQUEST_VALUES]: ["oauth/connect/authorization-attempt"],
  [REQUEST]: ["oauth/connect/authorization-attempt"],
  [PROOF_KEY]: ["oauth/connect/authorization-attempt", "oauth/connect/proof-key"],
  [RENEW]: ["accounts/account-session", "accounts/renew"],
  [URLS]: ["oauth/url-policy", "oauth/send-request", "oauth/hostile-members"],
  [SEND]: ["oauth/run-step"],
  [RUN]: ["oauth/run-step"],
  [EXCHANGE]: ["oauth/connect/authorization-attempt"],
  [NEXT_REQUEST]: ["execute/fetch"],
  [POLICY]: ["execute/fetch"],
  "execute/fetch/transport.ts": ["execute/fetch"],
  [HOSTS]: ["define/hosts"],
  [VAULT_KEY]: [
    "accounts/vault",
    "accounts/account-session",
    "regressions/refresh-during",
    "regressions/account-over",
  ],
  [WRITES]: [
    "accounts/vault",
    "accounts/account-session",
    "regressions/refresh-during",
    "regressions/account-over",
  ],
  [PENDING]: [
    "accounts/vault",
    "accounts/account-session",
    "regressions/refresh-during",
    "regressions/account-over",
  ],
  "shared/crypto.ts": ["shared/crypto", "accounts/vault"],
  "accounts/private-file.ts": ["accounts/vault"],
  "accounts/key-file.ts": ["accounts/vault"],
  "accounts/kept-responses.ts": ["accounts/kept-responses"],
  "accounts/account-session.ts": ["accounts/account-session"],
  "oauth/run/token-lifecycle.ts": ["oauth/run/token-lifecycle"],
  "oauth/token-set.ts": ["oauth/token-set", "oauth/run", "accounts/account"],
  "oauth/response-body.ts": ["oauth/run-step", "oauth/response-body"],
  "oauth/send-out.ts": ["oauth/send-out"],
  "oauth/send-request.ts": ["oauth/send-request"],
  "oauth/routes.ts": ["oauth/routes", "execute/fetch/fetcher"],
  [REDACT]: ["shared/redact"],
  [MATCHER]: ["shared/secret-matcher", "shared/redact", "execute/fetch/masked-encodings"],
  [VIEWS]: ["shared/secret-matcher", "shared/redact", "execute/fetch/masked-encodings"],
  "shared/decoded-view.ts": [
    "shared/secret-matcher",
    "shared/redact",
    "execute/fetch/masked-encodings",
  ],
  [RESPONSE]: ["execute/fetch/echoed-tokens", "execute/fetch/fetcher"],
  [LOOPBACK]: ["shared/loopback-server"],
  [CLIENT]: ["oauth/client-authentication"],
  [BOUNDARY]: ["bundle/file-boundary"],
  [SPECIAL_FILES]: ["bundle/file-boundary"],
  [PROJECT]: ["shared/project-boundary", "bundle/file-boundary"],
  [ACCOUNT_HOSTS]: ["accounts/account-hosts"],
  [PLAN]: ["connect/mix-up"],
  [REDIRECT]: ["connect/mix-up"],
  [CODE_FLOW]: ["connect/mix-up"],
  [CONTROL]: ["service/local/service"],
  "service/local/api/app.ts": ["service/local/service"],
};

export const RULES = [
  [
    2,
    ADDRESS,
    'if (others.length === 0 || !isPackError(error, "PORT_IN_USE")) throw error;',
    "if (others.length === 0) return await listenOn(0);",
  ],
  [3, ADDRESS, "const origin = outside?.origin ?? ", "const origin = "],
  [4, CALLBACK, 'if (hosts.has(request.headers.host ?? "")) return next();', "return next();"],
  [
    7,
    ATTEMPTS,
    'sameSecret(cookies.get(cookieName(id)) ?? "", cookie)',
    "cookies.has(cookieName(id))",
  ],
  [7, CALLBACK, "if (own.size === 0) return", "if (false) return"],
  [7, ATTEMPTS, "httpOnly: true,", "httpOnly: false,"],
  [7, ATTEMPTS, 'sameSite: "lax"', 'sameSite: "none"'],
  [5, CALLBACK, "setTimeout(() => void close(), RESULT_PAGE_MS).unref();", ""],
  [5, CALLBACK, "result.interrupt(signal);\n    void close();", "result.interrupt(signal);"],
  [
    5,
    LOOPBACK,
    "        server.closeAllConnections();\n        for (const socket of sockets) socket.destroy();\n",
    "",
  ],
  [1, LOOPBACK, "server.listen(port, host);", "server.listen(port);"],
  [6, CALLBACK, "states.length === 1 && sameSecret", "sameSecret"],
  [6, CALLBACK, 'sameSecret(states[0] ?? "", state)', "true"],
  [8, ATTEMPTS, "pending.delete(id);", ""],
  [
    11,
    CALLBACK,
    "await result.complete(query, attempt);",
    "await result.complete(query, attempt);\n    if (result.page) return sendPage(response, 200, result.page, getNonce(response));",
  ],
  [
    11,
    FLOW_RESULT,
    "await Promise.race([completion, elsewhere ?? completion]);",
    "await completion;",
  ],
  [12, CALLBACK, '"Cache-Control": "no-store",', ""],
  [12, CALLBACK, '"Referrer-Policy": "no-referrer",', ""],
  [12, CALLBACK, "default-src 'none'", "default-src 'self'"],
  [12, CALLBACK, "frame-ancestors 'none'", "frame-ancestors 'self'"],
  [12, CALLBACK, '"X-Content-Type-Options": "nosniff",', ""],
  [12, CALLBACK, '"Cross-Origin-Opener-Policy": "same-origin",', ""],
  [16, CALLBACK, 'if (request.method === "HEAD") return', "if (false) return"],
  [17, START_LINKS, " || !keys.wasCreated(key)", ""],
  [17, START_LINKS, "isEmbedded || ", ""],
  [17, START_LINKS, "keys.use(key) || isSameBrowser", "true"],
  [40, CALLBACK, "if (++callbacks > MAX_CALLBACKS)", "if (false)"],
  [40, CALLBACK, "if (++attempts > MAX_ATTEMPTS)", "if (false)"],

  [14, CALLBACK, 'app.enable("case sensitive routing");', ""],
  [14, CALLBACK, 'app.enable("strict routing");', ""],
  [14, PLAN, 'redirect.sharing === "unnamed" || ', ""],
  [14, PLAN, "isStrict ? own === tokenUrl : sameOrigin", "sameOrigin"],
  [14, PLAN, "(isOrigin || !isStrict) && sameOrigin", "sameOrigin"],
  [14, CODE_FLOW, "namesIssuer: namedIssuer,", "namesIssuer: true,"],
  [14, REDIRECT, 'if (!registered.namesIssuer) return "unnamed";', ""],
  [14, REDIRECT, "of await vault.listRedirects()", "of []"],

  [6, REQUEST_VALUES, "const RANDOM_BYTES = 32;", "const RANDOM_BYTES = 12;"],
  [8, ATTEMPT, "if (hasEnded) throw createReplayError();", ""],
  [9, PROOF_KEY, 'clientSecret === "" || ', ""],
  [9, PROOF_KEY, 'method === "plain" ? verifier :', "true ? verifier :"],
  [9, EXCHANGE, "...(codeVerifier === undefined ? {} : { pkceCodeVerifier: codeVerifier }),", ""],
  [34, EXCHANGE, "...(nonce === undefined ? {} : { expectedNonce: nonce }),", ""],
  [41, EXCHANGE, 'params.set("redirect_uri", exchange.redirectUri);', ""],

  [
    6,
    REQUEST,
    'received.length === 1 && sameSecret(received[0] ?? "", state)',
    "received.length === 1",
  ],
  [6, REQUEST, "received.length === 1 && ", ""],
  [6, REQUEST, "  checkState(query, state);\n", ""],
  [14, REQUEST, '  checkIssuer(query.get("iss"), server);\n', ""],
  [14, REQUEST, "received === null && !isRequired", "received === null"],
  [15, REQUEST, "if (query.getAll(name).length > 1) throw", "if (false) throw"],
  [
    38,
    REQUEST,
    "if (RESERVED_AUTHORIZATION_PARAMS.includes(name.toLowerCase())) throw createReservedError(name);",
    "",
  ],
  [38, REQUEST, "includes(name.toLowerCase())", "includes(name)"],

  [18, URLS, 'if (url.protocol === "http:" && !loopback)', "if (false)"],
  [
    19,
    URLS,
    'if (url.username !== "" || url.password !== "" || /^[^/?#]*\\/\\/[^/?#]*@/.test(text))',
    "if (false)",
  ],
  [19, URLS, "if (isIP(bareHost(url)) !== 0 && written !== url.hostname)", "if (false)"],
  [19, URLS, "if (isIP(bareHost(url)) !== 0 && !isPublicAddress(bareHost(url)))", "if (false)"],
  [19, URLS, "return isLocal && ", "return false && "],
  [19, URLS, 'if (url.port !== "" && Number(url.port) < 1024)', "if (false)"],
  [19, URLS, 'if (text.includes("#"))', "if (false)"],
  [
    19,
    URLS,
    "addresses.find((address) => !isPublicAddress(address))",
    "addresses.slice(0, 1).find((address) => !isPublicAddress(address))",
  ],
  [19, URLS, '["169.254.0.0", 16],', ""],
  [19, URLS, '["100.64.0.0", 10],', ""],
  [19, URLS, "/^::ffff:(\\d+\\.\\d+\\.\\d+\\.\\d+)$/i.exec(address)?.[1] ?? address", "address"],
  [
    19,
    URLS,
    'return version === 6 && GLOBAL_IPV6.check(mapped, "ipv6") && ',
    "return version === 6 && ",
  ],
  [
    19,
    "oauth/send-request.ts",
    "...(publicOnly === undefined ? {} : { lookup: lookupOfSockets(publicOnly) })",
    "",
  ],
  [
    19,
    "oauth/send-request.ts",
    "if (request.publicOnly !== undefined && isIP(host) !== 0) await",
    "if (false) await",
  ],
  [24, "oauth/send-request.ts", 'outgoing.on("error", (error) => message.destroy(error));', ""],
  [
    19,
    "oauth/send-out.ts",
    "if (publicOnly !== undefined) await resolvePublicAddresses(bareHost(new URL(url)), publicOnly);",
    "",
  ],
  [23, "oauth/send-out.ts", 'redirect: "manual"', 'redirect: "follow"'],
  [19, "oauth/routes.ts", "if (!isLoopbackHost(new URL(to).host)) throw", "if (false) throw"],

  [18, SEND, "const url = checkUrl(request.url);", "const url = new URL(request.url);"],
  [24, SEND, "return Promise.race([outcome, expired]);", "return outcome;"],
  [24, "oauth/response-body.ts", "if (size > maxBodyBytes) throw", "if (false) throw"],
  [24, "oauth/response-body.ts", "if (++depth > maxDepth) return true;", "++depth;"],
  [
    25,
    SEND,
    "for (const [name, value] of request.params) if (isSecretParam(name)) redactor.add(value);",
    "",
  ],
  [
    28,
    RUN,
    "redactor.add(secret);\n        await run.onPendingTokens?.(received);",
    "redactor.add(secret);",
  ],

  [
    21,
    POLICY,
    "if (!mayCarryCredentials || accounts.length === 0) return undefined;",
    "if (accounts.length === 0) return undefined;",
  ],
  [22, NEXT_REQUEST, "if (redirects === MAX_REDIRECTS)", "if (redirects === 50)"],
  [
    22,
    NEXT_REQUEST,
    "policy.resolveRedirect(target, hop.url)",
    "policy.resolveRedirect(location, hop.url)",
  ],
  [
    22,
    POLICY,
    "mayCarryCredentials: hop.mayCarryCredentials && isSameOrigin,",
    "mayCarryCredentials: isSameOrigin,",
  ],
  [
    22,
    POLICY,
    "mayCarryCredentials: hop.mayCarryCredentials && isSameOrigin,",
    "mayCarryCredentials: hop.mayCarryCredentials,",
  ],
  [22, POLICY, "return isSameOrigin || SAFE_HEADERS.has(lower);", "return true;"],
  [22, POLICY, "const dropsBody = becomesGet || !isSameOrigin;", "const dropsBody = becomesGet;"],
  [21, POLICY, "if (!isAllowed(url.host, declared, endpointHosts)) {", "if (false) {"],
  [18, POLICY, "if (!isSecure) throw", "if (false) throw"],
  [19, POLICY, 'if (url.username !== "" || url.password !== "") throw', "if (false) throw"],
  [
    21,
    POLICY,
    "isAllowed(host, listCredentialDomains(declared, authentication), own)",
    "isAllowed(host, declared, own)",
  ],
  [
    19,
    "execute/fetch/transport.ts",
    "const publicOnly = mayBeLocal ? undefined : lookup;",
    "const publicOnly = undefined;",
  ],
  [
    19,
    "execute/fetch/transport.ts",
    "if (isLoopbackHost(host) && !mayBeLocal && replacement === undefined) throw",
    "if (false) throw",
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source file
  [20, HOSTS, "name.endsWith(`.${wanted}`)", "name.endsWith(wanted)"],
  [20, HOSTS, '.replace(/\\.$/, "");', ";"],
  [20, HOSTS, "    .toLowerCase()\n", ""],
  [20, HOSTS, "|| dots)", ")"],
  [
    18,
    HOSTS,
    'if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.host)))',
    "if (false)",
  ],

  [25, REDACT, "byName && isSecretName(key) && member", "false && member"],
  [25, MATCHER, "secret.length < MIN_SECRET_LENGTH", "secret.length < 16"],
  [25, MATCHER, "for (const needle of listDigits(secret)) addNeedle(needle, label, true);", ""],
  [25, MATCHER, "if (!canHold(view, needle)) continue;", ""],
  [25, MATCHER, "Buffer.from(littleEndian).swap16(),", ""],
  [25, MATCHER, "...listBase64(utf16),", ""],
  [
    25,
    MATCHER,
    "[text, encodeURIComponent(text), new URLSearchParams({ s: text }).toString().slice(2)]",
    "[text]",
  ],
  [25, MATCHER, "return [0, 1, 2].flatMap(", "return [0, 1].flatMap("],
  [25, MATCHER, "offset === 0 ? 0 : offset + 1", "0"],
  [
    25,
    MATCHER,
    'return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];',
    "return [inner];",
  ],
  [25, MATCHER, "...hex.map((form) => form.toUpperCase()),", ""],
  [25, MATCHER, 'text.replaceAll(" ", "+")', "text"],
  [25, MATCHER, "step <= shortest - 4", "step <= shortest - 5"],
  [25, MATCHER, "matched = borders[matched - 1] as number;\n    const", "matched = 0;\n    const"],
  [
    25,
    MATCHER,
    "while (length > 0 && bytes[index] !== bytes[length]) length = borders[length - 1] as number;",
    "if (bytes[index] !== bytes[length]) length = 0;",
  ],
  [25, MATCHER, "last[1] = end;", ";"],
  [25, MATCHER, "last.end = Math.max(last.end, range.end)", "last.end = range.end"],
  [
    25,
    MATCHER,
    "{ start: place[0], end: place[1], label: needle.label }",
    "{ start: found[0], end: found[1], label: needle.label }",
  ],
  [43, VIEWS, "yield* decodeWith([...others, withoutQuotedPrintable], view);", ""],
  [43, VIEWS, "yield* decodeWith([withoutQuotedPrintable], plain);", ""],
  [43, VIEWS, "yield* digitViews(plain, longest);", ""],
  [43, VIEWS, "  withoutReferences,\n", ""],
  [43, VIEWS, "times < MAX_REPEATS", "times < 1"],
  [
    43,
    "shared/decoded-view.ts",
    "parent.locate(this.#place(start), this.#place(end))",
    "[this.#place(start), this.#place(end)]",
  ],
  [43, VIEWS, "letter >= 0x61 && letter <= 0x66", "byte >= 0x61 && byte <= 0x66"],
  [43, VIEWS, "CONTROLS[escaped] ?? escaped", "escaped"],
  [43, VIEWS, "return low >= 0xdc00 && low <= 0xdfff", "return false"],
  [
    43,
    RESPONSE,
    'for (const { start, end } of tokens.find(bytes)) bytes.fill("*", start, end);',
    "",
  ],
  [
    43,
    RESPONSE,
    'shown.map(([name, value]) => [name, maskTokens(Buffer.from(value, "latin1"), tokens).toString("latin1")] as const)',
    "shown",
  ],
  [43, RESPONSE, ".filter(([name]) => !HIDDEN_HEADERS.has(name))", ""],
  [43, RESPONSE, "isSecretName(name) ? [body] : []", "isSecretName(name) ? [] : []"],
  [25, "oauth/token-set.ts", '["accessToken", "refreshToken", "extra", "dpopKey"]', "[]"],
  [37, CLIENT, '  headers.delete("authorization");\n', ""],
  [37, CLIENT, '  params.delete("client_secret");\n', ""],
  [37, CLIENT, "if (!refusedClient) throw error;", ""],

  [26, "accounts/private-file.ts", "if (stats.isSymbolicLink()) throw", "if (false) throw"],
  [26, "accounts/private-file.ts", "(mode & 0o077) !== 0", "false"],
  [26, "accounts/private-file.ts", "(mode & 0o022) !== 0", "false"],
  [
    26,
    "accounts/key-file.ts",
    'openSync(temporary, "wx", 0o600)',
    'openSync(temporary, "wx", 0o644)',
  ],
  [26, "accounts/kept-responses.ts", "{ mode: 0o600 }", "{ mode: 0o644 }"],
  [27, "shared/crypto.ts", "JSON.stringify([FORMAT, ...context])", "FORMAT"],
  [
    27,
    "shared/crypto.ts",
    "const nonce = randomBytes(NONCE_BYTES);",
    "const nonce = Buffer.alloc(NONCE_BYTES);",
  ],
  [
    27,
    "accounts/kept-responses.ts",
    "seal(key, context(id), JSON.stringify(kept))",
    "JSON.stringify(kept)",
  ],
  [
    27,
    VAULT_KEY,
    'if (check === undefined || open(key, ["check"], check) !== KEY_CHECK) throw',
    "if (false) throw",
  ],
  [
    28,
    WRITES,
    "if (fence !== undefined && row.version !== fence.version) throw",
    "if (false) throw",
  ],
  [
    28,
    PENDING,
    '(fence === undefined ? update : update.where("version", "=", fence.version))',
    "update",
  ],
  [
    28,
    PENDING,
    "await kept.keep(id, { pending, version: fence.version }).catch(() => {\n          throw error;\n        });",
    "throw error;",
  ],
  [28, PENDING, "local !== undefined && local.version === row?.version", "local !== undefined"],
  [28, WRITES, "if (renewed) kept.forget(id);", ""],
  [28, RENEW, 'code === "invalid_grant" || ', ""],
  [28, RENEW, "!needsUser", "false"],
  [28, RENEW, "    await vault.saveTokens(key, renewed);\n", ""],
  [
    28,
    "oauth/token-set.ts",
    "refreshToken: renewed.refreshToken ?? previous.refreshToken,",
    "refreshToken: renewed.refreshToken,",
  ],
  [28, "oauth/run/token-lifecycle.ts", "if (isFresh(stored)) return stored;\n      const", "const"],
  [
    36,
    "oauth/token-set.ts",
    "tokenSet.expiresAtMs - leewayMs <= nowMs",
    "tokenSet.expiresAtMs <= nowMs",
  ],

  [27, BOUNDARY, "if (boundary.isVaultFile(target)) return undefined;", ""],
  [27, BOUNDARY, "if (isOwn && (home === undefined || installed !== undefined))", "if (isOwn)"],
  [
    27,
    BOUNDARY,
    "home === undefined || !isInside(home, link) || isInside(home, folder) ? folder : undefined",
    "folder",
  ],
  [27, BOUNDARY, "if (foreign.length === 0) return error;", "return error;"],
  [27, BOUNDARY, "known[index] === false ? null : text", "text"],
  [
    27,
    PROJECT,
    "roots.some((folder) => isInside(folder, path)) && !isVaultFile(path)",
    "roots.some((folder) => isInside(folder, path))",
  ],
  [27, PROJECT, "  if (boundary.includes(target)) return;\n", "  return;\n"],
  [27, PROJECT, "links < MAX_LINKS ? linkTarget", "links > MAX_LINKS ? linkTarget"],
  [27, PROJECT, "{ root: projectRoot(dirname(owner)) }", "{}"],
  [
    27,
    BOUNDARY,
    "if (!allowed.has(path) && !refused.has(path)) refused.set",
    "if (false) refused.set",
  ],
  [27, BOUNDARY, "if (isInside(folder, readRealPath(homedir()))) return undefined;", ""],
  [27, SPECIAL_FILES, 'if (isMadeUp(path)) return { contents: "", loader: "empty" };', ""],
  [27, SPECIAL_FILES, " || !isInside(home, realPath(file))", ""],
  [27, PROJECT, "!isInside(realPath(folder), home)", "true"],
  [21, ACCOUNT_HOSTS, "if (beyond.length > 0) throw", "if (false) throw"],
  [21, ACCOUNT_HOSTS, "...(endpointHost === undefined ? [] : [endpointHost]),", ""],
  [21, RENEW, "    requireKnownEndpoint(account, renewed);\n", ""],
  [21, ACCOUNT_HOSTS, "...wanted.credentialDomains.filter(isBeyond(credentialDomains)),", ""],
  [
    21,
    ACCOUNT_HOSTS,
    "...wanted.tokenOrigins.filter((origin) => !sealed.tokenOrigins.includes(origin)),",
    "",
  ],
  [
    21,
    ACCOUNT_HOSTS,
    "...(wanted.networkDomains ?? []).filter(isBeyond([...credentialDomains, ...networkDomains])),",
    "",
  ],
  [
    21,
    ACCOUNT_HOSTS,
    "[filled.tokenUrl ?? server?.tokenUrl, ...own, filled.tokenExchange?.url, server?.revocationUrl]",
    "[filled.tokenUrl]",
  ],
  [17, CONTROL, "if (!sameSecret(key, options.key)) {", "if (false) {"],
  [17, CONTROL, "headers.origin === undefined && ", ""],
  [17, CONTROL, ' && headers["sec-fetch-site"] === undefined', ""],
  [4, "service/local/api/app.ts", "if (!servesHost(request)) {", "if (false) {"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source file
  [25, "service/local/api/app.ts", 'url.replace(`/${control.key}`, "");', "url;"],
];

/** @returns the offsets of a text of an entry in its file */
export function findRulePlace(file, source, text) {
  const tokens = text.match(/\w+|[^\w\s]/g).map((token) => token.replace(/[^\w]/, "\\$&"));
  const pattern = tokens
    .map((token) => (/^\\[)\]}]/.test(token) ? `,?\\s*${token}` : token))
    .join("\\s*");
  const places = [...source.matchAll(new RegExp(pattern, "g"))];
  if (places.length !== 1) throw new Error(`${file} has ${places.length} times: ${text}`);
  const [{ 0: found, index }] = places;
  return { start: index, end: index + found.length };
}
