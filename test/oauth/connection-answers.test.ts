import { describe, expect, it } from "vitest";
import { readCallbackParams } from "../../src/oauth/connection-answers.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";

const definition = {
  type: "OAuth2",
  authorizationUrl: "https://login.books.example/authorize",
  tokenUrl: "{callback.server}/token",
  callbackParams: [{ name: "server", kind: "origin", domains: ["books.example"] }],
} as unknown as OAuthDefinition;

const read = (server: string) => readCallbackParams(definition, new URLSearchParams({ server }));

describe("an origin in a callback", () => {
  it.each(["https://books.example", "https://eu.books.example"])("can be %s", (server) => {
    expect(read(server)).toEqual({ server });
  });

  it.each([
    "http://eu.books.example",
    "https://eu.books.example/",
    "https://eu.books.example/path",
    "https://eu.books.example:8443",
    "https://user@eu.books.example",
    "https://EU.books.example",
    "https://books.example.evil.example",
    "https://other.example",
    "eu.books.example",
  ])("cannot be %s", (server) => {
    expect(() => read(server)).toThrow(expect.objectContaining({ code: "OAUTH_CALLBACK_INVALID" }));
  });
});
