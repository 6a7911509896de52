import { expect, it } from "vitest";
import { checkStates, STATES } from "./check-states.ts";

/** One of each view, of the dialogs, and of each kind of Pack. The suite long looks at all states. */
const NAMES = [
  "no runs",
  "a long list",
  "the palette",
  "one of everything",
  "a form with every kind of field",
  "a run of the history",
  "a service with rows",
  "a connected account",
];

const states = STATES.filter(({ name }) => NAMES.includes(name));

it("each of these states exists", () => {
  expect(states).toHaveLength(NAMES.length);
});

checkStates(states);
