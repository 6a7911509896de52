/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Makes text from outside safe for a page: escapes it, removes control and direction characters,
 * limits the length.
 */
export function displayText(text: string, maxLength = 200): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return escapeHtml(clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean);
}

/** @returns the candidate that was probably meant; `undefined` when none is close enough. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  return rankCandidates(word, candidates)[0]?.candidate;
}

/**
 * @returns the candidate that was certainly meant: close enough, when no other one is nearly as
 * close.
 */
export function onlyNear(word: string, candidates: readonly string[]): string | undefined {
  const [best, next] = rankCandidates(word, candidates);
  return best === undefined || (next !== undefined && next.distance < best.distance + 2)
    ? undefined
    : best.candidate;
}

function rankCandidates(
  word: string,
  candidates: readonly string[],
): { candidate: string; distance: number }[] {
  if (word.length > 60) return [];
  const limit = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return candidates
    .map((candidate) => ({
      candidate,
      distance: measureDistance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
}

/** Edit distance: insertions, deletions, replacements. */
function measureDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
