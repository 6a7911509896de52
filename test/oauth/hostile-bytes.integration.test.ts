import type { Socket } from "node:net";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { isPackError, type PackError } from "../../src/errors.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { requestDeviceToken } from "../../src/oauth/connect/device-authorization.ts";
import { discoverServer } from "../../src/oauth/connect/discovery.ts";
import { discoverResource } from "../../src/oauth/connect/protected-resource.ts";
import { pushAuthorizationRequest } from "../../src/oauth/connect/pushed-request.ts";
import { registerClient } from "../../src/oauth/connect/registration.ts";
import { revokeToken } from "../../src/oauth/connect/revocation.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../../src/oauth/run/refresh.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTokenSet } from "../support/accounts.ts";
import { chooseCases } from "../support/breadth.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

const ISSUER = "https://login.tasks.example";
const RESOURCE = "https://api.tasks.example/mcp";
const SECRET = "planted-client-secret-0123456789";
const TIMEOUT_MS = 800;
const MAX_BODY_BYTES = 200_000;
const definition = {
  type: "OAuth2",
  authorizationUrl: `${ISSUER}/a`,
  tokenUrl: `${ISSUER}/t`,
  credentialsLocation: "Body",
} as OAuth2Authentication;
const client = { clientId: "client-1", clientSecret: SECRET };

type Options = ReturnType<typeof optionsFor>;
const optionsFor = (url: string) => ({
  definition,
  client,
  routes: { [ISSUER]: url, [new URL(RESOURCE).origin]: url },
  timeoutMs: TIMEOUT_MS,
  maxBodyBytes: MAX_BODY_BYTES,
  redactor: createRedactor(),
  networkDomains: ["api.tasks.example"],
});

/** What an endpoint answers when all is well, and a request to it. */
interface Endpoint {
  good: Record<string, unknown>;
  ask(options: Options): Promise<unknown>;
  /** What a success gives. */
  gives: unknown;
}

/**
 * Resets a connection when its other end, in this process, has read what was sent. A reset that
 * comes together with data looks like the end of the data to Node.
 */
async function resetAfterReading(socket: Socket): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
  socket.resetAndDestroy();
}

const TOKENS = {
  access_token: "good-access",
  token_type: "Bearer",
  expires_in: 3_600,
  refresh_token: "good-refresh",
};
const withToken = expect.objectContaining({ accessToken: "good-access" });

