import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startTestService } from "../../support.ts";

const ROWS = { rows: [{ cells: [{ column: "Title", value: "New" }] }] };

/** Sends requests over one connection. */
async function startSender() {
  const test = await startTestService();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { url, token, docId } = test.service;
  return {
    async send(chunks: (string | Buffer)[], headers: Record<string, string> = {}) {
      const sent = request(`${url}/docs/${docId}/tables/Tasks/rows`, {
        method: "POST",
        agent,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      for (const chunk of chunks) sent.write(chunk);
      sent.end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      let text = "";
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode, body: JSON.parse(text) as unknown };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await test[Symbol.asyncDispose]();
    },
  };
}

describe("the body of a request", () => {
  it.each(["gzip", "deflate-of-nobody"])("may be compressed: %s", async (encoding) => {
    await using sender = await startSender();
    const { status } = await sender.send([gzipSync(JSON.stringify(ROWS))], {
      "content-encoding": encoding,
    });
    expect(status).toBe(encoding === "gzip" ? 202 : 400);
  });

  it("may come in pieces and without a length", async () => {
    await using sender = await startSender();
    const text = JSON.stringify(ROWS);
    expect((await sender.send([text.slice(0, 20), text.slice(20)])).status).toBe(202);
  });

  it("is refused when it grows too large on the way, and the connection serves the next request", async () => {
    await using sender = await startSender();
    const large = await sender.send(Array.from({ length: 48 }, () => "x".repeat(64 * 1_024)));
    expect(large).toMatchObject({ status: 400, body: { message: "request entity too large" } });
    expect((await sender.send([JSON.stringify(ROWS)])).status).toBe(202);
  });
});
