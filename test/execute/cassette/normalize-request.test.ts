import { describe, expect, it } from "vitest";
import { normalizeRequest } from "../../../src/execute/cassette/normalize-request.ts";
import {
  createSecretPlaceholders,
  fillPlaceholders,
} from "../../../src/execute/cassette/secret-placeholders.ts";
import type { TapedRequest } from "../../../src/oauth/tape.ts";

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6);
const normalize = (request: Partial<TapedRequest>, secrets = createSecretPlaceholders()) =>
  normalizeRequest(
    { purpose: "pack", method: "GET", url: "https://api.example/", body: undefined, ...request },
    { secrets, nowMs: NOW },
  );

describe("normalizeRequest", () => {
  it.each([
    ["the order of members", '{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'],
    ["the present time as text", '{"at":"2026-02-03T04:05:00.123Z"}', '{"at":"{{now}}"}'],
    ["the present time in another zone", '{"at":"2026-02-03T05:05:00+01:00"}', '{"at":"{{now}}"}'],
    ["the present time as a number", `{"at":${NOW - 1000}}`, '{"at":{{now}}}'],
    ["the present time in seconds", `{"at":${Math.floor(NOW / 1000)}}`, '{"at":{{now}}}'],
    [
      "another time, which means something",
      '{"at":"2025-02-03T04:05:00Z","n":1234567890}',
      '{"at":"2025-02-03T04:05:00Z","n":1234567890}',
    ],
    [
      "the token of the invocation",
      '{"key":"{{key-3b241101-e2bb-4255-8caf-4136c566a962}}"}',
      '{"key":"{{key-invocation}}"}',
    ],
  ])("knows %s", (_, body, expected) =>
    expect(normalize({ method: "POST", body }).body).toBe(expected),
  );

  it("leaves numbers that are too big for a number, and text that is no JSON, as they are", () => {
    expect(normalize({ body: "17" }).body).toBe("17");
    expect(normalize({ body: "{broken" }).body).toBe("{broken");
    expect(normalize({ body: new Uint8Array([0, 255]) }).body).toEqual({ base64: "AP8=" });
  });

  it("knows the present time in a URL", () => {
    expect(
      normalize({ url: "https://api.example/?since=2026-02-03T04%3A05%3A06Z&page=2" }).url,
    ).toBe("https://api.example/?since={{now}}&page=2");
  });

  it("hides what is secret in a token request, and keeps what tells it from others", () => {
    const body =
      "grant_type=refresh_token&refresh_token=r3fresh&client_id=client-1&client_secret=s3cret&scope=a+b";
    expect(normalize({ purpose: "token", method: "POST", body }).body).toBe(
      "grant_type=refresh_token&refresh_token={{secret}}&client_id=client-1&client_secret={{secret}}&scope=a b",
    );
    const json = JSON.stringify({ grant_type: "refresh_token", refresh_token: "r3fresh" });
    expect(normalize({ purpose: "token", method: "POST", body: json }).body).toBe(
      '{"grant_type":"refresh_token","refresh_token":"{{secret}}"}',
    );
    expect(
      normalize({ purpose: "token", url: "https://api.example/token?code=c0de&client_id=1" }).url,
    ).toBe("https://api.example/token?code={{secret}}&client_id=1");
  });
});

describe("createSecretPlaceholders", () => {
  it("stands for a secret everywhere, in every form, and is filled with the same made-up value", () => {
    const secrets = createSecretPlaceholders();
    secrets.learnFrom(JSON.stringify({ access_token: "a/b c+d", name: "Ada" }), false);
    const forms = [
      "a/b c+d",
      encodeURIComponent("a/b c+d"),
      JSON.stringify("a/b c+d"),
      Buffer.from("a/b c+d").toString("base64"),
    ];
    const hidden = secrets.hide(forms.join(" "));
    expect(hidden).not.toMatch(/a\/b|a%2Fb/);
    expect(secrets.hide(fillPlaceholders("{{secret:access_token:1}}"))).toBe(
      "{{secret:access_token:1}}",
    );
    expect(secrets.hide("Ada")).toBe("Ada");
  });

  it("takes everything of a token response for a secret that is not known to be none", () => {
    const secrets = createSecretPlaceholders();
    secrets.learnFrom(
      '{"data":{"auth":"opaque-value-1","token_type":"Bearer","expires_in":3600,"host":"eu.example","api":"https://api.example"}}',
      true,
    );
    secrets.learnFrom(
      "<R><Credentials><SecretAccessKey>opaque-value-2</SecretAccessKey></Credentials></R>",
      true,
    );
    secrets.learnFrom("access_token=opaque-value-3&scope=read+write", true);
    expect(
      secrets.hide(
        "opaque-value-1 opaque-value-2 opaque-value-3 eu.example https://api.example read write",
      ),
    ).toBe(
      "{{secret:auth:1}} {{secret:SecretAccessKey:1}} {{secret:access_token:1}} eu.example https://api.example read write",
    );
  });
});
