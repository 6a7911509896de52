/** `4.5 kB`, `1.2 MB`: decimal units, as the command line counts. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A change of a size, with its sign. */
export function changeText(bytes: number): string {
  if (bytes === 0) return "±0";
  const size = Math.abs(bytes) < 1_000 ? `${Math.abs(bytes)} B` : sizeText(Math.abs(bytes));
  return `${bytes > 0 ? "+" : "−"}${size}`;
}
