import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillTemplates } from "../../../src/execute/fetch/credential-templates.ts";

const invocationToken = "0f8b-11";
const template = (name: string) => `{{${name}-${invocationToken}}}`;
const fill = (
  request: { url?: string; headers?: Record<string, string>; body?: string },
  values: Record<string, string>,
) =>
  fillTemplates(
    { url: "https://api.example/", headers: {}, body: undefined, ...request },
    { invocationToken, values: new Map(Object.entries(values)), parts: ["url", "headers", "body"] },
  );
const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

describe("weakness 15: templates of an account", () => {
  it("are replaced everywhere, each as it must be written there", () => {
    const value = `a"b\\c&d=é/?#`;
    expect(
      fill({ url: `https://api.example/${template("key")}?k=${template("key")}` }, { key: value })
        .url,
    ).toBe(`https://api.example/${encodeURIComponent(value)}?k=${encodeURIComponent(value)}`);
    const body = JSON.stringify({ one: template("key"), two: [template("key")] });
    expect(JSON.parse(String(fill({ body, headers: JSON_TYPE }, { key: value }).body))).toEqual({
      one: value,
      two: [value],
    });
    const form = String(new URLSearchParams({ one: template("key"), other: "1" }));
    expect(
      Object.fromEntries(
        new URLSearchParams(String(fill({ body: form, headers: FORM_TYPE }, { key: value }).body)),
      ),
    ).toEqual({
      one: value,
      other: "1",
    });
    expect(
      fill(
        { body: `key: ${template("key")}`, headers: { "Content-Type": "text/plain" } },
        { key: value },
      ).body,
    ).toBe(`key: ${value}`);
  });

  it("are found in a URL that was encoded before", () => {
    const url = `https://api.example/?k=${encodeURIComponent(template("key"))}&l=${new URLSearchParams({ l: template("key") }).toString().slice(2)}`;
    expect(fill({ url }, { key: "a b" }).url).toBe("https://api.example/?k=a%20b&l=a%20b");
  });

  it("are filled literally, and a value that looks like one is not filled again", () => {
    const values = { a: `$& $1 ${template("b")}`, b: "secret" };
    expect(
      fill({ headers: { "X-A": template("a"), "X-B": template("b") } }, values).headers,
    ).toEqual({ "X-A": values.a, "X-B": "secret" });
  });

  it("of another invocation stay as they are", () => {
    expect(
      fill({ headers: { "X-A": "{{key-other}}", "X-B": "{{key}}" } }, { key: "secret" }).headers,
    ).toEqual({
      "X-A": "{{key-other}}",
      "X-B": "{{key}}",
    });
  });

  it("that name nothing are an error which says what there is", () => {
    expect(() => fill({ url: `https://api.example/?k=${template("kye")}` }, { key: "1" })).toThrow(
      expect.objectContaining({
        code: "FETCH_URL_INVALID",
        message: expect.stringContaining('"kye"'),
        hint: "The account has these values: key.",
      }),
    );
  });

  it("cannot break a header", () => {
    expect(() => fill({ headers: { "X-A": template("key") } }, { key: "snow☃" })).toThrow(
      expect.objectContaining({ code: "FETCH_URL_INVALID" }),
    );
  });

  it("keep every request what it was, for all values", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
        const body = JSON.stringify({ key: template("key"), rest: "x" });
        expect(JSON.parse(String(fill({ body, headers: JSON_TYPE }, { key: value }).body))).toEqual(
          { key: value, rest: "x" },
        );
        const { searchParams } = new URL(
          fill({ url: `https://api.example/?k=${template("key")}&rest=x` }, { key: value }).url,
        );
        expect([...searchParams]).toEqual([
          ["k", value],
          ["rest", "x"],
        ]);
      }),
    );
  });

  it("do not change what they came from", () => {
    const request = {
      url: "https://api.example/",
      headers: { "X-A": template("key") },
      body: template("key"),
    };
    const copy = structuredClone(request);
    fill(request, { key: "1" });
    expect(request).toEqual(copy);
  });
});
