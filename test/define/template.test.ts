import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillTemplate, findPlaceholders, findUrlPlace } from "../../src/define/template.ts";

const findPlace = (template: string) =>
  findPlaceholders(template).map((placeholder) => findUrlPlace(template, placeholder));

describe("templates", () => {
  it("tell where in a URL a placeholder stands", () => {
    expect(findPlace("https://{a}/x")).toEqual(["host"]);
    expect(findPlace("https://{a}")).toEqual(["host"]);
    expect(findPlace("https://{a}.tasks.example/{b}/t-{c}?d={d}#{e}")).toEqual([
      "label",
      "segment",
      "elsewhere",
      "query",
      "elsewhere",
    ]);
    expect(findPlace("https://{a}:8443/x")).toEqual(["label"]);
    expect(findPlace("/tenants/{a}/token")).toEqual(["segment"]);
    expect(findPlace("{a}://tasks.example/")).toEqual(["label"]);
  });

  it("keep what is no placeholder, or has no value", () => {
    expect(
      fillTemplate('{"a":{b}} {c.d} {E} {}', ({ name, part }) =>
        part === undefined ? undefined : `<${name}>`,
      ),
    ).toBe('{"a":{b}} <c> {E} {}');
  });

  it("are filled in one pass: a value is never read as a template", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(fillTemplate("{a}|{b}", () => value)).toBe(`${value}|${value}`);
      }),
    );
  });
});
