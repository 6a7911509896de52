import { expect, it } from "vitest";
import { checkStates, STATES } from "./check-states.ts";

it("the page is looked at in at least 40 states", () => {
  expect(new Set(STATES.map(({ name }) => name)).size).toBe(STATES.length);
  expect(STATES.length).toBeGreaterThanOrEqual(40);
});

checkStates(STATES);
