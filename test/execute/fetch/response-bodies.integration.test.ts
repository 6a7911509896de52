import { describe, expect, it } from "vitest";
import { executeFormula } from "../../../src/execute/execute-target.ts";
import { createHostFetcher } from "../../../src/execute/fetch/fetcher.ts";
import { createIsolate } from "../../../src/sandbox/host/isolate.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { startTestServer } from "../http-server.ts";

const URL_OF_BODY = "https://api.tasks.example/body";

function writePack(body: string): string {
  return `"use strict";
module.exports.pack = { networkDomains: ["api.tasks.example"], formulas: [{ name: "Run", description: "Runs.", parameters: [], resultType: "object",
  execute: async (args, ctx) => { const get = () => ctx.fetcher.fetch({ method: "GET", url: "${URL_OF_BODY}", cacheTtlSecs: 0 }); ${body} } }] };`;
}

async function inSandbox(code: string, type: string, body: string | Buffer) {
  await using server = await startTestServer(
    (_, response) => void response.setHeader("content-type", type).end(body),
  );
  await using isolate = await createIsolate({ code: writePack(code), fileName: "bundle.js" });
  const routes = { "https://api.tasks.example": server.origin };
  const run = await executeFormula({ isolate, formula: "Run", args: [], routes });
  const fetcher = createHostFetcher({
    definition: isolate.definition,
    routes,
    redactor: createRedactor(),
    onRequest: () => undefined,
  });
  const direct = await fetcher.fetch({ method: "GET", url: URL_OF_BODY });
  return {
    seen: run,
    direct: direct.ok ? (direct.response as { body?: unknown }).body : undefined,
  };
}

const JSON_TYPE = "application/json";

describe("the body of a response in the sandbox", () => {
  it.each([
    ["an object", JSON_TYPE, '{"a":[1,-0,1e400,null,true,"\\ud800é"]}'],
    ["a number", JSON_TYPE, "7"],
    ["null", JSON_TYPE, "null"],
    ["another JSON type", "application/vnd.api+json; charset=utf-8", '{"a":1}'],
    ["JSON of another type", "text/plain", ' [{"a":1}]'],
    ["text of another type", "text/plain", "7"],
    ["JSON that is none", JSON_TYPE, '{"a":'],
    ["JSON that ends the message", JSON_TYPE, '{}}{"k":"call"}'],
    [
      "members like the tags of the border",
      JSON_TYPE,
      '{"$":"undefined","v":[{"$":"date","v":0}]}',
    ],
    ["a member __proto__", JSON_TYPE, '{"__proto__":{"isAdmin":true},"a":1}'],
    ["a byte order mark", JSON_TYPE, Buffer.from('\uFEFF{"a":1}')],
    [
      "another character set",
      "application/json; charset=iso-8859-1",
      Buffer.from('{"a":"é"}', "latin1"),
    ],
    ["ASCII that is none", "application/json; charset=us-ascii", Buffer.from('"é"', "latin1")],
    ["an unknown character set", "application/json; charset=none", Buffer.from('"é"')],
    ["XML", "application/xml", "<a><b>1</b></a>"],
    [
      "XML in another character set",
      "text/xml; charset=iso-8859-1",
      Buffer.from('<a x="é"><b>ü</b></a>', "latin1"),
    ],
    ["XML that is none", "application/xml", "<a><b>1</a>"],
    ["XML with a member __proto__", "application/xml", "<a><__proto__>1</__proto__></a>"],
    [
      "a large text in another character set",
      "text/plain; charset=utf-16le",
      Buffer.from(`\uFEFF${"Grüße 😀\n".repeat(60_000)}`, "utf16le"),
    ],
    ["nothing", JSON_TYPE, ""],
  ])("is what the host reads: %s", async (_, type, body) => {
    const { seen, direct } = await inSandbox(
      "const response = await get(); return { names: Object.keys(response), body: response.body };",
      type,
      body,
    );
    const names = body === "" ? ["status", "headers"] : ["status", "headers", "body"];
    expect(seen.result).toEqual({ names, body: direct });
  });

  it("is parsed by the JSON.parse that the Pack did not change, and is set past its setters", async () => {
    const { seen } = await inSandbox(
      `JSON.parse = () => "mine";
       Object.defineProperty(Object.prototype, "body", { set() { throw new Error("a setter ran"); }, get() { return "inherited"; }, configurable: true });
       const { body } = await get();
       delete Object.prototype.body;
       return body;`,
      JSON_TYPE,
      '{"a":1}',
    );
    expect(seen.result).toEqual({ a: 1 });
  });

  it("is the text of an XML body if the Pack broke what reads XML", async () => {
    const { seen } = await inSandbox(
      `RegExp.prototype.exec = () => { throw new Error("mine"); };
       return { body: (await get()).body };`,
      "application/xml",
      "<a>1</a>",
    );
    expect(seen.result).toEqual({ body: "<a>1</a>" });
  });

  it("may be nested as deeply as JSON.parse reads it", async () => {
    const count =
      "let depth = 0; for (let at = (await get()).body; Array.isArray(at); at = at[0]) depth += 1; return { depth };";
    const { seen } = await inSandbox(count, JSON_TYPE, "[".repeat(2_000) + "]".repeat(2_000));
    expect(seen.result).toEqual({ depth: 2_000 });
  });

  it.each([
    ["by its name", '{"access_token":"named-secret-1"}'],
    ["by its name in capitals", '{"Access_Token" : "named-secret-1"}'],
    ["by a name with an escape", '{"access\\u005ftoken":"named-secret-1"}'],
  ])("hides what is secret %s from the console", async (_, body) => {
    const { seen } = await inSandbox(
      `console.log("got", Object.values((await get()).body)[0]); return {};`,
      JSON_TYPE,
      body,
    );
    expect(JSON.stringify(seen.logs)).not.toContain("named-secret-1");
  });
});

