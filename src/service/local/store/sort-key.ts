/** Longer texts are compared by their beginning, because a server limits how long a key may be. */
const MAX_COMPARED = 100;
// Before and behind every hexadecimal digit.
const [END, INVERTED_END] = [" ", "~"];
const bytes = new DataView(new ArrayBuffer(8));

/**
 * A text that is ordered, byte by byte, as its values are: numbers before texts, texts by their
 * UTF-16 units as JavaScript compares
 * them. Truth values are compared as texts.
 */
export function sortKey(
  values: readonly { value: string | number | boolean; isDescending: boolean }[],
): string {
  let key = "";
  for (const { value, isDescending } of values) {
    const digits =
      typeof value === "number"
        ? `0${numberDigits(value)}`
        : `${value === "" ? "0" : "1"}${textDigits(String(value))}`;
    key += isDescending ? invert(digits) + INVERTED_END : digits + END;
  }
  return key;
}

/** A count or a time, as a text that is ordered as the numbers are. */
export function countKey(value: number): string {
  return value.toString(16).padStart(14, "0");
}

function numberDigits(value: number): string {
  bytes.setFloat64(0, value === 0 ? 0 : value);
  const digits = bytes.getBigUint64(0).toString(16).padStart(16, "0");
  // IEEE 754 orders magnitudes. The sign comes first, and turns the order of negative numbers
  // around.
  return value < 0 ? `0${invert(digits)}` : `1${digits}`;
}

function textDigits(text: string): string {
  let digits = "";
  for (let at = 0; at < Math.min(text.length, MAX_COMPARED); at++)
    digits += text.charCodeAt(at).toString(16).padStart(4, "0");
  return digits;
}

function invert(digits: string): string {
  let inverted = "";
  for (const digit of digits) inverted += (15 - Number.parseInt(digit, 16)).toString(16);
  return inverted;
}
