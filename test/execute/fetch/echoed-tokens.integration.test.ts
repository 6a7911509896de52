import { expect, it } from "vitest";
import { createHostFetcher } from "../../../src/execute/fetch/fetcher.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { startTestServer } from "../http-server.ts";

const TOKEN = "at/canary+1==second/half";

it.each<[string, string, (token: string) => string]>([
  [
    "JSON with escaped slashes",
    "application/json",
    (token) => `{"seen":${JSON.stringify(token).replaceAll("/", "\\/")}}`,
  ],
  [
    "JSON with other escapes",
    "application/json",
    (token) => `{"seen":"${token.replaceAll("/", "\\u002f").replaceAll("+", "\\u002B")}"}`,
  ],
  [
    "JSON as a member name",
    "application/json",
    (token) => `{"${token.replaceAll("/", "\\u002f")}":1}`,
  ],
  [
    "JSON inside JSON",
    "application/json",
    (token) => JSON.stringify({ seen: JSON.stringify(token).replaceAll("/", "\\/") }),
  ],
  [
    "percent-encoded text in lower case",
    "text/plain",
    (token) => encodeURIComponent(token).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ["a form", "text/plain", (token) => new URLSearchParams({ seen: token }).toString()],
  [
    "base64",
    "text/plain",
    (token) => Buffer.from(`Authorization: Bearer ${token}`).toString("base64"),
  ],
])(
  "a Pack does not see its token when a server sends it back as %s",
  async (_, contentType, echo) => {
    for (const status of [200, 400]) {
      await using server = await startTestServer(({ headers }, response) => {
        const token = headers.authorization?.slice("Bearer ".length) ?? "";
        const echoed = {
          "content-type": contentType,
          "x-seen": token,
          "set-cookie": "session=planted-cookie",
        };
        response.writeHead(status, echoed).end(echo(token));
      });
      const definition = {
        networkDomains: ["api.tasks.example"],
        formulas: [],
        formats: [],
        syncTables: [],
        skills: [],
      } as never;
      const authentication = { type: "OAuth2", authorizationUrl: "", tokenUrl: "" } as const;
      const account = {
        endpoint: undefined,
        authentication,
        getAccessToken: async () => TOKEN,
        renewAfterUnauthorized: async () => undefined,
      };
      const fetcher = createHostFetcher({
        definition,
        account,
        redactor: createRedactor(),
        onRequest: () => {},
        routes: { "https://api.tasks.example": server.origin },
      });
      const result = await fetcher.fetch({ method: "GET", url: "https://api.tasks.example/echo" });
      const seen = JSON.stringify(result.ok ? result.response : result.failure);
      expect(seen).not.toContain(TOKEN);
      expect(seen).not.toContain("planted-cookie");
      expect(decodeURIComponent(seen)).not.toContain(TOKEN);
      const unescaped = seen
        .replace(/\\\\/g, "\\")
        .replace(/\\u00(2f|2b)/gi, (found) =>
          String.fromCharCode(Number.parseInt(found.slice(2), 16)),
        );
      expect(unescaped.replaceAll("\\/", "/")).not.toContain(TOKEN);
      for (const [text] of seen.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g))
        expect(Buffer.from(text, "base64").toString("latin1")).not.toContain(TOKEN);
    }
  },
);

// docs/rules.md: rule 25
it.each([true, false])(
  "a token that a Pack gets in a response is hidden in all output, parsed in the sandbox: %s",
  async (leavesBody) => {
    const body = {
      session: {
        access_token: "planted-session-token",
        tokens: [{ refreshToken: "planted-refresh-token" }],
        title: "a long title",
      },
    };
    await using server = await startTestServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const redactor = createRedactor();
    const definition = {
      networkDomains: ["api.tasks.example"],
      formulas: [],
      formats: [],
      syncTables: [],
      skills: [],
    } as never;
    const routes = { "https://api.tasks.example": server.origin };
    const fetcher = createHostFetcher({
      definition,
      redactor,
      onRequest: () => {},
      routes,
    });
    expect(
      await fetcher.fetch(
        { method: "POST", url: "https://api.tasks.example/login" },
        { leavesBody },
      ),
    ).toMatchObject({ ok: true });
    expect(redactor.text("planted-session-token planted-refresh-token")).not.toContain("planted");
    expect(redactor.text("a long title")).toBe("a long title");
  },
);
