/**
 * What a terminal obeys, and what is invisible or changes the direction of a text. JSON itself
 * escapes only the controls below U+0020.
 */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/**
 * A JSON text that is safe to show: characters that a reader does not see as they are, such as
 * controls, are escaped. Parsed, it is the same.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
