import { describe, expect, it } from "vitest";
import { createRecordFactory } from "../../src/shared/values.ts";

describe("a record factory", () => {
  it("gives each record members of its own, in the order of the names", () => {
    const createRecord = createRecordFactory<number>(["b", "a", "b"], 0);
    const [one, other] = [createRecord(), createRecord()];
    one["a"] = 1;
    expect(Object.entries(one)).toEqual([
      ["b", 0],
      ["a", 1],
    ]);
    expect(other).toEqual({ a: 0, b: 0 });
  });

  it("takes __proto__ as a name like others", () => {
    const name = "__proto__";
    const record = createRecordFactory<unknown>([name], "")();
    record[name] = { polluted: true };
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(JSON.stringify(record)).toBe('{"__proto__":{"polluted":true}}');
  });
});
