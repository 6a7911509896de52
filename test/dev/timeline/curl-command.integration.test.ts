import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Authentication } from "../../../src/define/authentication.ts";
import { curlCommand } from "../../../src/dev/timeline/curl-command.ts";

const GET = {
  method: "GET",
  url: "https://api.example/a",
  requestHeaders: {},
  requestBody: undefined,
};

function writeCommand(
  sent: Partial<Parameters<typeof curlCommand>[0]>,
  authentication?: Authentication,
) {
  return curlCommand({ ...GET, ...sent }, { authentication, routes: {} });
}

/** What a shell hands to curl. */
function parseArguments(text: string, env: Record<string, string> = {}): string[] {
  return argumentsOfEach([text], env)[0] ?? [];
}

/** The same for several commands, which run in one shell. */
function argumentsOfEach(
  commands: readonly string[],
  env: Record<string, string> = {},
): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\001'; }\n${commands.join("\n")}`;
  const output = execFileSync("/bin/sh", ["-c", script], { env, encoding: "utf8" });
  return output
    .split("\u0001")
    .slice(0, -1)
    .map((list) => list.split("\0").slice(0, -1));
}

describe("a request as a curl command", () => {
  it("hands every text to curl as it is, whatever the shell would make of it", () => {
    const text = fc
      .string({ unit: "binary", maxLength: 40 })
      .map((value) => value.replace(/[\0\u0001\u0002•]/g, "") || "x");
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 10, maxLength: 10 }), (requests) => {
        const sent = requests.map(([value, body]) => ({
          header: value.replace(/[\r\n]/g, "").trim() || "x",
          body,
        }));
        const commands = sent.map(({ header, body }) =>
          writeCommand({ method: "PUT", requestHeaders: { "X-Note": header }, requestBody: body }),
        );
        expect(commands.flatMap(({ variables }) => variables)).toEqual([]);
        expect(argumentsOfEach(commands.map((command) => command.text))).toEqual(
          sent.map(({ header, body }) => [
            GET.url,
            "-X",
            "PUT",
            "-H",
            `X-Note: ${header}`,
            "--data-raw",
            body,
          ]),
        );
      }),
      { numRuns: 6 },
    );
  });

  it("names what is hidden after the place where it stood, and takes its value from the shell", () => {
    const { text, variables } = writeCommand({
      method: "POST",
      url: "https://api.example/a?key=••••x1&page=2",
      requestHeaders: { "content-type": "application/json", cookie: "••••" },
      requestBody: '{"clientSecret": "••••ab", "note": "it\'s $HOME `x`"}',
    });
    expect(variables).toEqual(["KEY", "COOKIE", "CLIENT_SECRET"]);
    const env = { KEY: "k'1 $x", COOKIE: "c", CLIENT_SECRET: "s" };
    expect(parseArguments(text, env)).toEqual([
      "https://api.example/a?key=k'1 $x&page=2",
      "-H",
      "content-type: application/json",
      "-H",
      "cookie: c",
      "--data-raw",
      '{"clientSecret": "s", "note": "it\'s $HOME `x`"}',
    ]);
  });

  it.each<[string, Authentication, string[], string]>([
    [
      "OAuth2",
      { type: "OAuth2", authorizationUrl: "", tokenUrl: "" },
      ["ACCESS_TOKEN"],
      `-H 'Authorization: Bearer '"\${ACCESS_TOKEN}"`,
    ],
    [
      "OAuth2 in the URL",
      { type: "OAuth2", authorizationUrl: "", tokenUrl: "", tokenQueryParam: "auth" },
      ["ACCESS_TOKEN"],
      `'https://api.example/a?auth='"\${ACCESS_TOKEN}"`,
    ],
    [
      "a bearer token",
      { type: "HeaderBearerToken" },
      ["TOKEN"],
      `-H 'Authorization: Bearer '"\${TOKEN}"`,
    ],
    [
      "a header",
      { type: "CustomHeaderToken", headerName: "X-Key", tokenPrefix: "key" },
      ["TOKEN"],
      `-H 'X-Key: key '"\${TOKEN}"`,
    ],
    [
      "a parameter",
      { type: "QueryParamToken", paramName: "k" },
      ["TOKEN"],
      `'https://api.example/a?k='"\${TOKEN}"`,
    ],
    [
      "several headers",
      {
        type: "MultiHeaderToken",
        headers: [
          { name: "X-App-Id", description: "" },
          { name: "X-2nd", description: "" },
        ],
      },
      ["X_APP_ID", "X_2ND"],
      `-H 'X-2nd: '"\${X_2ND}"`,
    ],
    [
      "user name and password",
      { type: "WebBasic" },
      ["USERNAME", "PASSWORD"],
      `-u "\${USERNAME}"':'"\${PASSWORD}"`,
    ],
    [
      "an access key",
      { type: "AWSAccessKey", service: "execute-api" },
      ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
      "--aws-sigv4 'aws:amz:us-east-1:execute-api'",
    ],
  ])("carries the credentials of %s as variables", (_, authentication, variables, part) => {
    const command = writeCommand({}, authentication);
    expect(command.variables).toEqual(variables);
    expect(command.text).toContain(part);
  });

  it("follows the routes of the run, keeps brackets of a URL, and leaves out what curl writes itself", () => {
    const detail = {
      ...GET,
      url: "https://api.example/a?ids[]=1",
      requestHeaders: { Host: "api.example", "Content-Length": "3", "X-Empty": "" },
    };
    const { text } = curlCommand(detail, {
      authentication: undefined,
      routes: { "https://api.example": "http://127.0.0.1:9" },
    });
    expect(parseArguments(text)).toEqual([
      "--globoff",
      "http://127.0.0.1:9/a?ids[]=1",
      "-H",
      "X-Empty;",
    ]);
  });

  it("writes the client authentication of a token request as user name and password", () => {
    const { text, variables } = writeCommand({
      method: "POST",
      requestHeaders: { authorization: "Basic ••••" },
      requestBody: "grant_type=authorization_code&code=••••",
    });
    expect(variables).toEqual(["CLIENT_ID", "CLIENT_SECRET", "CODE"]);
    expect(parseArguments(text, { CLIENT_ID: "a", CLIENT_SECRET: "b", CODE: "c" })).toEqual([
      GET.url,
      "-u",
      "a:b",
      "--data-raw",
      "grant_type=authorization_code&code=c",
    ]);
  });
});
