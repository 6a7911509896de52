import { expect, it, vi } from "vitest";
import { createPace } from "../../../../src/service/local/store/pace.ts";

/** Does `items` in slices when each takes so long, and gives how many each slice did. */
async function countSlices(items: number, msPerItem: number): Promise<number[]> {
  let nowMs = 0;
  using _clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const pace = createPace("sqlite");
  const slices: number[] = [];
  for (let at = 0; at < items; ) {
    const begun = at;
    at = await pace.slice(at, items, async (from, to) => {
      expect(from).toBeLessThan(to);
      nowMs += (to - from) * msPerItem;
    });
    slices.push(at - begun);
  }
  return slices;
}

it("a slice is as long in time as others can wait, however fast the work is", async () => {
  const quick = await countSlices(20_000, 0.01);
  expect(quick.reduce((sum, each) => sum + each, 0)).toBe(20_000);
  expect(quick.slice(1, -1).every((each) => each >= 1_500 && each <= 2_500)).toBe(true);
  const slow = await countSlices(400, 0.5);
  expect(slow.reduce((sum, each) => sum + each, 0)).toBe(400);
  // The least that is done at once.
  expect(slow).toEqual(Array.from({ length: 8 }, () => 50));
});

it("work that became quicker is done in larger slices again", async () => {
  const pace = createPace("sqlite");
  let nowMs = 0;
  using _clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const sliceAt = (msPerItem: number) =>
    pace.slice(0, 10_000, async (from, to) => {
      nowMs += (to - from) * msPerItem;
    });
  expect(await sliceAt(1)).toBe(50);
  expect(await sliceAt(0.001)).toBeGreaterThan(5_000);
});
