/** `1 formula`, `2 formulas`. */
export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
