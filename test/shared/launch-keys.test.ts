import { expect, it } from "vitest";
import { createLaunchKeys } from "../../src/shared/launch-keys.ts";

it("a launch key works once, and not after its time", () => {
  const keys = createLaunchKeys();
  let uses = 0;
  const [key, late] = [keys.create({ onUse: () => uses++ }), keys.create({ lifetimeMs: 0 })];
  expect([keys.isUnused(key), keys.use(key), keys.use(key), keys.isUnused(key)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(uses).toBe(1);
  expect([keys.isUnused(late), keys.use(late)]).toEqual([false, false]);
  expect([key, late, "", "guess"].map((text) => keys.wasCreated(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
