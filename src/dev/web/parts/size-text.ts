/** `4.5 kB`, `1.2 MB`: decimal units, as the command line counts. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The same, and `812 B`. */
export function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : sizeText(bytes);
}

/** A change of a size, with its sign. */
export function changeText(bytes: number): string {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${formatSize(Math.abs(bytes))}`;
}
