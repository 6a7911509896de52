import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { checkSecrets } from "../../src/accounts/entered-credentials.ts";
import { createOutput } from "../../src/cli/output.ts";
import { PackError } from "../../src/errors.ts";
import { maskResponse } from "../../src/execute/fetch/fetch-response.ts";
import { createHostFetcher } from "../../src/execute/fetch/fetcher.ts";
import { readingOfGrant } from "../../src/oauth/step.ts";
import { readTokenResponse } from "../../src/oauth/token-response.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { chooseCases } from "../support/breadth.ts";

const oauth = {
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/a",
  tokenUrl: "https://login.tasks.example/t",
} as const;
const token = (length: number) =>
  Array.from({ length }, (_, index) => "eyJ0b2tlbi5+/=-_"[(index * 7 + (index >> 4)) % 16]).join(
    "",
  );

describe("a long access token", () => {
  it.each(chooseCases([3_500, 4_000, 8_000, 16_000, 28_000, 64_000], 6))(
    "of %i characters is sent once, and masked where the server sends it back",
    async (length) => {
      const secret = token(length);
      let received = 0;
      const server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => {
        received += 1;
        const seen = (request.headers.authorization ?? "").slice("Bearer ".length);
        // A client takes 16 kB of headers.
        if (length <= 8_000) response.setHeader("x-echo", seen);
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({
            seen,
            twice: JSON.stringify({ seen }),
            encoded: encodeURIComponent(seen),
            base64: Buffer.from(seen).toString("base64"),
          }),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const fetcher = createHostFetcher({
          definition: {
            networkDomains: ["api.tasks.example"],
            formulas: [],
            formats: [],
            syncTables: [],
            skills: [],
          } as never,
          account: {
            endpoint: undefined,
            authentication: oauth,
            getAccessToken: async () => secret,
            renewAfterUnauthorized: async () => undefined,
          },
          routes: {
            "https://api.tasks.example": `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          },
          redactor: createRedactor(),
          onRequest: () => {},
        });
        const result = await fetcher.fetch({
          method: "POST",
          url: "https://api.tasks.example/echo",
          body: "1",
        });
        if (!result.ok) throw result.error;
        expect(received).toBe(1);
        const { seen, twice, encoded, base64 } = (result.response as { body: unknown })
          .body as Record<string, string>;
        expect(seen).toBe("*".repeat(length));
        for (const text of [twice, encoded, base64]) expect(text).toMatch(/\*{1000}/);
        expect(JSON.stringify(result.response).includes(secret.slice(0, 60))).toBe(false);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  );

  it.each(chooseCases([28_000, 64_000], 2))(
    "of %i characters does not break the error printer, which hides all secrets",
    (length) => {
      const secrets = [
        token(length),
        token(length).split("").reverse().join(""),
        "the-client-secret",
      ];
      const redactor = createRedactor();
      for (const secret of secrets) redactor.add(secret);
      let printed = "";
      const stderr = {
        write: (text: string) => {
          printed += text;
        },
      } as unknown as NodeJS.WritableStream;
      const output = createOutput(
        { stdout: stderr, stderr, stdin: process.stdin, env: {}, cwd: "/" },
        false,
        redactor,
      );
      const cause = new Error(`a library quotes ${secrets.join(" ")}`);
      output.error(
        new PackError("INTERNAL", `It failed: ${secrets.join(", ")}.`, {
          details: undefined,
          hint: secrets[2],
          cause,
        }),
        true,
      );
      expect(printed).toMatch(/INTERNAL {2}It failed: ••••\w\w, ••••\w\w, ••••\w\w\./);
      for (const secret of secrets) expect(printed).not.toContain(secret.slice(0, 17));
    },
  );
});

describe("more than 64 kB", () => {
  it.each(["access_token", "refresh_token"])(
    "is refused as %s, and the reason has no part of it",
    (name) => {
      const body = (length: number) =>
        JSON.stringify({ access_token: "short", token_type: "Bearer", [name]: token(length) });
      const received = (length: number) => ({
        status: 200,
        contentType: "application/json",
        text: body(length),
        receivedAtMs: 0,
      });
      expect(readTokenResponse(received(65_536), readingOfGrant(oauth))).toMatchObject({
        kind: "tokens",
      });
      expect(readTokenResponse(received(65_537), readingOfGrant(oauth))).toEqual({
        kind: "invalid",
        reason: `the ${name} is longer than 64 kB`,
        deviations: [],
      });
    },
  );

  it("is refused as an entered credential", () => {
    expect(checkSecrets({ type: "HeaderBearerToken" }, { token: token(65_536) })).toBeDefined();
    expect(() => checkSecrets({ type: "HeaderBearerToken" }, { token: token(65_537) })).toThrow(
      /token is not allowed: it is longer than 64 kB/,
    );
  });
});

it("a failure of masking is an error of its own, and shows nothing of what was searched", () => {
  const matcher = {
    isEmpty: false,
    add: () => {},
    replace: (text: string) => text,
    find: (): never => {
      throw new RangeError("no memory for planted-token");
    },
  };
  const bytes = Buffer.from("planted-token");
  let thrown: unknown;
  try {
    maskResponse(
      { status: 200, headers: { "x-echo": "planted-token" }, bytes },
      matcher,
      "api.tasks.example",
    );
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "FETCH_UNMASKED", details: { host: "api.tasks.example" } });
  const { message, hint, cause } = thrown as PackError;
  expect(`${message} ${hint}`).not.toMatch(/planted|try again/i);
  expect(cause).toBeUndefined();
});

it("the redactor never throws, and does not show what it could not search", () => {
  const redactor = createRedactor();
  redactor.addFound(() => {
    throw new RangeError("planted-secret");
  });
  expect(redactor.text("planted-secret")).toBe(
    "[not shown: this text could not be searched for secrets]",
  );
  const hostile = Object.defineProperty({}, "member", {
    enumerable: true,
    get: () => {
      throw new Error("planted-secret");
    },
  });
  expect(JSON.stringify(redactor.value({ hostile, fine: 1 }))).toBe(
    '{"hostile":"[unreadable]","fine":1}',
  );
});
