import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import { createRegistryClient } from "../../../src/publish/registry/registry-client.ts";
import { instantTimer } from "./registry.ts";

/** More than the buffers of a socket hold. */
const BYTES = Buffer.alloc(20_000_000, "x");

/** A store of files, as a registry names one. */
async function startStore(answer: RequestListener, hungMs?: number) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent: [bytes: number, attempt: number][] = [];
  const client = createRegistryClient({
    registry: registryAddress(origin, {}, undefined),
    token: "synthetic-token",
    timer: instantTimer,
    hungMs,
  });
  return {
    sent,
    put: (url = `${origin}/upload`, bytes = BYTES) =>
      client.put({ uploadUrl: url, headers: { "x-type": "text" } }, bytes, (bytes, attempt) =>
        sent.push([bytes, attempt]),
      ),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const measureLength = async (request: AsyncIterable<Buffer>): Promise<number> => {
  let length = 0;
  for await (const chunk of request) length += chunk.length;
  return length;
};

describe("the PUT of an upload", () => {
  it("waits for a slow store as long as it takes bytes, and reports them only as they leave", async () => {
    let resume = () => {};
    const isResumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let received = 0;
    await using store = await startStore(async (request, response) => {
      await isResumed;
      received = await measureLength(request);
      response.end("{}");
    });
    const done = store.put();
    // The store reads nothing yet: what has left is only what the sockets hold.
    await expect.poll(() => store.sent.length).toBeGreaterThan(0);
    while (true) {
      const before = store.sent.length;
      await new Promise((resolve) => setImmediate(resolve));
      if (store.sent.length === before) break;
    }
    expect(store.sent.at(-1)?.[0]).toBeLessThan(BYTES.byteLength);
    resume();
    await done;
    expect(received).toBe(BYTES.byteLength);
    expect(store.sent.at(-1)).toEqual([BYTES.byteLength, 1]);
    expect(store.sent.map(([bytes]) => bytes)).toEqual(
      store.sent.map(([bytes]) => bytes).toSorted((one, other) => one - other),
    );
  });

  it("gives up on a store that takes no bytes, without trying again, with a code and the next step", async () => {
    let requests = 0;
    await using store = await startStore(() => void requests++, 200);
    await expect(store.put()).rejects.toMatchObject({
      code: "REGISTRY_UNREACHABLE",
      message: expect.stringContaining("the store accepted no data for 0.2 seconds"),
      hint: expect.stringContaining("run the command again"),
    });
    expect(requests).toBe(1);
  });

  it("sends everything again after a failure in the middle, and counts the attempts", async () => {
    let requests = 0;
    const lengths: number[] = [];
    await using store = await startStore(async (request, response) => {
      requests++;
      if (requests === 1) {
        request.once("data", () => request.socket.destroy());
        return;
      }
      lengths.push(await measureLength(request));
      response.writeHead(requests === 2 ? 503 : 200).end("{}");
    });
    await store.put();
    expect(lengths).toEqual([BYTES.byteLength, BYTES.byteLength]);
    expect(new Set(store.sent.map(([, attempt]) => attempt))).toEqual(new Set([1, 2, 3]));
    expect(store.sent.at(-1)).toEqual([BYTES.byteLength, 3]);
  });

  it("stops sending when the store refuses before it has read everything, and says why", async () => {
    let requests = 0;
    await using store = await startStore((_request, response) => {
      requests++;
      response
        .writeHead(403, { "content-type": "application/json" })
        .end('{ "message": "The upload URL has expired." }');
    });
    await expect(store.put()).rejects.toMatchObject({
      code: "REGISTRY_FAILED",
      message: "The registry's file store refused the upload: The upload URL has expired.",
    });
    expect(requests).toBe(1);
    expect(store.sent.at(-1)?.[0]).toBeLessThan(BYTES.byteLength);
  });

  it("an answer without an end is read up to a limit", async () => {
    await using store = await startStore((request, response) => {
      request.resume();
      response.writeHead(200);
      const more = () => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    await store.put(undefined, Buffer.from("x"));
  });

  it.each(["http://elsewhere.example/upload", "file:///etc/passwd", "upload"])(
    "never sends to %s",
    async (url) => {
      await using store = await startStore((_request, response) => void response.end());
      await expect(store.put(url)).rejects.toMatchObject({
        code: "REGISTRY_FAILED",
        message: "The registry returned a URL that is not https.",
      });
      expect(store.sent).toEqual([]);
    },
  );
});
