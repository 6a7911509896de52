import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseCurl } from "../../../../../src/dev/web/timeline/compare/parse-curl.ts";
import {
  CommandProblem,
  parseShellWords,
} from "../../../../../src/dev/web/timeline/compare/shell-words.ts";

const run = promisify(execFile);

interface Received {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: string;
}

/** What curl adds to every request, or computes from it. */
const AUTOMATIC = new Set(["host", "content-length", "accept-encoding"]);

describe("a curl command", () => {
  let server: Server;
  let origin: string;
  let received: Received | undefined;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const headers: Received["headers"] = [];
        for (let at = 0; at < request.rawHeaders.length; at += 2)
          headers.push([
            (request.rawHeaders[at] ?? "").toLowerCase(),
            request.rawHeaders[at + 1] ?? "",
          ]);
        received = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers,
          body: Buffer.concat(chunks).toString(),
        };
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  /** What curl sends when a POSIX shell runs the command. */
  async function sentByCurl(command: string): Promise<Received> {
    received = undefined;
    await run("/bin/bash", ["-c", command], { env: { PATH: process.env["PATH"], NO_PROXY: "*" } });
    if (received === undefined) throw new Error("curl sent nothing.");
    return received;
  }

  /** The parsed command in the same form. */
  function parsed(command: string): Received {
    const { method, url, headers, body = "" } = parseCurl(command);
    return {
      method,
      path: url.slice(origin.length) || "/",
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
      body,
    };
  }

  async function expectSame(command: string): Promise<void> {
    const own = parsed(command);
    const names = new Set(own.headers.map(([name]) => name));
    const real = await sentByCurl(command);
    // curl adds these unless the command has its own.
    const isAdded = (name: string) =>
      AUTOMATIC.has(name) || ((name === "user-agent" || name === "accept") && !names.has(name));
    const sorted = (headers: Received["headers"]) =>
      headers.filter(([name]) => !isAdded(name)).sort();
    // In an encoded form, versions of curl write a space in one of two ways.
    const spaces = command.includes("urlencode")
      ? (text: string) => text.replaceAll("%20", "+")
      : (text: string) => text;
    const comparable = ({ method, path, headers, body }: Received) => [
      method,
      spaces(path),
      sorted(headers),
      spaces(body),
    ];
    expect(comparable(own)).toEqual(comparable(real));
  }

  it.each([
    ["a URL only", "curl URL/a?b=1"],
    ["a URL in single quotes", "curl 'URL/a?b=1&c=2'"],
    [
      "options after the URL, on several lines",
      "curl URL/a \\\n  -H 'X-One: 1' \\\n  -H \"X-Two: two words\"",
    ],
    ["data, which makes a POST of a form", "curl URL/a -d a=1 -d b=2"],
    ["data as JSON", `curl URL/a --json '{"a":"it'\\''s"}'`],
    [
      "data of another type",
      `curl URL/a -H 'Content-Type: application/json' --data-raw '@{"a":1}'`,
    ],
    ["data that is encoded", "curl URL/a --data-urlencode 'q=a b&c/ü' --data-urlencode plain"],
    ["data in the query", "curl -G URL/a?x=1 -d q=1 --data-urlencode 'r=a b'"],
    ["another method", "curl -X PATCH URL/a -d ''"],
    ["another method, written without a space", "curl -sSXDELETE URL/a"],
    ["combined short options", "curl -sSL -H'X-A: 1' URL/a"],
    ["Basic credentials", "curl -u 'name:pass:word ü' URL/a"],
    ["a bearer token", "curl --oauth2-bearer abc URL/a"],
    [
      "a user agent, a referer and cookies",
      "curl -A 'My Agent/1' -e https://from.example/ -b 'a=1; b=2' URL/a",
    ],
    ["a header without a value", "curl -H 'X-Empty;' -H 'X-Gone:' URL/a"],
    [
      "a header of its own in place of an implied one",
      "curl --json '[]' -H 'Accept: text/plain' URL/a",
    ],
    ["double quotes with escapes", 'curl URL/a -d "say \\"hi\\" for \\\\ and \\` and $ 5"'],
    ["ANSI-C quotes, as browsers copy them", "curl URL/a --data-raw $'it\\'s\\u0021 \\n\\t\\x41'"],
    ["a pipe after the command", "curl URL/a | cat"],
    ["a comment after the command", "curl URL/a # the list"],
    ["where the output goes", "curl -s -o /dev/null -m 30 URL/a"],
    ["a URL that is an option", "curl --url URL/a --compressed"],
  ])("with %s is read as curl sends it", async (_name, command) => {
    await expectSame(command.replaceAll("URL", origin));
  });

  it("with any header and any body in quotes is read as curl sends it", async () => {
    const printable = fc.string({
      unit: fc.constantFrom(..."ab9 '\"\\$`!#&;|<>(){}[]*?~=%\u00e9\u4e2d"),
      maxLength: 30,
    });
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const inDouble = (text: string) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`;
    await fc.assert(
      fc.asyncProperty(printable, printable, fc.boolean(), async (header, body, isDouble) => {
        const quote = isDouble ? inDouble : quoted;
        const value = header.replace(/[^\x20-\x7e]/g, "").trim();
        await expectSame(
          `curl ${origin}/a -H ${quote(`X-Any: ${value}`)} --data-raw ${quote(body)}`,
        );
      }),
      { numRuns: 10 },
    );
  });

  it("keeps variables as names, which are not looked up", () => {
    const { headers } = parseCurl(
      `curl https://api.example -H "Authorization: Bearer \${TOKEN}" -H X-Key:$KEY`,
    );
    expect(headers).toEqual([
      ["Authorization", "Bearer \u0001TOKEN\u0002"],
      ["X-Key", "\u0001KEY\u0002"],
    ]);
  });

  it("says which body and headers it does not read", () => {
    expect(parseCurl("curl https://api.example -d @body.json -b jar.txt -F a=@b").notes).toEqual([
      "The command reads its body from a file. This page does not compare the body.",
      "The command sends a multipart form. This page does not compare the parts of the form.",
      "The command reads cookies from a file. This page does not compare these cookies.",
    ]);
  });

  it.each([
    ["wget https://api.example", "This is not a curl command"],
    ["curl", "has no URL"],
    ["curl 'https://api.example", "is not closed"],
    ["curl https://a.example https://b.example", "more than one URL"],
    ["curl https://a.example --next https://b.example", "more than one request"],
    ["curl https://a.example -H", "-H has no value"],
    ["curl https://a.example --unheard-of 1", "does not know the option --unheard-of"],
    ["curl https://a.example -d $(cat secret)", "contains a shell substitution"],
    ["curl https://a.example -d `cat secret`", "contains a shell substitution"],
    ['curl ^"https://a.example^" ^\r\n  -H ^"a: b^"', "Windows"],
  ])("that cannot be read says why: %s", (command, message) => {
    expect(() => parseCurl(command)).toThrow(message);
  });

  it("never fails in another way, whatever is pasted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const command of [text, `curl ${text}`, `curl https://a.example ${text}`]) {
          try {
            parseCurl(command);
          } catch (error) {
            expect(error).toBeInstanceOf(CommandProblem);
          }
        }
      }),
    );
  });

  it("ends at the first operator of the shell", () => {
    expect(parseShellWords("\n curl a && rm b")).toEqual(["curl", "a"]);
  });
});
