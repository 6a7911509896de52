import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { supportsProxies } from "../../src/oauth/send-out.ts";

it.skipIf(!supportsProxies(process.versions.node))(
  "a client certificate is refused where Node uses a proxy, before anything is sent: fetch could not show it",
  async () => {
    const script = `
const { sendOut } = await import(${JSON.stringify(pathToFileURL("dist/oauth/send-out.js").href)});
const request = { method: "GET", headers: {}, body: null, signal: AbortSignal.timeout(60_000), clientContext: {} };
console.log(await sendOut("https://127.0.0.1:1/", request).catch((error) => error.code));`;
    const env = {
      PATH: process.env["PATH"],
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: "http://127.0.0.1:1",
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", script],
      { env },
    );
    expect(stdout.trim()).toBe("OAUTH_CERTIFICATE_INVALID");
  },
);

const FETCHER = pathToFileURL("dist/execute/fetch/fetcher.js").href;
const REDACTOR = pathToFileURL("dist/shared/redact.js").href;
const SCRIPT = `
const { createHostFetcher } = await import(${JSON.stringify(FETCHER)});
const { createRedactor } = await import(${JSON.stringify(REDACTOR)});
const definition = { networkDomains: [process.env.HOST], formulas: [], formats: [], syncTables: [], skills: [] };
const origin = "http://" + process.env.HOST;
const fetcher = createHostFetcher({ definition, routes: { [origin]: origin }, redactor: createRedactor(), onRequest: () => undefined });
console.log((await fetcher.fetch({ method: "GET", url: "http://" + process.env.HOST + "/" })).ok);`;

describe("requests of a Pack", () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`${request.method} ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void proxy.close());

  it.each([
    ["go to the proxy that Node was told to use", "1", !supportsProxies(process.versions.node)],
    ["go out directly otherwise", "", true],
  ])("%s", async (_, isUsed, isDirect) => {
    asked.length = 0;
    // Its own proxy: what comes directly asks for "/" alone.
    const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = {
      PATH: process.env["PATH"],
      HOST: host,
      NODE_USE_ENV_PROXY: isUsed,
      HTTP_PROXY: `http://${host}`,
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", SCRIPT],
      { env },
    );
    expect(stdout.trim()).toBe("false");
    expect(asked).toEqual([isDirect ? "GET /" : expect.stringContaining(host)]);
  });
});
