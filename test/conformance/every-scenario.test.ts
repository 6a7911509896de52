import { describe, it } from "vitest";
import { expectNoFindings, isInstalled, SAMPLE, scenarios, toolScenarios } from "./run-suite.ts";

const others = [...scenarios, ...toolScenarios].filter((name) => !SAMPLE.includes(name));

describe.skipIf(!isInstalled)("the conformance suite of the Model Context Protocol", () => {
  // Most of the time of a scenario is waiting.
  it.concurrent.each(others.map((scenario) => [scenario]))(
    "finds nothing wrong with a client on top of connect and execute: %s",
    expectNoFindings,
  );
});
