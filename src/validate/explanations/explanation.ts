/**
 * Why a code exists, and an example of it. The examples of issue codes are statements of a Pack that run: a test checks that
 * the bad one is reported with exactly this code and the good one with nothing. `pack` and all names of this package are there.
 */
export interface Explanation {
  /** Why it matters: one or two sentences. */
  why: string;
  bad: string;
  good: string;
}

/** The explanation of an error that a command ends with. */
export interface ErrorExplanation extends Explanation {
  /** What happened: one sentence. */
  meaning: string;
}
