import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { sendJson } from "../../../../src/service/local/api/http-error.ts";

const long = (text: string) => ({
  items: Array.from({ length: 2_000 }, (_, at) => `${text} ${at}`),
});

it.each([
  ["ASCII", { name: 'a "quoted" text\n' }],
  ["much ASCII", long("row")],
  ["characters of two bytes", { name: "é ÿ \u0080" }],
  ["much of two bytes", long("é")],
  ["characters outside of Latin-1", { name: "€ 😀 \ud800" }],
  ["much outside of Latin-1", long("😀")],
])("the bytes of an answer are UTF-8, and as many as it says: %s", async (_, body) => {
  const server = createServer((_request, response) => sendJson(response, 200, body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await fetch(url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(Buffer.from(JSON.stringify(body), "utf8"))).toBe(true);
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    const head = await fetch(url, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual([
      String(bytes.length),
      "",
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
