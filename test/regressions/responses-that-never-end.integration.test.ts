import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type IncomingResponse, sendRequest } from "../../src/oauth/send-request.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  open.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const get = (url: string, signal: AbortSignal): Promise<IncomingResponse> =>
  sendRequest(url, { method: "GET", headers: {}, body: null, signal });

async function read({ body }: IncomingResponse, onChunk: () => void = () => {}): Promise<number> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    onChunk();
  }
  return bytes;
}

/**
 * 300 MB of a gzip stream that says nothing: a header, and stored blocks without content (RFC 1951
 * §3.2.4).
 */
function* saysNothing(): Generator<Buffer> {
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const blocks = Buffer.alloc(1_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
  for (let megabytes = 0; megabytes < 300; megabytes++) yield blocks;
}

describe("responses that never end", () => {
  it("a body without a length that is cut off by its time limit is a failure, not a short response", async () => {
    const ending = new AbortController();
    const url = await serve((_request, response) => {
      response.sendDate = false;
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { connection: "close" }).write("the first half");
    });
    const response = await get(url, ending.signal);
    await expect(read(response, () => ending.abort(new Error("the time is over")))).rejects.toThrow(
      "the time is over",
    );
  });

  it("the time limit also ends the decompression of a body that has arrived completely", async () => {
    const bomb = await buffer(
      Readable.from(saysNothing())
        .pipe(createGzip({ level: 1 }))
        .pipe(createGzip({ level: 1 })),
    );
    const url = await serve((_request, response) => {
      response
        .writeHead(200, {
          "content-encoding": "gzip, gzip, gzip",
          "content-length": bomb.byteLength,
        })
        .end(bomb);
    });
    const signal = AbortSignal.timeout(100);
    await expect(get(url, signal).then((response) => read(response))).rejects.toThrow(/timeout/);
  });
});
