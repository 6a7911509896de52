/** A character reference of XML or HTML in a text. */
export interface CharacterReference {
  start: number;
  end: number;
  /** Its Unicode code point. */
  character: number;
}

/** The names of U+00A0 to U+00FF in HTML, in this order. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** The names of ASCII characters in HTML. */
const ASCII: Readonly<Record<string, string>> = {
  "\t": "Tab",
  "\n": "NewLine",
  "!": "excl",
  '"': "quot QUOT",
  "#": "num",
  $: "dollar",
  "%": "percnt",
  "&": "amp AMP",
  "'": "apos",
  "(": "lpar",
  ")": "rpar",
  "*": "ast midast",
  "+": "plus",
  ",": "comma",
  ".": "period",
  "/": "sol",
  ":": "colon",
  ";": "semi",
  "<": "lt LT",
  "=": "equals",
  ">": "gt GT",
  "?": "quest",
  "@": "commat",
  "[": "lsqb lbrack",
  "\\": "bsol",
  "]": "rsqb rbrack",
  "^": "Hat",
  _: "lowbar UnderBar",
  "`": "grave DiacriticalGrave",
  "{": "lcub lbrace",
  "|": "verbar vert VerticalLine",
  "}": "rcub rbrace",
};

const NAMES: ReadonlyMap<string, number> = new Map([
  ...LATIN_1.split(" ").map((name, index) => [name, 0xa0 + index] as const),
  ...Object.entries(ASCII).flatMap(([character, names]) =>
    names.split(" ").map((name) => [name, character.charCodeAt(0)] as const),
  ),
]);
const MAX_NAME_LENGTH = 16;
const SEMICOLON = 0x3b;
const NUMBER_SIGN = 0x23;

/**
 * Reads `&name;`, `&#10;` and `&#xa;` as a lenient HTML parser does: the semicolon may be missing.
 * @param start where the ampersand is, in UTF-8
 * @returns undefined for other text
 */
export function findCharacter(bytes: Uint8Array, start: number): CharacterReference | undefined {
  return bytes[start + 1] === NUMBER_SIGN ? readNumber(bytes, start) : readName(bytes, start);
}

function readNumber(bytes: Uint8Array, start: number): CharacterReference | undefined {
  const isHex = ((bytes[start + 2] ?? 0) | 0x20) === 0x78;
  const first = start + (isHex ? 3 : 2);
  let [end, character] = [first, 0];
  for (; ; end++) {
    const digit = readDigit(bytes[end], isHex);
    if (digit < 0) break;
    // More would be no character, however long it goes on.
    character = Math.min(character * (isHex ? 16 : 10) + digit, 0x11_0000);
  }
  if (end === first || character === 0 || character > 0x10_ffff) return undefined;
  return { start, end: bytes[end] === SEMICOLON ? end + 1 : end, character };
}

function readDigit(byte = 0, isHex: boolean): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return isHex && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function readName(bytes: Uint8Array, start: number): CharacterReference | undefined {
  let end = start + 1;
  while (end - start <= MAX_NAME_LENGTH && isNameByte(bytes[end])) end++;
  if (end - start < 3) return undefined;
  const name = String.fromCharCode(...bytes.subarray(start + 1, end));
  const character = NAMES.get(name);
  if (character === undefined) return undefined;
  return { start, end: bytes[end] === SEMICOLON ? end + 1 : end, character };
}

function isNameByte(byte = 0): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
