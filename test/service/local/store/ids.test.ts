import { expect, it } from "vitest";
import { createIds } from "../../../../src/service/local/store/ids.ts";

it("makes row ids that differ and sort in the order in which they were made, whatever the clock does", () => {
  const ids = createIds((bytes) => Buffer.alloc(bytes, 7));
  const made = Array.from({ length: 3_000 }, (_id, at) => ids.row(1_790_000_000_000 - (at % 3)));
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
});

it("takes the random digits of a row id from the random source", () => {
  let next = 0;
  const ids = createIds((bytes) => Buffer.from(Array.from({ length: bytes }, () => next++ % 256)));
  expect([ids.row(0), ids.row(0)].map((id) => id.slice(-2))).toEqual(["01", "23"]);
});