const ENDPOINTS: Record<string, Endpoint> = {
  "the token endpoint, to a code": {
    good: TOKENS,
    gives: withToken,
    async ask(options) {
      const attempt = await createAuthorizationAttempt({
        ...options,
        redirectUri: "http://127.0.0.1/oauth/callback",
      });
      const callback = { code: "planted-code-0123456789", state: attempt.state };
      return await attempt.complete(new URLSearchParams(callback));
    },
  },
  "the token endpoint, to a refresh": {
    good: TOKENS,
    gives: withToken,
    ask: (options) =>
      refreshTokenSet({ ...options, tokenSet: makeTokenSet({ refreshToken: "old-refresh" }) }),
  },
  "the token endpoint, to a client": {
    good: TOKENS,
    gives: withToken,
    ask: (options) =>
      requestClientCredentialsToken({
        ...options,
        definition: {
          type: "OAuth2ClientCredentials",
          tokenUrl: `${ISSUER}/t`,
          credentialsLocation: "Body",
        },
        answers: { variables: {}, callbackParams: {} },
        endpoint: undefined,
      }),
  },
  "the metadata": {
    good: {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/a`,
      token_endpoint: `${ISSUER}/t`,
      response_types_supported: ["code"],
    },
    gives: expect.objectContaining({ issuer: ISSUER }),
    ask: (options) => discoverServer({ ...options, issuer: ISSUER }),
  },
  "the metadata of the resource": {
    good: { resource: RESOURCE, authorization_servers: [ISSUER] },
    gives: expect.toSatisfy(
      (found) => found === undefined || found.authorizationServers[0] === ISSUER,
    ),
    ask: (options) => discoverResource({ ...options, resource: RESOURCE }),
  },
  "the endpoint for pushed requests": {
    good: { request_uri: "urn:request:1", expires_in: 60 },
    gives: expect.any(URLSearchParams),
    ask: (options) =>
      pushAuthorizationRequest({
        ...options,
        pushedRequestUrl: `${ISSUER}/par`,
        params: new URLSearchParams({ response_type: "code" }),
      }),
  },
  "the device endpoint": {
    good: {
      device_code: "planted-device-code",
      user_code: "ABCD",
      verification_uri: `${ISSUER}/device`,
      expires_in: 60,
      interval: 1,
    },
    // The next request, for the tokens, is answered with the same.
    gives: undefined,
    ask: (options) =>
      requestDeviceToken({
        ...options,
        tokenUrl: `${ISSUER}/t`,
        deviceAuthorizationUrl: `${ISSUER}/d`,
        signal: AbortSignal.timeout(3_000),
        instruct: ({ verificationUri }) => {
          throw new Instructed(verificationUri);
        },
      }),
  },
  "the registration endpoint": {
    good: { client_id: "registered", token_endpoint_auth_method: "none" },
    gives: expect.objectContaining({ clientId: "registered" }),
    ask: (options) =>
      registerClient({
        ...options,
        issuer: ISSUER,
        registrationUrl: `${ISSUER}/register`,
        redirectUri: "http://127.0.0.1/x",
        clientName: "Tasks",
      }),
  },
  "the revocation endpoint": {
    good: {},
    gives: undefined,
    ask: (options) =>
      revokeToken({
        ...options,
        revocationUrl: `${ISSUER}/revoke`,
        tokenSet: makeTokenSet({ refreshToken: "planted-refresh-0123456789" }),
      }),
  },
};

/** The device endpoint's answer was accepted. */
class Instructed extends Error {}

type Writes = (socket: Socket, good: string, elsewhere: string) => unknown;

const head = (extra = "", status = "200 OK") =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n${extra}`;
const whole = (body: string | Uint8Array, extra = "", status = "200 OK"): Uint8Array =>
  Buffer.concat([
    Buffer.from(`${head(extra, status)}content-length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);
const text =
  (body: (good: string) => string | Uint8Array, extra = "", status = "200 OK"): Writes =>
  (socket, good) =>
    socket.write(whole(body(good), extra, status));
const same = (good: string) => good;

function toForm(good: string): string {
  const members = Object.entries(JSON.parse(good) as Record<string, unknown>);
  return new URLSearchParams(
    members.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Small bodies that become large. Each is made once. */
const BOMBS = {
  made: new Map<string, Uint8Array>(),
  once(name: string, make: () => Uint8Array): Uint8Array {
    const bytes = this.made.get(name) ?? make();
    this.made.set(name, bytes);
    return bytes;
  },
  brotli(): Uint8Array {
    return this.once("brotli", () => brotliCompressSync(Buffer.alloc(20_000_000, 32), FAST));
  },
  nestedGzip(): Uint8Array {
    return this.once("gzip", () => gzipSync(gzipSync(Buffer.alloc(20_000_000, 32))));
  },
};

/** Bytes, and whether they must be refused everywhere. The others may be read or refused. */
const ANSWERS: Record<string, { writes: Writes; mustFail?: boolean }> = {
  "a list with the object": { writes: text((good) => `[${good}]`) },
  "a list in a list": { writes: text((good) => `[[${good}]]`), mustFail: true },
  "a JSON text that contains the object": {
    writes: text((good) => JSON.stringify(good)),
    mustFail: true,
  },
  "a number": { writes: text(() => "42"), mustFail: true },
  null: { writes: text(() => "null"), mustFail: true },
  true: { writes: text(() => "true"), mustFail: true },
  "an empty object": { writes: text(() => "{}"), mustFail: true },
  "an empty list": { writes: text(() => "[]"), mustFail: true },
  "nothing, with status 200": { writes: text(() => ""), mustFail: true },
  "nothing, with status 204": {
    writes: (socket) => socket.write(`${head("", "204 No Content")}\r\n`),
    mustFail: true,
  },
  "white space": { writes: text(() => " \r\n\t "), mustFail: true },
  "the first half": {
    writes: text((good) => good.slice(0, Math.ceil(good.length / 2))),
    mustFail: true,
  },
  "the object twice": { writes: text((good) => good + good), mustFail: true },
  "the object and more text": { writes: text((good) => `${good}<!-- -->`), mustFail: true },
  "the object behind a prefix against scripts": {
    writes: text((good) => `)]}'\n${good}`),
    mustFail: true,
  },
  "the object with a comment": { writes: text((good) => `/* tokens */${good}`), mustFail: true },
  "the object with single quotes": {
    writes: text((good) => good.replaceAll('"', "'")),
    mustFail: true,
  },
  "an object with NaN": {
    writes: text((good) => good.replace("{", '{"extra":NaN,')),
    mustFail: true,
  },
  "an object with Infinity": {
    writes: text((good) => good.replace("{", '{"expires_in":-Infinity,')),
    mustFail: true,
  },
  "a comma behind the last member": {
    writes: text((good) => good.replace(/\}$/, ',"x":1,}')),
    mustFail: true,
  },
  "a byte order mark": { writes: text((good) => `\ufeff${good}`) },
  "UTF-16": {
    writes: text((good) => Buffer.from(`\ufeff${good}`, "utf16le"), "x-charset: utf-16\r\n"),
    mustFail: true,
  },
  "bytes that are not UTF-8": {
    writes: text((good) =>
      Buffer.concat([
        Buffer.from(good.replace(/\}$/, ',"x":"')),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}'),
      ]),
    ),
  },
  "half of a surrogate pair": { writes: text((good) => good.replace("{", '{"x":"\\ud800",')) },
  "a zero character in a name": { writes: text((good) => good.replace("{", '{"a\\u0000b":1,')) },
  "__proto__ and constructor": {
    writes: text((good) =>
      good.replace("{", '{"__proto__":{"access_token":"x"},"constructor":{"prototype":1},'),
    ),
  },
  "ten thousand lists in each other": {
    writes: text(() => "[".repeat(10_000) + "]".repeat(10_000)),
    mustFail: true,
  },
  "the object in forty others": {
    writes: text((good) => `${'{"data":'.repeat(40)}${good}${"}".repeat(40)}`),
    mustFail: true,
  },
  "a hundred thousand members": {
    writes: text((good) =>
      good.replace(
        "{",
        `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":0,`).join("")}`,
      ),
    ),
    mustFail: true,
  },
  "a megabyte of spaces": { writes: text((good) => good + " ".repeat(1_000_000)), mustFail: true },
  "a page": {
    writes: text(() => "<!doctype html><title>Sign in\u001b[2J</title><p>Sign in", ""),
    mustFail: true,
  },
  "a page with the object in it": { writes: text((good) => `<pre>${good}</pre>`), mustFail: true },
  XML: {
    writes: text(
      () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ),
    mustFail: true,
  },
  "server-sent events": { writes: text((good) => `data: ${good}\n\n`), mustFail: true },
  "a form": { writes: text(toForm) },
  "a token as text": { writes: text(() => "good-access"), mustFail: true },
  "a redirect to another server": {
    writes: (socket, _, elsewhere) =>
      socket.write(whole("", `location: ${elsewhere}/t\r\n`, "307 Temporary Redirect")),
    mustFail: true,
  },
  "a permanent redirect to another server": {
    writes: (socket, good, elsewhere) =>
      socket.write(whole(good, `location: ${elsewhere}/t\r\n`, "308 Permanent Redirect")),
    mustFail: true,
  },
  "a redirect to a file": {
    writes: text(() => "", "location: file:///etc/passwd\r\n", "302 Found"),
    mustFail: true,
  },
  "a redirect to itself": {
    writes: text(() => "", "location: /\r\n", "303 See Other"),
    mustFail: true,
  },
  "a refresh header to another server": {
    writes: (socket, good, elsewhere) =>
      socket.write(whole(good, `refresh: 0; url=${elsewhere}\r\n`)),
  },
  "status 201": { writes: text(same, "", "201 Created") },
  "status 206 with a part": {
    writes: text(
      (good) => good.slice(0, 10),
      "content-range: bytes 0-9/100\r\n",
      "206 Partial Content",
    ),
    mustFail: true,
  },
  "status 299": { writes: text(same, "", "299 Odd") },
  "status 304": {
    writes: (socket) => socket.write(`${head("", "304 Not Modified")}\r\n`),
    mustFail: true,
  },
  "status 404 with the object": { writes: text(same, "", "404 Not Found"), mustFail: true },
  "status 500 with the object": {
    writes: text(same, "", "500 Internal Server Error"),
    mustFail: true,
  },
  "status 999": { writes: text(same, "", "999 Odd"), mustFail: true },
  "status 099": { writes: (socket) => socket.write("HTTP/1.1 099 Odd\r\n\r\n"), mustFail: true },
  "status 429 with an endless wait": {
    writes: text(
      () => "slow down",
      "retry-after: 99999999999999999999\r\n",
      "429 Too Many Requests",
    ),
    mustFail: true,
  },
  "status 503 with a wait in the past": {
    writes: text(
      () => "",
      "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n",
      "503 Service Unavailable",
    ),
    mustFail: true,
  },
  "an error of 100 kB with terminal codes": {
    writes: text(
      () =>
        JSON.stringify({
          error: "invalid_request\u001b[31m",
          error_description: "\u202e\u0007x".repeat(20_000),
        }),
      "",
      "400 Bad Request",
    ),
    mustFail: true,
  },
  "an error that is a list": {
    writes: text(() => '{"error":["a","b"],"errors":[[1]]}', "", "400 Bad Request"),
    mustFail: true,
  },
  "an error that is a number": {
    writes: text(() => '{"error":42,"error_description":{"a":1}}', "", "400 Bad Request"),
    mustFail: true,
  },
  "an error that quotes the secret": {
    writes: text(
      () => JSON.stringify({ error: "invalid_client", error_description: `${SECRET} is wrong` }),
      "",
      "401 Unauthorized",
    ),
    mustFail: true,
  },
  "a challenge of another scheme": {
    writes: text(() => "", 'www-authenticate: Negotiate, Basic realm="\\"\r\n', "401 Unauthorized"),
    mustFail: true,
  },
  gzip: { writes: text((good) => gzipSync(good), "content-encoding: gzip\r\n") },
  "gzip that ends too early": {
    writes: text((good) => gzipSync(good).subarray(0, -6), "content-encoding: gzip\r\n"),
    mustFail: true,
  },
  "gzip with a wrong sum": {
    writes: text((good) => {
      const bytes = gzipSync(good);
      bytes[bytes.length - 6] = (bytes.at(-6) ?? 0) ^ 0xff;
      return bytes;
    }, "content-encoding: gzip\r\n"),
    mustFail: true,
  },
  "gzip of ten megabytes": {
    writes: text(() => gzipSync(Buffer.alloc(10_000_000, 32)), "content-encoding: gzip\r\n"),
    mustFail: true,
  },
  "gzip in gzip": {
    writes: text((good) => gzipSync(gzipSync(good)), "content-encoding: gzip, gzip\r\n"),
  },
  "plain text that says gzip": { writes: text(same, "content-encoding: gzip\r\n"), mustFail: true },
  "raw deflate": { writes: text((good) => deflateRawSync(good), "content-encoding: deflate\r\n") },
  "an unknown coding": { writes: text(same, "content-encoding: aes128gcm\r\n") },
  "no content type": {
    writes: (socket, good) => socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${good}`),
  },
  "a content type with a strange charset": {
    writes: (socket, good) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-7; charset="\r\nconnection: close\r\n\r\n${good}`,
      ),
  },
  "an image": {
    writes: (socket, good) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\nconnection: close\r\n\r\n${good}`,
      ),
  },
  "fewer bytes than promised": {
    writes: (socket, good) => socket.write(`${head("content-length: 5000\r\n")}\r\n${good}`),
    mustFail: true,
  },
  "more bytes than promised": {
    writes: (socket, good) =>
      socket.write(`${head(`content-length: ${good.length}\r\n`)}\r\n${good}more`),
  },
  "two different lengths": {
    writes: (socket, good) =>
      socket.write(`${head("content-length: 2\r\ncontent-length: 3\r\n")}\r\n${good}`),
    mustFail: true,
  },
  "a length and chunks": {
    writes: (socket, good) =>
      socket.write(
        `${head("content-length: 2\r\ntransfer-encoding: chunked\r\n")}\r\n${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`,
      ),
    mustFail: true,
  },
  "chunks without an end": {
    writes: (socket, good) =>
      socket.write(
        `${head("transfer-encoding: chunked\r\n")}\r\n${good.length.toString(16)}\r\n${good}\r\n`,
      ),
    mustFail: true,
  },
  "a chunk without a size": {
    writes: (socket, good) =>
      socket.write(`${head("transfer-encoding: chunked\r\n")}\r\nzz\r\n${good}\r\n0\r\n\r\n`),
    mustFail: true,
  },
  "headers of 100 kB": { writes: text(same, `x-long: ${"a".repeat(100_000)}\r\n`), mustFail: true },
  "three thousand headers": {
    writes: text(same, Array.from({ length: 3_000 }, (_, index) => `x-${index}: 1\r\n`).join("")),
  },
  "a header with a line break": { writes: text(same, "x-odd: a\rb\r\n"), mustFail: true },
  "a header without a name": { writes: text(same, ": x\r\n"), mustFail: true },
  "no HTTP": { writes: (socket) => socket.write("220 mail.example ESMTP\r\n"), mustFail: true },
  "an alert of TLS": {
    writes: (socket) => socket.write(Buffer.from([0x15, 3, 1, 0, 2, 2, 40])),
    mustFail: true,
  },
  "the preface of HTTP/2": {
    writes: (socket) => socket.write(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100])),
    mustFail: true,
  },
  "HTTP/0.9": { writes: (socket, good) => socket.write(good), mustFail: true },
  "HTTP/3.7": {
    writes: (socket, good) => socket.write(`HTTP/3.7 200 OK\r\n\r\n${good}`),
    mustFail: true,
  },
  "early hints without an end": {
    writes: (socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
      return "open";
    },
    mustFail: true,
  },
  "early hints and the object": {
    writes: (socket, good) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
      socket.write(whole(good));
    },
  },
  "a switch of protocols": {
    writes: text(
      () => "",
      "upgrade: websocket\r\nconnection: upgrade\r\n",
      "101 Switching Protocols",
    ),
    mustFail: true,
  },
  "interim responses without an end": {
    writes: (socket) => {
      const timer = setInterval(
        () => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(500)),
        5,
      );
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
    mustFail: true,
  },
  "headers without an end, one from time to time": {
    writes: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-more: 1\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
    mustFail: true,
  },
  "a status line without an end": {
    writes: (socket) => {
      socket.write(`HTTP/1.1 200 ${"O".repeat(5_000_000)}`);
      return "open";
    },
    mustFail: true,
  },
  "brotli that ends too early": {
    writes: text((good) => brotliCompressSync(good).subarray(0, -4), "content-encoding: br\r\n"),
    mustFail: true,
  },
  "deflate that ends too early": {
    writes: text((good) => deflateSync(good).subarray(0, -6), "content-encoding: deflate\r\n"),
    mustFail: true,
  },
  "gzip that ends before its trailer, in chunks": {
    writes: (socket, good) => {
      const bytes = gzipSync(good).subarray(0, -8);
      socket.write(`${head("content-encoding: gzip\r\ntransfer-encoding: chunked\r\n")}\r\n`);
      socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      socket.write("\r\n0\r\n\r\n");
    },
    mustFail: true,
  },
  "brotli of twenty megabytes": {
    writes: text(() => BOMBS.brotli(), "content-encoding: br\r\n"),
    mustFail: true,
  },
  "gzip in gzip of twenty megabytes": {
    writes: text(() => BOMBS.nestedGzip(), "content-encoding: gzip, gzip\r\n"),
    mustFail: true,
  },
  "a hundred codings": {
    writes: text(
      (good) => gzipSync(good),
      `content-encoding: ${Array.from({ length: 100 }, () => "gzip").join(", ")}\r\n`,
    ),
    mustFail: true,
  },
  "a reset in the middle of the body": {
    writes: (socket, good) => {
      socket.write(`${head("content-length: 5000\r\n")}\r\n${good}`, () =>
        resetAfterReading(socket),
      );
      return "open";
    },
    mustFail: true,
  },
  "HTTP/1.0 without a length": {
    writes: (socket, good) =>
      socket.write(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${good}`),
  },
  "HTTP/1.0 without a length, and a reset": {
    writes: (socket, good) => {
      socket.write(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${good}`, () =>
        resetAfterReading(socket),
      );
      return "open";
    },
    mustFail: true,
  },
  "trailers behind the chunks": {
    writes: (socket, good) =>
      socket.write(
        `${head("transfer-encoding: chunked\r\ntrailer: location\r\n")}\r\n${good.length.toString(16)};name=value\r\n${good}\r\n0\r\nlocation: https://other.example/\r\nset-cookie: a=b\r\n\r\n`,
      ),
  },
  "trailers without an end": {
    writes: (socket, good) => {
      socket.write(
        `${head("transfer-encoding: chunked\r\n")}\r\n${good.length.toString(16)}\r\n${good}\r\n0\r\n`,
      );
      const timer = setInterval(() => socket.write("x-more: 1\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
    mustFail: true,
  },
  "a chunk with an endless extension": {
    writes: (socket) => {
      socket.write(`${head("transfer-encoding: chunked\r\n")}\r\n5;a=${"b".repeat(200_000)}`);
      return "open";
    },
    mustFail: true,
  },
  "a chunk of 16 exabytes": {
    writes: (socket, good) => {
      socket.write(`${head("transfer-encoding: chunked\r\n")}\r\nffffffffffffffff\r\n${good}`);
      return "open";
    },
    mustFail: true,
  },
  "the same length twice": {
    writes: (socket, good) =>
      socket.write(
        `${head(`content-length: ${good.length}\r\ncontent-length: ${good.length}\r\n`)}\r\n${good}`,
      ),
  },
  "a negative length": {
    writes: (socket, good) => socket.write(`${head("content-length: -1\r\n")}\r\n${good}`),
    mustFail: true,
  },
  "a length of exabytes": {
    writes: (socket, good) => {
      socket.write(`${head("content-length: 9007199254740993\r\n")}\r\n${good}`);
      return "open";
    },
    mustFail: true,
  },
  "a second response behind the first": {
    writes: (socket, good) =>
      socket.write(
        Buffer.concat([
          whole("{}", "", "400 Bad Request"),
          whole(good.replace("good-access", "smuggled")),
        ]),
      ),
    mustFail: true,
  },
  "every member twice": {
    writes: text((good) => good.replace(/^\{(.*)\}$/, "{$1,$1}")),
  },
  "a redirect to this machine": {
    writes: (socket, _, elsewhere) =>
      socket.write(
        whole("", `location: ${elsewhere.replace("127.0.0.1", "localhost")}/t\r\n`, "302 Found"),
      ),
    mustFail: true,
  },
  "a redirect to a script": {
    writes: text(() => "", "location: javascript:alert(1)\r\n", "302 Found"),
    mustFail: true,
  },
  "multiple choices with the object": {
    writes: text(same, "", "300 Multiple Choices"),
    mustFail: true,
  },
  "a demand for a DPoP nonce, always": {
    writes: text(() => '{"error":"use_dpop_nonce"}', "dpop-nonce: n\r\n", "400 Bad Request"),
    mustFail: true,
  },
  "a refusal of the client, always": {
    writes: text(
      () => '{"error":"invalid_client"}',
      "www-authenticate: Basic\r\n",
      "401 Unauthorized",
    ),
    mustFail: true,
  },
  "status 407": {
    writes: text(same, "proxy-authenticate: Basic\r\n", "407 Proxy Authentication Required"),
    mustFail: true,
  },
  "status 429 with a wait of a year": {
    writes: text(() => "{}", "retry-after: 31536000\r\n", "429 Too Many Requests"),
    mustFail: true,
  },
  "status 511 with the page of a hotel": {
    writes: text(
      () => "<title>Welcome\u202e to the hotel</title>",
      "",
      "511 Network Authentication Required",
    ),
    mustFail: true,
  },
  "an error of a megabyte": {
    writes: text(
      () => JSON.stringify({ error: "x".repeat(90_000), error_description: "y".repeat(90_000) }),
      "",
      "400 Bad Request",
    ),
    mustFail: true,
  },
  "an error with escape sequences": {
    writes: text(
      () => JSON.stringify({ error: "\u001b[2Jx\r\n", error_description: "\u0007\u202e\u2028" }),
      "",
      "400 Bad Request",
    ),
    mustFail: true,
  },
  "the end of the connection": { writes: () => undefined, mustFail: true },
  "a reset of the connection": {
    writes: (socket) => {
      socket.resetAndDestroy();
      return "open";
    },
    mustFail: true,
  },
  silence: { writes: () => "open", mustFail: true },
  "headers and then silence": {
    writes: (socket) => {
      socket.write(`${head("content-length: 100\r\n")}\r\n{`);
      return "open";
    },
    mustFail: true,
  },
  "a byte from time to time": {
    writes: (socket) => {
      socket.write(`${head("content-length: 1000\r\n")}\r\n`);
      const timer = setInterval(() => socket.write(" "), 50);
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
    mustFail: true,
  },
  "bytes without an end": {
    writes: (socket) => {
      socket.write(`${head()}\r\n`);
      const pour = () => {
        while (socket.writable && socket.write(" ".repeat(60_000)));
      };
      socket.on("drain", pour);
      pour();
      return "open";
    },
    mustFail: true,
  },
};

let elsewhere: RawServer;
beforeAll(async () => {
  elsewhere = await startRawServer((socket) => socket.write(whole(JSON.stringify(TOKENS))));
});
afterAll(async () => {
  await elsewhere[Symbol.asyncDispose]();
});

/** An endpoint that reads tokens gets all of them; in the suite `long` each does. */
function choose(endpoint: string): [string, (typeof ANSWERS)[string]][] {
  const all = Object.entries(ANSWERS);
  return endpoint === "the token endpoint, to a code" ? all : chooseCases(all, 6);
}

describe.each(Object.entries(ENDPOINTS))("when %s", (name, endpoint) => {
  const { good, gives, ask } = endpoint;
  it.concurrent.each(choose(name))("answers %s", async (_what, { writes, mustFail }) => {
    await using server = await startRawServer((socket) =>
      writes(socket, JSON.stringify(good), elsewhere.url),
    );
    const started = performance.now();
    const outcome = await ask(optionsFor(server.url)).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(elsewhere.requests).toEqual([]);
    if ("value" in outcome || outcome.error instanceof Instructed) {
      const accepts = name === "the revocation endpoint" || name === "the metadata of the resource";
      expect(mustFail === true && !accepts, "it accepts what it must refuse").toBe(false);
      if ("value" in outcome) expect(outcome.value).toEqual(gives);
      return;
    }
    // A registration is the only request without the secret, so nothing hides it.
    expectClear(outcome.error, name === "the registration endpoint" ? undefined : SECRET);
  });
});

function expectClear(error: unknown, secret: string | undefined): void {
  if (!isPackError(error)) throw error;
  const { code, message, hint } = error as PackError;
  expect(code).toMatch(/^(?:OAUTH_|URL_)/);
  const shown = `${message}\n${hint}`;
  expect(message.length).toBeLessThan(800);
  expect(hint).toBeDefined();
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(shown).not.toMatch(/\bE[A-Z]{5,}\b|HPE_|UND_ERR|undefined|\[object/);
  if (secret !== undefined) expect(shown).not.toContain(secret);
}
