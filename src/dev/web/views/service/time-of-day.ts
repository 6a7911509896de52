/** A time of the service as its clock shows it. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice("2026-01-31T".length, -1);
}
