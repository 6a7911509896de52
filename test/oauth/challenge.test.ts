import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTokenChallenge } from "../../src/oauth/challenge.ts";

describe("the challenge of a protected resource", () => {
  it.each<[string, object | undefined]>([
    ["", undefined],
    ['Basic realm="x"', undefined],
    ["Bearer", { error: undefined, scopes: undefined, resourceMetadata: undefined, login: {} }],
    [
      'Bearer error="insufficient_user_authentication", acr_values="urn:strong", max_age=60',
      { login: { acrValues: "urn:strong", maxAgeSeconds: 60 } },
    ],
    ['Bearer error="insufficient_user_authentication", acr_values="", max_age="-1"', { login: {} }],
    ['Bearer acr_values="urn:a  urn:b", max_age="99999999999"', { login: {} }],
    [
      'Bearer acr_values="urn:a urn:b", max_age=0',
      { login: { acrValues: "urn:a urn:b", maxAgeSeconds: 0 } },
    ],
    [
      'Bearer error="insufficient_scope", scope="a b"',
      { error: "insufficient_scope", scopes: ["a", "b"] },
    ],
    ["bearer error=invalid_token,scope=a", { error: "invalid_token", scopes: ["a"] }],
    ['Bearer scope=""', { scopes: undefined }],
    [
      'DPoP algs="ES256", resource_metadata="https://api.example/r"',
      { resourceMetadata: "https://api.example/r" },
    ],
    ['Basic realm="a, Bearer error=\\"no\\"", Bearer error="yes"', { error: "yes" }],
    ["Negotiate abc==, Bearer error=yes", { error: "yes" }],
    ['Bearer error="first", error="second"', { error: "first" }],
    ['Bearer realm="a", Bearer error="other", scope="b"', { error: "other", scopes: ["b"] }],
    [
      'DPoP algs="ES256", resource_metadata="https://api.example/r", Bearer error="yes"',
      { error: "yes", resourceMetadata: "https://api.example/r" },
    ],
    ['Bearer scope="first", DPoP scope="second"', { error: undefined, scopes: ["first"] }],
    ['Bearer error_description="say \\"tea\\"", error = "spaced"', { error: "spaced" }],
    [';;; Bearer error="after rubbish"', { error: "after rubbish" }],
    ['Bearer error="open', { error: undefined }],
  ])("reads %s", (header, expected) => {
    const challenge = parseTokenChallenge(header);
    if (expected === undefined) expect(challenge).toBeUndefined();
    else expect(challenge).toMatchObject(expected);
  });

  it("reads every parameter that was quoted by the rules, next to other challenges", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab \\",=;é') }),
        fc.boolean(),
        (error, isLast) => {
          const bearer = `Bearer error="${error.replace(/[\\"]/g, "\\$&")}", x=1`;
          const header = isLast ? `Basic realm="r", ${bearer}` : `${bearer}, Basic realm="r"`;
          expect(parseTokenChallenge(header)?.error).toBe(error);
        },
      ),
    );
  });

  it("reads any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20_000 }), (header) => void parseTokenChallenge(header)),
    );
  });
});
