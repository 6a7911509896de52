import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLookout } from "../../../../src/service/local/edits/lookout.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

function startLookout(idleMs?: number) {
  const state = { looks: 0, isNeeded: false };
  const lookout = createLookout({
    intervalMs: 10,
    idleMs,
    look: async () => void state.looks++,
    isNeeded: async () => state.isNeeded,
  });
  const countLooks = async (ms: number) => {
    const before = state.looks;
    await vi.advanceTimersByTimeAsync(ms);
    return state.looks - before;
  };
  return { state, lookout, countLooks };
}

it("a lookout looks rarely while there is nothing to look for, and often while there is", async () => {
  const { state, lookout, countLooks } = startLookout(100);
  expect(await countLooks(1_000)).toBe(10);
  lookout.watch();
  expect(await countLooks(10)).toBe(1);
  expect(await countLooks(1_000)).toBe(10);
  state.isNeeded = true;
  expect(await countLooks(100)).toBe(1);
  expect(await countLooks(1_000)).toBe(100);
  state.isNeeded = false;
  expect(await countLooks(10)).toBe(1);
  expect(await countLooks(1_000)).toBe(10);
  lookout.close();
  lookout.watch();
  expect(await countLooks(1_000)).toBe(0);
});

it("a lookout that is not permanent ends when there is nothing to look for, and begins again", async () => {
  const { lookout, countLooks } = startLookout();
  expect(await countLooks(1_000)).toBe(0);
  lookout.watch();
  expect(await countLooks(1_000)).toBe(1);
  lookout.watch();
  expect(await countLooks(1_000)).toBe(1);
});
