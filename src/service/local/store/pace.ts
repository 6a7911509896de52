import type { Engine } from "./json-sql.ts";

/**
 * How long work goes on in one transaction, and with one statement, in milliseconds. An embedded
 * database has one writer, and nothing else is done in the process while a statement runs.
 */
const SLICE_MS = { sqlite: 15, postgres: 40 };
const PIECE_MS = { sqlite: 5, postgres: 20 };
/**
 * How many items a piece can have: few sizes, because statements are prepared for each. Small ones
 * would mostly wait for a server, which is a round trip away.
 */
const SIZES = { sqlite: [50, 100, 250, 500, 1_000], postgres: [250, 500, 1_000] };

/** Does long work in slices of one length in time, whatever the machine and the items are. */
export interface Pace {
  /**
   * Does pieces of work until the slice is over, or the work.
   * @returns how far the work is
   */
  slice(
    from: number,
    to: number,
    work: (from: number, to: number) => Promise<void>,
  ): Promise<number>;
}

/** @param sliceMs how long a slice is, in milliseconds; with 0 each has one piece */
export function createPace(engine: Engine, sliceMs: number = SLICE_MS[engine]): Pace {
  const [smallest = 1] = SIZES[engine];
  let size = smallest;
  return {
    async slice(from, to, work) {
      const endMs = performance.now() + sliceMs;
      let at = from;
      do {
        const begunAt = performance.now();
        const next = Math.min(to, at + size);
        await work(at, next);
        const msPerItem = (performance.now() - begunAt) / (next - at);
        const fitting = Math.min(PIECE_MS[engine] / msPerItem, 4 * size);
        size = SIZES[engine].findLast((each) => each <= fitting) ?? smallest;
        at = next;
      } while (at < to && performance.now() < endMs);
      return at;
    },
  };
}