describe("the error of a failed request in the sandbox", () => {
  const words = "No tasks today. ".repeat(5_000);
  const ENCODINGS: Record<string, BufferEncoding> = {
    "utf-16le": "utf16le",
    "iso-8859-1": "latin1",
  };

  it.each([
    ["a large JSON body", JSON_TYPE, JSON.stringify({ error: { detail: words } })],
    ["a large body that is a JSON text", JSON_TYPE, JSON.stringify(words)],
    ["a large text", "text/plain", words],
    ["a large XML body", "application/xml", `<a><b>${words}</b></a>`],
    ["a large text in another character set", "text/plain; charset=utf-16le", `${words}é`],
    ["a small JSON body", JSON_TYPE, '{"error":"none"}'],
    ["a small text in another character set", "text/plain; charset=iso-8859-1", "é"],
    ["a large text in that character set", "text/plain; charset=iso-8859-1", `${words}é`],
  ])("is complete: %s", async (_, type, text) => {
    const encoding = ENCODINGS[/charset=(.*)/.exec(type)?.[1] ?? ""] ?? "utf8";
    const body = Buffer.from(text, encoding);
    await using server = await startTestServer(
      (_request, response) =>
        void response
          .writeHead(500, { "content-type": type, "content-length": body.length })
          .end(body),
    );
    const code = writePack(
      `try { await get(); } catch (error) {
         const { name, message, statusCode, body, response } = error;
         return { names: Object.keys(error), name, message, statusCode, body, text: response.body, isSame: JSON.stringify(body) === JSON.stringify(error.error) };
       }`,
    );
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    const routes = { "https://api.tasks.example": server.origin };
    const run = await executeFormula({ isolate, formula: "Run", args: [], routes });
    const shown =
      type === JSON_TYPE ? JSON.parse(text) : type.includes("xml") ? { b: [words] } : text;
    const message = `500 - ${JSON.stringify(shown)}`;
    expect(run.result).toEqual({
      names: ["name", "statusCode", "body", "error", "options", "response"],
      name: "StatusCodeError",
      message: message.length > 2_000 ? `${message.slice(0, 2_000)}…` : message,
      statusCode: 500,
      body: shown,
      text,
      isSame: true,
    });
  });

  it("is one of many, of which the host keeps few", async () => {
    let count = 0;
    await using server = await startTestServer((_request, response) => {
      count += 1;
      response.writeHead(500, { "content-type": "text/plain" }).end(`Failure ${count}`);
    });
    const code = writePack(
      `let first;
       for (let count = 0; count < 150; count++) await get().catch((error) => { first ??= error; });
       throw first;`,
    );
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    const routes = { "https://api.tasks.example": server.origin };
    const run = executeFormula({ isolate, formula: "Run", args: [], routes });
    await expect(run).rejects.toMatchObject({
      code: "FETCH_STATUS",
      message: '500 - "Failure 1"',
      details: { status: 500 },
    });
  });
});
