import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  parseBody,
  readBoolean,
  readChoice,
  readChoices,
  readLimit,
} from "../../../../src/service/local/api/request-input.ts";

const query = (text: string) => new URLSearchParams(text);
const refused = expect.objectContaining({ status: 400 });

describe("limitOf", () => {
  it.each<[text: string, limit: number]>([
    ["", 25],
    ["limit=1", 1],
    ["limit=100", 100],
    ["limit=101", 100],
    ["limit=007", 7],
  ])("reads %j as %d, with a maximum of 100", (text, limit) =>
    expect(readLimit(query(text), 100, 25)).toBe(limit),
  );

  it.each(["0", "-1", "1.5", "ten", "", "1234567890123456"])("refuses the limit %j", (limit) =>
    expect(() => readLimit(query(`limit=${limit}`), 100, 25)).toThrow(refused),
  );
});

describe("booleanOf", () => {
  it("reads true and false in any case, and nothing else", () => {
    expect(readBoolean(query("on=True"), "on")).toBe(true);
    expect(readBoolean(query("on=false"), "on")).toBe(false);
    expect(readBoolean(query(""), "on")).toBeUndefined();
    expect(() => readBoolean(query("on=1"), "on")).toThrow(refused);
  });
});

describe("choiceOf and choicesOf", () => {
  const choices = ["a", "b", "c"] as const;

  it("read what is one of the choices", () => {
    expect(readChoice(query("sort=b"), "sort", choices)).toBe("b");
    expect(readChoice(query(""), "sort", choices)).toBeUndefined();
    expect(readChoices(query("of=a,c&of=b"), "of", choices)).toEqual(["a", "c", "b"]);
    expect(readChoices(query(""), "of", choices)).toEqual([]);
  });

  it("refuse anything else", () => {
    expect(() => readChoice(query("sort=d"), "sort", choices)).toThrow(refused);
    expect(() => readChoices(query("of=a,d"), "of", choices)).toThrow(refused);
  });
});

describe("parseBody", () => {
  const numbers = z.object({ rows: z.array(z.object({ cell: z.number() })) });

  it("leaves out members that the schema does not have", () =>
    expect(parseBody(numbers, { rows: [{ cell: 1, more: 2 }], other: 3 })).toEqual({
      rows: [{ cell: 1 }],
    }));

  it("names the places of the first five problems", () => {
    const rows = Array.from({ length: 6 }, () => ({ cell: "x" }));
    const message = (body: unknown): string => {
      try {
        return JSON.stringify(parseBody(numbers, body));
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const index of [0, 1, 2, 3, 4])
      expect(message({ rows })).toContain(`rows[${index}].cell:`);
    expect(message({ rows })).not.toContain("rows[5]");
    expect(message(undefined)).toContain("body:");
  });
});
