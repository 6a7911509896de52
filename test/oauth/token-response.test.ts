import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { readingOfGrant } from "../../src/oauth/step.ts";
import {
  type ReceivedTokenResponse,
  readTokenResponse,
  toTokenSet,
} from "../../src/oauth/token-response.ts";

const NOW = 1_780_000_000_000;

function define(changes: Partial<OAuthDefinition> = {}): OAuthDefinition {
  return {
    type: "OAuth2",
    authorizationUrl: "https://as.example/a",
    tokenUrl: "https://as.example/t",
    ...changes,
  } as OAuthDefinition;
}

function read(body: unknown, definition = define(), received: Partial<ReceivedTokenResponse> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readTokenResponse(
    { status: 200, contentType: "application/json", text, receivedAtMs: NOW, ...received },
    readingOfGrant(definition),
  );
}

/** The token set of a response with tokens. */
function readTokenSet(body: unknown, definition = define(), delimiter = " ") {
  const response = read(body, definition);
  if (response.kind !== "tokens") throw new Error(`It is read as ${JSON.stringify(response)}.`);
  return toTokenSet(response.tokens, delimiter, "none");
}

const tokens = { access_token: "at", token_type: "Bearer" };

describe("readTokenResponse", () => {
  it("never throws, and what it calls tokens always makes a usable token set", () => {
    const names = [
      "access_token",
      "refresh_token",
      "expires_in",
      "expires_at",
      "scope",
      "token_type",
      "id_token",
      "error",
      "ok",
      "__proto__",
    ];
    const members = fc.dictionary(fc.constantFrom(...names, "data", "constructor"), fc.jsonValue());
    const bodies = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      members.map((value) => JSON.stringify(value)),
    );
    const keys = fc.constantFrom(undefined, "data", "data.inner", "__proto__", "constructor.name");
    fc.assert(
      fc.property(bodies, keys, fc.integer({ min: 200, max: 599 }), (text, key, status) => {
        const definition = define({ nestedResponseKey: key });
        const response = readTokenResponse(
          { status, contentType: undefined, text, receivedAtMs: NOW },
          readingOfGrant(definition),
        );
        if (response.kind !== "tokens") return;
        const tokenSet = toTokenSet(response.tokens, ",", "none");
        expect(tokenSet.accessToken).toMatch(/./);
        expect(["string", "undefined"]).toContain(typeof tokenSet.refreshToken);
        if (tokenSet.expiresAtMs !== undefined) expect(tokenSet.expiresAtMs).toBeGreaterThan(NOW);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes a lifetime that moves no clock for an unknown one", () => {
    const response = read({ access_token: "at", expires_in: 5e-324 });
    expect(
      response.kind === "tokens" && toTokenSet(response.tokens, " ", "none").expiresAtMs,
    ).toBeUndefined();
  });

  it("names the members of a response without a token, never their values", () => {
    const response = read({ session: "planted-value", other: 1 });
    expect(response).toMatchObject({
      kind: "invalid",
      reason: 'there is no access_token among "session", "other"',
    });
    expect(JSON.stringify(read("planted-bare-token=="))).not.toContain("planted");
  });

  it("reads an endpoint beside the nested tokens or among them", () => {
    const definition = define({
      nestedResponseKey: "data",
      endpointKey: "site.host",
    } as Partial<OAuthDefinition>);
    for (const body of [
      { site: { host: "eu.example" }, data: { access_token: "at" } },
      { data: { access_token: "at", site: { host: "eu.example" } } },
    ]) {
      const response = read(body, definition);
      expect(response.kind === "tokens" && toTokenSet(response.tokens, " ", "none").endpoint).toBe(
        "eu.example",
      );
    }
  });

  it.each([
    ["a line break", "a\r\nX: y"],
    ["a control character", "a\0b"],
    ["letters beyond Latin 1", "token-\u4e2d"],
    ["half a character", "token-\ud800"],
  ])("refuses an access token with %s, which no header can carry", (_name, access_token) => {
    const response = read(JSON.stringify({ access_token }));
    expect(response).toMatchObject({
      kind: "invalid",
      reason: expect.stringMatching(/^the access_token contains /),
    });
    expect(JSON.stringify(response)).not.toContain("token-");
  });

  it("does not let a provider forge what the normaliser finds", () => {
    const response = read({
      access_token: "at",
      x_expires_at_ms: 1,
      x_endpoint: "evil.example",
      x_original_token_type: "Evil",
      token_type: "Bearer",
    });
    expect(response.kind === "tokens" && toTokenSet(response.tokens, " ", "none")).toMatchObject({
      expiresAtMs: undefined,
      endpoint: undefined,
      tokenType: "Bearer",
    });
  });

  it("reports each deviation that a strict client would refuse", () => {
    expect(
      read({ access_token: 17, expires_in: "3600", scope: ["a"], refresh_token: null }),
    ).toMatchObject({
      deviations: [
        "access_token is a number.",
        "refresh_token is null.",
        "scope is an array.",
        "expires_in is of type string.",
        "token_type is missing.",
      ],
    });
    expect(read({ access_token: "at", token_type: "Bearer", expires_in: 3600 })).toMatchObject({
      deviations: [],
    });
  });
});

describe("a response without tokens", () => {
  it.each([300, 302, 399])("is unusable when it is a redirect: status %i", (status) =>
    expect(read(tokens, define(), { status })).toEqual({ kind: "unusable", reason: "a redirect" }),
  );

  it.each(["", "  \r\n", "\uFEFF"])("is unusable when its body is empty: %j", (text) => {
    expect(read(text)).toEqual({ kind: "unusable", reason: "an empty body" });
    expect(read(text, define(), { status: 299 })).toMatchObject({ kind: "unusable" });
  });

  it("is unusable when it is a part of a response, which a client has not asked for", () => {
    expect(read(tokens, define(), { status: 206 })).toEqual({
      kind: "unusable",
      reason: "a part of a response",
    });
  });

  it.each([400, 500])("is an error without a name when status %i has an empty body", (status) =>
    expect(read("", define(), { status })).toEqual({
      kind: "error",
      error: undefined,
      description: undefined,
      deviations: [],
    }),
  );

  it("is an error of a success status, which is a deviation", () => {
    const body = { error: "invalid_grant" };
    expect(read(body)).toMatchObject({
      kind: "error",
      deviations: ["The error response has status 200; RFC 6749 §5.2 requires 400."],
    });
    expect(read(body, define(), { status: 399 })).toMatchObject({ kind: "unusable" });
    expect(read(body, define(), { status: 400 })).toMatchObject({ kind: "error", deviations: [] });
  });

  it.each<[body: object, error: string | undefined]>([
    [{ error: "invalid_grant" }, "invalid_grant"],
    [{ error: { type: "expired", message: "It expired." } }, "expired"],
    [{ error: { message: "It expired." } }, "It expired."],
    [{ ok: false }, "error"],
    [{ message: "down" }, undefined],
  ])("takes the name of the error from %j", (body, error) =>
    expect(read(body, define(), { status: 400 })).toMatchObject({ kind: "error", error }),
  );

  it("is not an error when a success status has only a message", () => {
    expect(read({ ...tokens, message: "Welcome" })).toMatchObject({ kind: "tokens" });
    expect(read({ ...tokens, ok: false })).toMatchObject({ kind: "error", error: "error" });
  });

  it.each<[body: unknown, description: string | undefined]>([
    [{ error_description: "one", message: "two" }, "one"],
    [{ error: { message: "one" }, message: "two" }, "one"],
    [{ message: "one" }, "one"],
    [{ error_message: "one" }, "one"],
    [{ errmsg: "one" }, "one"],
    [{ errors: [{ message: "one", detail: "two" }] }, "one"],
    [{ errors: [{ detail: "one" }] }, "one"],
    [{ errors: ["one"] }, undefined],
    [{ detail: "one", title: "two" }, "one"],
    [{ title: "one" }, "one"],
    ["<html><title lang=en>Gateway error</title>", "Gateway error"],
    ["<html>no title</html>", undefined],
    [`${" ".repeat(3)}upstream is down`, "upstream is down"],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), undefined],
    [`<html>${"x".repeat(10_000)}<title>late</title>`, undefined],
    ["[not JSON", undefined],
    ['"a text"', "a text"],
    ['"not JSON', undefined],
  ])("takes the description of the error from %j", (body, description) =>
    expect(read(body, define(), { status: 400 })).toMatchObject({ kind: "error", description }),
  );

  it("says that the access token is empty, or among what it is missing", () => {
    expect(read({ access_token: "" })).toMatchObject({ reason: "its access_token is empty" });
    expect(read({ access_token: null })).toMatchObject({ reason: "its access_token is empty" });
    expect(read({ access_token: " \t " })).toMatchObject({ reason: "its access_token is empty" });
    expect(read({ access_token: { a: 1 } })).toMatchObject({
      reason: 'there is no access_token among "access_token"',
    });
    expect(read({})).toMatchObject({
      reason: "there is no access_token among its members: it has none",
    });
  });

  it("names the first 20 members, and 40 characters of each", () => {
    const names = Array.from({ length: 21 }, (_, index) => `m${index}`);
    const { reason } = read(Object.fromEntries(names.map((name) => [name, 1]))) as {
      reason: string;
    };
    expect(reason).toContain('"m19"');
    expect(reason).not.toContain("m20");
    expect(read({ ["y".repeat(41)]: 1 })).toMatchObject({
      reason: `there is no access_token among "${"y".repeat(40)}"`,
    });
  });

  it("says where the declared object is missing", () => {
    const definition = define({ nestedResponseKey: "data.inner" });
    const reason = 'there is no object at "data.inner" next to "data"';
    for (const data of [{}, { inner: 1 }, { inner: null }, "inner"])
      expect(read({ data }, definition)).toMatchObject({ kind: "invalid", reason });
  });

  it.each(["access_token", "refresh_token"])(
    "is refused when its %s is longer than 64 kB",
    (name) => {
      const withLength = (length: number) => read({ ...tokens, [name]: "x".repeat(length) });
      expect(withLength(65_536)).toMatchObject({ kind: "tokens" });
      expect(withLength(65_537)).toMatchObject({
        kind: "invalid",
        reason: `the ${name} is longer than 64 kB`,
      });
    },
  );

  it("is not read when it is a form without a known member, or two objects", () => {
    for (const body of ["token=at", "at==", [tokens, tokens], [], "[1]"])
      expect(read(body)).toMatchObject({
        kind: "invalid",
        reason: "the body is neither a JSON object nor a form",
      });
  });
});

