/**
 * The clock for durations: it only goes forward. For the first look at `performance` Node loads ten files of its own, which a build
 * of a small Pack would pay for.
 * @returns milliseconds since this process started, with fractions
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}
