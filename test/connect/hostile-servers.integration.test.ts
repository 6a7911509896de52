import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { chooseCases } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { startRawServer } from "../support/raw-server.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const ISSUER = "https://login.tasks.example";
const SECRET = "planted-client-secret-0123456789";
const TOKENS = {
  access_token: "planted-access-0123456789",
  token_type: "Bearer",
  expires_in: 3_600,
  refresh_token: "planted-refresh-0123456789",
};
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/a`,
  token_endpoint: `${ISSUER}/t`,
  device_authorization_endpoint: `${ISSUER}/d`,
  revocation_endpoint: `${ISSUER}/r`,
  dpop_signing_alg_values_supported: ["ES256"],
};

/** What is answered at an endpoint when all is well. */
const GOOD: Record<string, object> = {
  "/t": TOKENS,
  "/d": {
    device_code: "planted-device-code-1",
    user_code: "ABCD",
    verification_uri: `${ISSUER}/device`,
    expires_in: 60,
    interval: 0.01,
  },
};

type Writes = (socket: Socket, firstLine: string, attempt: number) => unknown;

const answer =
  (body: unknown, status = "200 OK", headers = ""): Writes =>
  (socket) => {
    const bytes = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n${headers}content-length: ${Buffer.byteLength(bytes)}\r\n\r\n`,
    );
    socket.write(bytes);
  };
const tokens = (changes: object): Writes => answer({ ...TOKENS, ...changes });

/** What a server does with every request of one kind; the others it answers as it should. */
interface Hostile {
  /** @default the token endpoint */
  at?: "/t" | "/d" | "/r" | "metadata";
  writes: Writes;
  metadata?: object;
  /** Whether a login in a browser works. @default false */
  works?: true;
  /** Whether it answers too late. A refresh then ends after 30 seconds. @default false */
  waits?: true;
}

