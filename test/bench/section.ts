/** One number of the bench, with what it is compared to and what it should be. */
export interface Measurement {
  name: string;
  value: number;
  /** `ms`, `bytes`, `a second`…; nothing for a count. */
  unit: string;
  /** The same work done with something else, in the same unit and the same run. */
  peer?: { name: string; value: number } | undefined;
  target?: Target | undefined;
}

/** `ratio` is value by peer, `speed-up` peer by value. */
export interface Target {
  of: "value" | "ratio" | "speed-up";
  atMost?: number | undefined;
  atLeast?: number | undefined;
}

/** What a section works with. */
export interface BenchContext {
  /** A temporary folder. */
  work: string;
  /** How often each process is started. */
  runs: number;
  /** What was left out, and why. */
  skip(reason: string): void;
}

export type Measure = (context: BenchContext) => Promise<Measurement[]>;

/**
 * A part of the bench: `npm run bench -- NAME` runs only this part, and its results have its title.
 */
export interface Section {
  name: string;
  title: string;
  load(): Promise<Measure>;
}

/** @returns whether the number is what it should be; undefined when nothing was demanded */
export function isMet({ value, peer, target }: Measurement): boolean | undefined {
  if (target === undefined) return undefined;
  const ratio = peer === undefined ? Number.NaN : value / peer.value;
  const number = { value, ratio, "speed-up": 1 / ratio }[target.of];
  return (
    number <= (target.atMost ?? Number.POSITIVE_INFINITY) &&
    number >= (target.atLeast ?? Number.NEGATIVE_INFINITY)
  );
}

/** The median of what several runs gave. */
export function computeMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
