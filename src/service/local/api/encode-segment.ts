/**
 * A text as a part of a URL. Half of a surrogate pair becomes U+FFFD instead of an error.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
