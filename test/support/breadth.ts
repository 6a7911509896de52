/**
 * Whether this is the suite `long`, which runs some files of the suites integration and e2e
 * again, with all of their cases (test/vitest.config.ts).
 */
export const isLong: boolean = process.env["PACKSMITH_LONG_SUITE"] === "true";

/** In the suite `long` all cases, in the others each `step`-th: the first one and some more. */
export function chooseCases<const Case>(cases: readonly Case[], step: number): Case[] {
  return cases.filter((_, index) => isLong || index % step === 0);
}