describe("a response with tokens", () => {
  it("keeps the former access token when the definition says that a refresh leaves it", () => {
    const received = {
      status: 200,
      contentType: "application/json",
      text: JSON.stringify({ expires_in: 60 }),
      receivedAtMs: NOW,
    };
    const keeps = readingOfGrant(define({ tokenResponse: { refreshKeepsToken: true } }));
    expect(readTokenResponse(received, keeps, "old")).toMatchObject({
      kind: "tokens",
      tokens: { accessToken: "old" },
    });
    const other = readingOfGrant(define());
    expect(readTokenResponse(received, other, "old")).toMatchObject({ kind: "invalid" });
    const renewed = { ...received, text: JSON.stringify(tokens) };
    expect(readTokenResponse(renewed, keeps, "old")).toMatchObject({
      tokens: { accessToken: "at" },
    });
  });

  it("keeps an ID token apart, because nothing has validated it yet", () => {
    const response = read({ ...tokens, id_token: "a.b.c", sub: "u" });
    expect(response).toMatchObject({ tokens: { idToken: "a.b.c", extra: { sub: "u" } } });
    expect(readTokenSet({ ...tokens, id_token: "a.b.c" }).extra).toEqual({
      unvalidated_id_token: "a.b.c",
    });
  });

  it("is read by the names that the definition declares, which are moved", () => {
    const definition = define({
      tokenResponse: { accessToken: "session.key", refreshToken: "renewal", expiresIn: "ttl" },
    });
    const response = read({ session: { key: "at" }, renewal: "rt", ttl: 60 }, definition);
    expect(response).toMatchObject({
      tokens: { accessToken: "at", refreshToken: "rt", expiresInSeconds: 60 },
      members: { access_token: "at", refresh_token: "rt", expires_in: 60 },
    });
    expect(response).not.toHaveProperty("members.renewal");
    expect(response).not.toHaveProperty("members.ttl");
  });

  it("has its lifetime in seconds when the definition says that it comes in milliseconds", () => {
    const definition = define({ tokenResponse: { expiresInUnit: "milliseconds" } });
    expect(readTokenSet({ ...tokens, expires_in: 60_000 }, definition).expiresAtMs).toBe(
      NOW + 60_000,
    );
    expect(readTokenSet({ ...tokens, expires_in: "60000" }, definition).lifetimeMs).toBe(60_000);
    expect(readTokenSet(tokens, definition).expiresAtMs).toBeUndefined();
    expect(readTokenSet({ ...tokens, expires_in: "soon" }, definition).expiresAtMs).toBeUndefined();
  });

  it.each<[expiry: object, seconds: number | undefined]>([
    [{ expires_in: 1 }, 1],
    [{ expires_in: 1e9 }, 1e9],
    [{ expires_in: NOW / 1_000 + 60 }, 60],
    [{ expires_in: NOW + 60_000 }, 60],
    [{ expires_in: 1e11 }, 1e11 - NOW / 1_000],
    [{ expires_in: "2026-05-28" }, undefined],
    [{ expires_in: " " }, undefined],
    [{ expires_at: NOW / 1_000 + 60 }, 60],
    [{ expires_at: NOW + 60_000 }, 60],
    [{ expires_at: new Date(NOW + 60_000).toISOString() }, 60],
    [{ expires_at: String(NOW / 1_000 + 60) }, 60],
    [{ expires_at: 3600 }, undefined],
    [{ expires_at: "2026-99-99" }, undefined],
    [{ expires_in: 30, expires_at: NOW + 60_000 }, 30],
    [{ expires_in: "never", expires_at: NOW + 60_000 }, 60],
    [{ expires_at: 8.64e15 }, (8.64e15 - NOW) / 1_000],
    [{ expires_at: 8.641e15 }, undefined],
  ])("with the expiry %j lives for %s seconds", (expiry, seconds) => {
    const tokenSet = readTokenSet({ ...tokens, ...expiry });
    expect(tokenSet.expiresAtMs).toBe(seconds === undefined ? undefined : NOW + seconds * 1_000);
    expect(tokenSet.lifetimeMs).toBe(seconds === undefined ? undefined : seconds * 1_000);
  });

  it.each<[scope: string, delimiter: string, scopes: string[]]>([
    ["a b", " ", ["a", "b"]],
    [" a  b ", " ", ["a", "b"]],
    ["a,b", " ", ["a", "b"]],
    [" a,b ", " ", ["a", "b"]],
    ["a,b c", " ", ["a,b", "c"]],
    ["a+b c", "+", ["a", "b", "c"]],
    ["a,b", "+", ["a,b"]],
  ])("reads the scope %j with the delimiter %j as %j", (scope, delimiter, scopes) =>
    expect(readTokenSet({ ...tokens, scope }, define(), delimiter).scopes).toEqual(scopes),
  );

  it("leaves what is not a text out of a list of scopes", () =>
    expect(readTokenSet({ ...tokens, scope: ["a", 1, "b"] }).scopes).toEqual(["a", "b"]));

  it("names what differs from RFC 6749 around the tokens", () => {
    const deviations = (body: unknown, received: Partial<ReceivedTokenResponse>, key?: string) => {
      const response = read(body, define({ nestedResponseKey: key }), received);
      return response.kind === "tokens" ? response.deviations : response;
    };
    expect(deviations(tokens, { status: 201 })).toEqual([
      "The status is 201; RFC 6749 §5.1 requires 200.",
    ]);
    expect(deviations(tokens, { contentType: "text/html" })).toEqual([
      "The content type is text/html.",
    ]);
    expect(deviations(tokens, { contentType: undefined })).toEqual([
      "The content type is missing.",
    ]);
    expect(deviations(tokens, { contentType: "Application/Vnd.x+JSON; charset=utf-8" })).toEqual(
      [],
    );
    expect(deviations({ data: tokens }, {}, "data")).toEqual(["The tokens are nested."]);
    expect(deviations([tokens], {})).toEqual(["The body is an array with one object."]);
    expect(deviations("access_token=at&token_type=bearer", {})).toEqual([
      "The body is form-encoded; RFC 6749 §5.1 requires JSON.",
    ]);
  });

  it("names what differs from RFC 6749 in its members", () => {
    expect(
      read({ accessToken: "at", refresh_token: [1], token_type: "mac", expires_in: -1, scope: 5 }),
    ).toMatchObject({
      deviations: [
        "access_token is called accessToken.",
        "refresh_token is of type object.",
        "scope is of type number.",
        "expires_in is not a lifetime.",
        "token_type is not Bearer.",
      ],
    });
    expect(read({ ...tokens, id_token: "", expires_at: NOW + 1_000 })).toMatchObject({
      deviations: ["id_token is empty.", "The provider sends the expiry as expires_at."],
    });
  });

  it("prefers the standard name of a member to another one", () =>
    expect(readTokenSet({ ...tokens, accessToken: "other" }).accessToken).toBe("at"));

  it("is bound to the key of its request when its type is DPoP", () => {
    const bind = (token_type: string) => {
      const response = read({ ...tokens, token_type });
      return response.kind === "tokens" && toTokenSet(response.tokens, " ", "none", "key");
    };
    expect(bind("dpop")).toMatchObject({ tokenType: "dpop", dpopKey: "key" });
    expect(bind("Bearer")).not.toHaveProperty("dpopKey");
  });

  it("lists the names that its members had, without what was computed", () => {
    const response = read({ ...tokens, id_token: "a.b.c", expires_in: 60, extra: 1 });
    expect(response.kind === "tokens" && Object.keys(response.members).sort()).toEqual([
      "access_token",
      "expires_in",
      "extra",
      "id_token",
      "token_type",
    ]);
  });
});
