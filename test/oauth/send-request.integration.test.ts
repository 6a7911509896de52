import { X509Certificate } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { createSecureContext, type TLSSocket } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type OutgoingRequest, sendRequest } from "../../src/oauth/send-request.ts";
import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(
  server: Server | ReturnType<typeof createSocketServer>,
  sockets: Socket[],
): Promise<string> {
  server.on("connection", (socket: Socket) => sockets.push(socket));
  open.push({
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serve(answer: RequestListener) {
  const sockets: Socket[] = [];
  return { url: await listening(createServer(answer), sockets), sockets };
}

/** Bytes for the nth request of each connection; `undefined` closes it instead. */
async function serveBytes(answer: (nth: number) => string | undefined) {
  const sockets: Socket[] = [];
  const received: string[] = [];
  const server = createSocketServer((socket) => {
    let count = 0;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received.push(bytes.toString().split(" ")[0] ?? "");
      const text = answer(++count);
      if (text === undefined) socket.destroy();
      else socket.write(text);
    });
  });
  return { url: await listening(server, sockets), sockets, received };
}

async function send(url: string, request: Partial<OutgoingRequest> = {}) {
  const { status, headers, body } = await sendRequest(url, {
    method: "GET",
    headers: {},
    body: null,
    signal: new AbortController().signal,
    ...request,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return { status, headers: Object.fromEntries(headers), text: Buffer.concat(chunks).toString() };
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

describe("connections", () => {
  it("stay open for the next request", async () => {
    const { url, sockets } = await serve((_, response) => void response.end("ok"));
    for (let time = 0; time < 3; time++)
      expect(await send(url)).toMatchObject({ status: 200, text: "ok" });
    expect(sockets).toHaveLength(1);
  });

  it("that the server closed meanwhile are replaced, and a request that may be repeated is", async () => {
    const { url, sockets, received } = await serveBytes((nth) => (nth === 1 ? OK : undefined));
    for (const method of ["GET", "PUT"])
      expect(await send(url, { method, body: method === "PUT" ? "x" : null })).toMatchObject({
        text: "ok",
      });
    expect(sockets).toHaveLength(2);
    expect(received).toEqual(["GET", "PUT", "PUT"]);
  });

  it("that the server closes in the middle of a POST end it: it may have arrived", async () => {
    const { url, received } = await serveBytes((nth) => (nth === 1 ? OK : undefined));
    await send(url);
    await expect(send(url, { method: "POST", body: "x" })).rejects.toMatchObject({
      code: "ECONNRESET",
    });
    expect(received).toEqual(["GET", "POST"]);
  });

  it("that are new and fail are no reason to ask again", async () => {
    const { url, received } = await serveBytes(() => undefined);
    await expect(send(url)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(received).toEqual(["GET"]);
  });
});

describe("the certificate of a server", () => {
  const { certificate: cert, privateKey: key } = createSelfSignedCertificate();
  const start = async () =>
    await listening(
      createTlsServer(
        { cert, key, requestCert: true, rejectUnauthorized: false },
        (request, response) => {
          const { raw } = (request.socket as TLSSocket).getPeerCertificate();
          response.end(raw === undefined ? "none" : new X509Certificate(raw).fingerprint256);
        },
      ),
      [],
    );

  it("is not checked on this machine, and checked under every other name, also of the same server", async () => {
    const { port } = new URL(await start());
    for (const host of ["127.0.0.1", "localhost"])
      expect(await send(`https://${host}:${port}/`), host).toMatchObject({
        status: 200,
        text: "none",
      });
    await expect(send(`https://0.0.0.0:${port}/`)).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });

  it("and that of the client: a connection with one serves no request without it, or with another", async () => {
    const { port } = new URL(await start());
    const url = `https://127.0.0.1:${port}/`;
    const [one, two] = [createSelfSignedCertificate(), createSelfSignedCertificate()];
    const contexts = new Map(
      [one, two].map((pair) => [
        pair,
        createSecureContext({ cert: pair.certificate, key: pair.privateKey }),
      ]),
    );
    for (const shown of [one, undefined, two, one]) {
      const answer = await send(
        url,
        shown === undefined ? {} : { clientContext: contexts.get(shown) },
      );
      expect(answer.text).toBe(shown?.fingerprint ?? "none");
    }
  });
});

// docs/rules.md: rule 19
describe("a private address", () => {
  it("is refused by the connection itself, in whatever place of the answer it is", async () => {
    const { url, sockets } = await serve((_, response) => void response.end());
    const { port } = new URL(url);
    for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"], []]) {
      await expect(
        send(`http://api.tasks.example:${port}/`, { publicOnly: async () => addresses }),
      ).rejects.toMatchObject({
        code: "URL_NOT_ALLOWED",
      });
    }
    await expect(
      send(url, { publicOnly: () => Promise.reject(new TypeError("not asked")) }),
    ).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(sockets).toEqual([]);
  });

  it("cannot come in a second answer: there is none", async () => {
    const ending = new AbortController();
    // Of a block that nobody has: even without the end below, nothing is reached.
    const answers = [["3000::1"], ["127.0.0.1"]];
    const publicOnly = async () => {
      ending.abort();
      return answers.shift() ?? [];
    };
    await expect(
      send("https://api.tasks.example/", { publicOnly, signal: ending.signal }),
    ).rejects.toMatchObject({ name: "AbortError" });
    expect(answers).toEqual([["127.0.0.1"]]);
  });

  it("that is open for one request is not used for another that may not go there", async () => {
    const { url, sockets } = await serve((_, response) => void response.end("ok"));
    const local = url.replace("127.0.0.1", "localhost");
    await send(local);
    await expect(send(local, { publicOnly: async () => ["127.0.0.1"] })).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(sockets).toHaveLength(1);
  });
});

describe("requests", () => {
  it("have the usual headers unless others are given", async () => {
    const { url } = await serve(
      (request, response) => void response.end(JSON.stringify(request.headers)),
    );
    expect(JSON.parse((await send(url)).text)).toEqual({
      accept: "*/*",
      "accept-encoding": "gzip, br",
      "user-agent": "packsmith",
      connection: "keep-alive",
      host: new URL(url).host,
    });
    const { text } = await send(url, { headers: { Accept: "text/csv", "User-Agent": "mine" } });
    expect(JSON.parse(text)).toMatchObject({ accept: "text/csv", "user-agent": "mine" });
  });

  it.each([
    ["POST", null, "0"],
    ["POST", "é", "2"],
    ["PATCH", new Uint8Array([1, 2, 3]), "3"],
    ["DELETE", "abc", "3"],
    ["DELETE", null, undefined],
    ["GET", null, undefined],
  ])("%s with the body %j name its length %j", async (method, body, length) => {
    const { url } = await serve(
      (request, response) => void response.end(JSON.stringify(request.headers)),
    );
    const headers = JSON.parse((await send(url, { method, body })).text) as Record<string, unknown>;
    expect(headers["content-length"]).toBe(length);
    expect(headers).not.toHaveProperty("transfer-encoding");
  });

  it("end when they are aborted: before the answer and within it", async () => {
    const ending = new AbortController();
    const { url } = await serve(() => ending.abort());
    await expect(send(url, { signal: ending.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    const within = new AbortController();
    const { url: slow } = await serve((_, response) => void response.write("a"));
    const { body } = await sendRequest(slow, {
      method: "GET",
      headers: {},
      body: null,
      signal: within.signal,
    });
    const reading = (async () => {
      for await (const chunk of body ?? []) if (chunk.length > 0) within.abort();
    })();
    await expect(reading).rejects.toThrow();
  });
});

describe("responses", () => {
  const text = "a body that is worth it ".repeat(50);
  it.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["GZIP , br", brotliCompressSync(gzipSync(text))],
    ["", Buffer.from(text)],
    ["identity-of-its-own", Buffer.from(text)],
    ["constructor", Buffer.from(text)],
    ["gzip, gzip, gzip, gzip, gzip, gzip", Buffer.from(text)],
  ])("coded as %j are read", async (coding, bytes) => {
    const { url } = await serve(
      (_, response) => void response.setHeader("content-encoding", coding).end(bytes),
    );
    expect((await send(url)).text).toBe(text);
  });

  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  it.each([
    ["gzip", half(gzipSync(text))],
    ["gzip", gzipSync(text).subarray(0, -1)],
    ["deflate", half(deflateSync(text))],
    ["deflate", deflateSync(text).subarray(0, -1)],
    ["br", half(brotliCompressSync(text))],
    ["br", brotliCompressSync(text).subarray(0, -1)],
    ["gzip, br", brotliCompressSync(gzipSync(text).subarray(0, -8))],
    ["gzip", Buffer.from("plain text")],
  ])("coded as %s that end too early, or are not coded at all, fail", async (coding, bytes) => {
    const { url } = await serve(
      (_, response) => void response.setHeader("content-encoding", coding).end(bytes),
    );
    await expect(send(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(?:Z_|ERR_)/) });
  });

  it.each([
    ["of a length that is not reached", "content-length: 10\r\n\r\n{}"],
    ["whose last chunk is missing", "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    ["whose chunk is cut off", "transfer-encoding: chunked\r\n\r\n9\r\n{}"],
    [
      "of a length that is not reached, in a coding",
      `content-encoding: gzip\r\ncontent-length: 999\r\n\r\n${"\x1f\x08"}`,
    ],
  ])("%s fail", async (_, rest) => {
    const server = createSocketServer((socket) => {
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`, "latin1"));
    });
    await expect(send(await listening(server, []))).rejects.toThrow();
  });

  it("without a byte are empty, whatever coding they name", async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { "content-encoding": "br", "content-length": 0 }).end(),
    );
    expect((await send(url)).text).toBe("");
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("to %s with %i have no body, whatever coding they name", async (method, status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, { "content-encoding": "gzip" }).end(),
    );
    expect(await send(url, { method })).toMatchObject({ status, text: "" });
  });

  it("without a length fail when their connection is reset", async () => {
    const { url, sockets } = await serveBytes(() => "HTTP/1.0 200 OK\r\n\r\n{}");
    const { body } = await sendRequest(url, {
      method: "POST",
      headers: {},
      body: null,
      signal: new AbortController().signal,
    });
    const read = async () => {
      for await (const _ of body ?? []) sockets[0]?.resetAndDestroy();
    };
    await expect(read()).rejects.toThrow();
  });

  it("join what comes more than once", async () => {
    const { url } = await serveBytes(
      () =>
        "HTTP/1.1 200 OK\r\nLink: <a>\r\nlink: <b>\r\nSet-Cookie: a\r\nSet-Cookie: b\r\ncontent-length: 0\r\n\r\n",
    );
    expect((await send(url)).headers).toEqual({
      link: "<a>, <b>",
      "set-cookie": "a, b",
      "content-length": "0",
    });
  });

  it.each([
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    ],
    ["no HTTP", "220 mail.example ESMTP\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc"],
    ["too many headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}\r\n`],
  ])("that are %s fail", async (_, bytes) => {
    const { url } = await serveBytes(() => bytes);
    await expect(send(url)).rejects.toThrow();
  });
});