const SERVERS: Record<string, Hostile> = {
  "a token with a line break": { writes: tokens({ access_token: "a\r\nx-evil: 1" }) },
  "a token with a control character": { writes: tokens({ access_token: "a\u0000b" }) },
  "a token with an emoji": { writes: tokens({ access_token: "a\u{1f600}" }) },
  "a token of 70 kB": { writes: tokens({ access_token: "a".repeat(70_000) }) },
  "a token that is an object": { writes: tokens({ access_token: { toString: "x" } }) },
  "a negative lifetime": { writes: tokens({ expires_in: -1 }), works: true },
  "a lifetime of ages": { writes: tokens({ expires_in: 1e300 }), works: true },
  "a lifetime that is no number": { writes: tokens({ expires_in: "NaN" }), works: true },
  "a lifetime that is a list": { writes: tokens({ expires_in: [3_600] }), works: true },
  "a bound token without a proof": {
    writes: tokens({ token_type: "DPoP" }),
    metadata: { dpop_signing_alg_values_supported: undefined },
  },
  "a token of an unknown type": { writes: tokens({ token_type: "mac\u202e" }), works: true },
  "an ID Token of nonsense": { writes: tokens({ id_token: "a.b.c" }), works: true },
  "an endless demand for a nonce": {
    writes: (socket, line, attempt) =>
      answer({ error: "use_dpop_nonce" }, "400 Bad Request", `dpop-nonce: n${attempt}\r\n`)(
        socket,
        line,
        attempt,
      ),
  },
  "endless refusals of the client": {
    writes: answer({ error: "invalid_client" }, "401 Unauthorized", "www-authenticate: Basic\r\n"),
  },
  "a wait of a year": { writes: answer("", "503 Busy", "retry-after: 31536000\r\n") },
  "members of Object.prototype": {
    writes: answer('{"__proto__":{"access_token":"x","refresh_token":"y"}}'),
  },
  "a bomb": {
    writes: answer(gzipSync(Buffer.alloc(30_000_000, 32)), "200 OK", "content-encoding: gzip\r\n"),
  },
  "a redirect to a file": { writes: answer("", "307 Moved", "location: file:///etc/passwd\r\n") },
  "its secrets in the error": {
    writes: answer(
      { error: "invalid_request", error_description: `${SECRET} ${btoa(`client:${SECRET}`)}` },
      "400 Bad Request",
    ),
  },
  "a token of spaces": { writes: tokens({ access_token: "   " }) },
  "a part of a response": {
    writes: answer(TOKENS, "206 Partial Content", "content-range: bytes 0-9/999\r\n"),
  },
  "two hundred thousand scopes": { writes: tokens({ scope: "s ".repeat(200_000) }), works: true },
  "a header of a megabyte": {
    writes: (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(1_000_000)}\r\ncontent-length: 2\r\n\r\n{}`,
      );
    },
  },
  "two lengths": {
    writes: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`);
    },
  },
  "an error that is an object": {
    writes: answer({ error: { code: 5, message: `\u001b[2J ${SECRET}` } }, "400 Bad Request"),
  },
  "early hints without end": {
    waits: true,
    writes: (socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
  },
  silence: { writes: () => "open", waits: true },
  "a byte from time to time": {
    waits: true,
    writes: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n");
      const timer = setInterval(() => socket.write(" "), 40);
      socket.on("close", () => clearInterval(timer));
      return "open";
    },
  },
  "metadata of another issuer": {
    at: "metadata",
    writes: answer({ ...METADATA, issuer: "https://other.example" }),
  },
  "metadata of ten megabytes": {
    at: "metadata",
    writes: answer(`{"a":"${"x".repeat(10_000_000)}"}`),
  },
  "metadata that leads to this machine": {
    at: "metadata",
    writes: answer({ ...METADATA, token_endpoint: "https://10.0.0.1/t" }),
  },
  "metadata that names two issuers": {
    at: "metadata",
    writes: answer(
      `{"issuer":"${ISSUER}",${JSON.stringify({ ...METADATA, issuer: "https://evil.example" }).slice(1)}`,
    ),
  },
  "metadata that fills in the request": {
    at: "metadata",
    works: true,
    writes: answer({
      ...METADATA,
      authorization_endpoint: `${ISSUER}/a?client_id=evil&redirect_uri=https%3A%2F%2Fevil.example&state=x&response_type=token`,
    }),
  },
  "metadata that leads to a script": {
    at: "metadata",
    writes: answer({ ...METADATA, authorization_endpoint: "javascript:alert(1)" }),
  },
  "metadata that is deeper than a stack": {
    at: "metadata",
    writes: answer(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`),
  },
  "keys of ten megabytes": {
    writes: tokens({}),
    metadata: { jwks: { keys: "x".repeat(500_000) }, jwks_uri: `${ISSUER}/keys` },
    works: true,
  },
  "an endless wait for the device": {
    at: "/d",
    works: true,
    writes: answer({
      device_code: "planted-device-code-1",
      user_code: "AB",
      verification_uri: `${ISSUER}/x`,
      expires_in: 1e12,
      interval: 1e12,
    }),
  },
  "a script instead of a page for the device": {
    at: "/d",
    works: true,
    writes: answer({
      device_code: "planted-device-code-1",
      user_code: "AB",
      verification_uri: "javascript:alert(1)",
      expires_in: 60,
    }),
  },
  "a code with escape sequences for the device": {
    at: "/d",
    works: true,
    writes: answer({
      device_code: "planted-device-code-1",
      user_code: "\u001b[2J\u001b]0;x\u0007",
      verification_uri: `${ISSUER}/x`,
      expires_in: 60,
    }),
  },
  "a reset instead of a revocation": {
    at: "/r",
    writes: (socket) => {
      socket.resetAndDestroy();
      return "open";
    },
    works: true,
  },
  "a page instead of a revocation": {
    at: "/r",
    writes: answer(`<title>\u001b[2J${SECRET}</title>`, "500 Internal Server Error"),
    works: true,
  },
};

async function startHostile({ at = "/t", writes, metadata }: Hostile) {
  let isHostile = false;
  let attempt = 0;
  const server = await startRawServer((socket, line) => {
    const url = new URL(line.split(" ")[1] ?? "", ISSUER);
    const kind = url.pathname.startsWith("/.well-known/") ? "metadata" : url.pathname;
    if (isHostile && kind === at) return writes(socket, line, attempt++);
    if (kind === "metadata") return answer({ ...METADATA, ...metadata })(socket, line, 0);
    if (kind !== "/a") return answer(GOOD[kind] ?? {})(socket, line, 0);
    const target = new URL(url.searchParams.get("redirect_uri") ?? "http://127.0.0.1:1/");
    target.searchParams.set("code", "planted-code-0123456789");
    target.searchParams.set("state", url.searchParams.get("state") ?? "");
    return answer("", "302 Found", `location: ${target.href}\r\n`)(socket, line, 0);
  });
  return Object.assign(server, { turn: () => (isHostile = true) });
}

/** Ends commands that wait for a person, or for a server. */
const LIMITS = ["--request-timeout", "1", "--timeout", "3"];

// Some of them wait for what never comes.
it.concurrent.each(chooseCases(Object.entries(SERVERS), 10))(
  "a server with %s ends auth connect, --device, refresh and revoke with a clear error",
  async (_name, hostile) => {
    await using server = await startHostile(hostile);
    using folder = makeTemporaryFolder();
    writeFileSync(
      join(folder.path, "pack.ts"),
      `import { newPack } from "packsmith";
      export const pack = newPack().addNetworkDomain("tasks.example")
        .setUserAuthentication({ type: "OAuth2", issuer: "${ISSUER}" });`,
    );
    const env = {
      PACKSMITH_HOME: join(folder.path, "home"),
      PACKSMITH_CLIENT_ID: "client",
      PACKSMITH_CLIENT_SECRET: SECRET,
    };
    const auth = async (...args: string[]) => {
      const started = performance.now();
      const run = await runCli(["auth", ...args, "--route", `${ISSUER}=${server.url}`], {
        cwd: folder.path,
        env,
      });
      const shown = run.stdout + run.stderr;
      expect(performance.now() - started, shown).toBeLessThan(40_000);
      expect(shown).not.toMatch(/planted-|^\s+at |\[object|undefined|INTERNAL|\bE[A-Z]{6,}\b/m);
      expect(shown).not.toContain(btoa(`client:${SECRET}`));
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(shown.length).toBeLessThan(5_000);
      if (run.code !== 0) {
        expect(shown).toMatch(/^error [A-Z_]+ {2}\S/m);
        expect(shown).toMatch(/^ {2}→ \S/m);
      }
      return run.code;
    };
    const before = process.memoryUsage().rss;
    expect(await auth("connect", "pack.ts", "--account", "good", "--headless")).toBe(0);
    server.turn();
    const connected = await auth("connect", "pack.ts", "--headless", ...LIMITS);
    expect(connected === 0).toBe(hostile.works === true);
    await auth("connect", "pack.ts", "--account", "tv", "--device", ...LIMITS);
    if (hostile.waits !== true) await auth("refresh", "pack.ts", "--account", "good");
    await auth("revoke", "pack.ts", "--account", "good");
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  },
);
