/**
 * The clock for durations: it only goes forward. The first use of `performance` would load ten
 * files of Node.
 * @returns milliseconds since this process started, with fractions
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}
