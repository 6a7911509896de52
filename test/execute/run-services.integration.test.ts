import { describe, expect, it } from "vitest";
import { createSecretSession } from "../../src/accounts/entered-credentials.ts";
import { createBlobStore } from "../../src/execute/blob-store.ts";
import { executeFormula } from "../../src/execute/execute-target.ts";
import { createIsolate, type Isolate } from "../../src/sandbox/host/isolate.ts";
import { json, startTestServer } from "./http-server.ts";

const ORIGIN = "https://api.tasks.example";

/** A Pack with one formula whose body is given; `args` and `context` are in scope. */
function loadPack(body: string, more = "resultType: 'string'"): Promise<Isolate> {
  const formula = `{ name: "Run", description: "Runs.", parameters: [], ${more}, execute: async (args, context) => {${body}} }`;
  return createIsolate({
    code: `"use strict"; const url = ${JSON.stringify(ORIGIN)};
      module.exports.pack = { networkDomains: ["api.tasks.example"], formulas: [${formula}], syncTables: [], formats: [], skills: [] };`,
    fileName: "bundle.js",
  });
}

describe("what a formula finds in its context", () => {
  it("Custom templates carry the token of the invocation", async () => {
    await using server = await startTestServer((request, response) =>
      json(response, 200, { key: request.headers["x-key"] === "s3cret-key" }),
    );
    await using isolate = await loadPack(
      "return String((await context.fetcher.fetch({ method: 'GET', url, headers: { 'X-Key': '{{key-' + context.invocationToken + '}}' } })).body.key);",
    );
    const account = createSecretSession({
      authentication: { type: "Custom", params: [{ name: "key", description: "" }] },
      secrets: { key: "s3cret-key" },
    });
    const { result } = await executeFormula({
      isolate,
      formula: "Run",
      args: [],
      account,
      routes: { [ORIGIN]: server.origin },
    });
    expect(result).toBe("true");
  });

  it("a blob storage that keeps bytes and URLs", async () => {
    await using server = await startTestServer((request, response) =>
      response
        .writeHead(200, { "content-type": "image/gif" })
        .end(`gif of ${request.headers.authorization}`),
    );
    await using isolate = await loadPack(
      `const storage = context.temporaryBlobStorage;
       return [
         await storage.storeBlob(new Uint8Array([1, 2, 3]), "image/png"),
         await storage.storeUrl(url + "/private.gif", { downloadFilename: "a.gif" }),
         await storage.storeUrl(url + "/public.gif", { contentType: "image/webp" }, { disableAuthentication: true }),
       ];`,
      "resultType: 'array', items: { type: 'string', codaType: 'image' }",
    );
    await using blobs = createBlobStore();
    const account = createSecretSession({
      authentication: { type: "HeaderBearerToken" },
      secrets: { token: "token-1" },
    });
    const run = await executeFormula({
      isolate,
      formula: "Run",
      args: [],
      account,
      blobs,
      routes: { [ORIGIN]: server.origin },
    });
    const responses = await Promise.all((run.result as string[]).map((url) => fetch(url)));
    expect(responses.map(({ headers }) => headers.get("content-type"))).toEqual([
      "image/png",
      "image/gif",
      "image/webp",
    ]);
    expect(Buffer.from(await (responses[0] as Response).arrayBuffer())).toEqual(
      Buffer.from([1, 2, 3]),
    );
    // What a server repeats of the credentials does not reach the store.
    expect(await responses[1]?.text()).toBe("gif of Bearer *******");
    expect(await responses[2]?.text()).toBe("gif of undefined");
    expect(run.requests).toHaveLength(2);
  });

  it.each([
    ["bytes that are none", 'storeBlob("text", "image/png")', "BLOB_REFUSED"],
    ["no media type", "storeBlob(new Uint8Array(1))", "BLOB_REFUSED"],
    ["an undeclared host", 'storeUrl("https://other.example/")', "FETCH_HOST_REFUSED"],
    [
      "a lifetime that is text",
      'storeBlob(new Uint8Array(1), "image/png", { expiryMs: "1" })',
      "BLOB_REFUSED",
    ],
  ])("a blob storage that refuses %s", async (_, call, code) => {
    await using isolate = await loadPack(`return await context.temporaryBlobStorage.${call};`);
    await using blobs = createBlobStore();
    await expect(
      executeFormula({ isolate, formula: "Run", args: [], blobs }),
    ).rejects.toMatchObject({ code });
    await expect(executeFormula({ isolate, formula: "Run", args: [] })).rejects.toMatchObject({
      code: code === "FETCH_HOST_REFUSED" ? "BLOB_REFUSED" : code,
    });
  });

  it("a StatusCodeError that is whole inside, and outside as the cause of the failure (weakness 23)", async () => {
    await using server = await startTestServer((_, response) =>
      json(response, 409, { why: "taken" }),
    );
    await using isolate = await loadPack(
      "await context.fetcher.fetch({ method: 'PUT', url, body: 'x' }); return '';",
    );
    const failure = await executeFormula({
      isolate,
      formula: "Run",
      args: [],
      routes: { [ORIGIN]: server.origin },
    }).catch((error) => error);
    expect(failure).toMatchObject({
      code: "FETCH_STATUS",
      details: { status: 409 },
      cause: {
        name: "StatusCodeError",
        message: '409 - {"why":"taken"}',
        statusCode: 409,
        body: { why: "taken" },
        error: { why: "taken" },
        options: { method: "PUT", url: ORIGIN, body: "x" },
        response: { body: '{"why":"taken"}', headers: { "content-type": "application/json" } },
      },
    });
  });

  it("equal requests of one run are sent once", async () => {
    await using server = await startTestServer((_, response, count) =>
      json(response, 200, { count }),
    );
    await using isolate = await loadPack(
      "const get = async () => (await context.fetcher.fetch({ method: 'GET', url })).body.count; return [await get(), await get()].join();",
    );
    const routes = { [ORIGIN]: server.origin };
    expect((await executeFormula({ isolate, formula: "Run", args: [], routes })).result).toBe(
      "1,1",
    );
    expect((await executeFormula({ isolate, formula: "Run", args: [], routes })).result).toBe(
      "2,2",
    );
  });
});
