import { describe, expect, it } from "vitest";
import { createBodyBudget } from "../../../src/sandbox/host/body-budget.ts";

/** What has settled when all that can go on has gone on. */
async function listSettled(promises: readonly Promise<void>[]): Promise<number[]> {
  const settled: number[] = [];
  for (const [index, promise] of promises.entries()) void promise.then(() => settled.push(index));
  await new Promise(setImmediate);
  return settled;
}

describe("the budget for bodies", () => {
  it("lets all bodies grow while there is room", async () => {
    const budget = createBodyBudget(100);
    const [first, second] = [budget.open(), budget.open()];
    expect(await listSettled([first.grow(40), second.grow(40), first.grow(20)])).toEqual([0, 1, 2]);
  });

  it("lets only the oldest go on when there is none", async () => {
    const budget = createBodyBudget(100);
    const [first, second] = [budget.open(), budget.open()];
    await Promise.all([first.grow(50), second.grow(50)]);
    expect(await listSettled([second.grow(1), first.grow(500)])).toEqual([1]);
  });

  it("goes on with the others, in their order, when a body was taken", async () => {
    const budget = createBodyBudget(100);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    await Promise.all([first.grow(50), second.grow(50)]);
    const waiting = [third.grow(60), second.grow(70)];
    first.leave();
    expect(await listSettled(waiting)).toEqual([1]);
    second.leave();
    second.leave();
    expect(await listSettled(waiting)).toEqual([0, 1]);
    expect(await listSettled([third.grow(40)])).toEqual([0]);
  });

  it("forgets who waits when the request has failed", async () => {
    const budget = createBodyBudget(10);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    await first.grow(10);
    void second.grow(5);
    second.leave();
    first.leave();
    await third.grow(10);
    expect(await listSettled([budget.open().grow(1)])).toEqual([]);
  });
});
