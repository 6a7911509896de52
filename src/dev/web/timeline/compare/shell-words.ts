/**
 * What stands for `$NAME` and `${NAME}` in a word. The shell would replace it; the page does not
 * know its value.
 */
export const VARIABLE = /\u0001([A-Za-z_][A-Za-z0-9_]*)\u0002/g;

/** The command cannot be read. The message says why, and what to do. */
export class CommandProblem extends Error {}

/** A part of a command. A word ends at a space, and has any number of texts. */
type Piece = { is: "text"; text: string } | { is: "nothing" } | { is: "space" } | { is: "end" };

/**
 * The words of the first command of a text, as a POSIX shell reads them: quotes, `$'…'`, escapes,
 * lines that end in a backslash. Variables stay as marks. Nothing is run.
 * @throws {CommandProblem} for a quote that is not closed, or a substitution
 */
export function parseShellWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = command;
  while (rest !== "") {
    const isStart = words.length === 0 && word === undefined;
    const [source, piece] = readPiece(rest, word !== undefined);
    if (piece.is === "end" && !isStart) break;
    if (piece.is === "end" && source !== "\n")
      throw new CommandProblem(
        "The command starts with a shell operator. Paste only the curl command.",
      );
    if (piece.is === "text") word = (word ?? "") + piece.text;
    if (piece.is === "space" && word !== undefined) {
      words.push(word);
      word = undefined;
    }
    rest = rest.slice(source.length);
  }
  return word === undefined ? words : [...words, word];
}

/** What a command can begin with, in the order in which they are tried; the last fits always. */
const PIECES: readonly [pattern: RegExp, read: (parts: readonly string[]) => Piece][] = [
  [/^\\\r?\n/, () => ({ is: "nothing" })],
  [/^\\(.?)/s, ([, escaped = ""]) => toText(escaped)],
  [/^[ \t\r]/, () => ({ is: "space" })],
  // The command ends here: what follows is another one, or where the output goes.
  [/^[\n;|&<>]/, () => ({ is: "end" })],
  [/^'([^']*)('?)/, ([, text = "", close]) => toText(requireClosed("'", text, close))],
  [
    /^\$'((?:\\.|[^'\\])*)('?)/s,
    ([, text = "", close]) => toText(unescapeAnsi(requireClosed("'", text, close))),
  ],
  [
    /^"((?:\\.|[^"\\])*)("?)/s,
    ([, text = "", close]) => toText(requireClosed('"', expandQuoted(text), close)),
  ],
  [/^(?:\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*|[({])?|`)/, ([text = ""]) => toText(expand(text))],
  [/^./s, ([text = ""]) => toText(text)],
];

function readPiece(command: string, isInWord: boolean): [source: string, piece: Piece] {
  // A comment begins only where a word can.
  if (command.startsWith("#") && !isInWord) return ["#", { is: "end" }];
  for (const [pattern, read] of PIECES) {
    const match = pattern.exec(command);
    if (match !== null) return [match[0], read(match)];
  }
  throw new TypeError("No piece fits an empty command.");
}

function toText(text: string): Piece {
  return { is: "text", text };
}

function requireClosed(quote: string, text: string, close: string | undefined): string {
  if (close === quote) return text;
  throw new CommandProblem(`A quote (${quote}) is not closed. Copy the complete command.`);
}

/** In double quotes a backslash is only special before these characters. */
function expandQuoted(text: string): string {
  return text.replace(
    /\\([$`"\\\n])|\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*|[({])?|`/g,
    (found, escaped: string | undefined) =>
      escaped === undefined ? expand(found) : escaped.replace("\n", ""),
  );
}

/** @param text that begins with `$` or a backtick */
function expand(text: string): string {
  const [, braced, plain] = /^\$(?:\{(\w+)\}|(\w+))$/.exec(text) ?? [];
  const name = braced ?? plain;
  if (name !== undefined) return `\u0001${name}\u0002`;
  if (text === "$") return text;
  throw new CommandProblem(
    "The command contains a shell substitution, such as $NAME. Replace each substitution with its value.",
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\u001b",
};

/** The text in `$'…'`. */
function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))|(.))/gs,
    (_, byte?: string, short?: string, long?: string, other = "") => {
      const digits = byte ?? short ?? long;
      if (digits === undefined) return ESCAPES[other] ?? other;
      return String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff));
    },
  );
}
