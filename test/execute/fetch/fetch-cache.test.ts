import { describe, expect, it } from "vitest";
import { createResponseCache } from "../../../src/execute/fetch/fetch-cache.ts";

const response = (size: number) => ({ status: 200, headers: {}, bytes: new Uint8Array(size) });

describe("createResponseCache", () => {
  it("forgets the oldest responses when it is full, and never takes one that is too large", () => {
    const cache = createResponseCache({ maxBytes: 100 });
    for (const key of ["a", "b", "c"]) cache.set(key, response(40), 60);
    expect(["a", "b", "c"].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true]);
    cache.set("d", response(101), 60);
    expect([cache.get("d"), cache.get("c")]).toEqual([undefined, response(40)]);
    // Replacing one counts it once.
    for (let count = 0; count < 10; count++) cache.set("c", response(40), 60);
    expect(cache.get("b")).toEqual(response(40));
  });

  it("keeps nothing for longer than a day", () => {
    let now = 0;
    const cache = createResponseCache({ now: () => now });
    cache.set("a", response(1), 1e9);
    now = 86_399_999;
    expect(cache.get("a")).toBeDefined();
    now += 1;
    expect(cache.get("a")).toBeUndefined();
  });
});
