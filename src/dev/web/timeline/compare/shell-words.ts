/**
 * What stands for `$NAME` and `${NAME}` in a word. The shell would replace it; the page does not
 * know its value.
 */
export const VARIABLE = /\u0001([A-Za-z_][A-Za-z0-9_]*)\u0002/g;

/** The command cannot be read. The message says why, and what to do. */
export class CommandProblem extends Error {}

/**
 * The words of the first command of a text, as a POSIX shell reads them: quotes, `$'…'`, escapes,
 * lines that end in a
 * backslash. Variables stay as marks. Nothing is run.
 * @throws {CommandProblem} for a quote that is not closed, or a substitution
 */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const add = (part: string): void => {
    word = (word ?? "") + part;
  };
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  /** Reads up to a closing quote, which is at `at` afterwards. */
  const upTo = (quote: string, readOne: () => void): void => {
    add("");
    while (at < text.length && text[at] !== quote) readOne();
    if (at >= text.length)
      throw new CommandProblem(`A quote (${quote}) is not closed. Copy the complete command.`);
  };
  const variable = (): void => {
    const [all, braced, plain] =
      /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(text.slice(at)) ?? [];
    if (all !== undefined) add(`\u0001${braced ?? plain}\u0002`);
    else if (/^\$[({]/.test(text.slice(at))) throw substitution();
    else add("$");
    at += all?.length ?? 1;
  };
  const inDoubleQuotes = (): void => {
    const next = text[at + 1] ?? "";
    if (text[at] === "$") variable();
    else if (text[at] === "`") throw substitution();
    else if (text[at] !== "\\" || !'$`"\\\n'.includes(next)) add(text[at++] ?? "");
    else {
      if (next !== "\n") add(next);
      at += 2;
    }
  };
  for (; at < text.length; at++) {
    const character = text[at] ?? "";
    const rest = text.slice(at);
    if (/^\\\r?\n/.test(rest)) at += rest.startsWith("\\\r") ? 2 : 1;
    else if (character === "\\") add(text[++at] ?? "");
    else if (/^[ \t\r]/.test(rest)) end();
    else if (
      character === "\n" ||
      /^[;|&<>]/.test(rest) ||
      (character === "#" && word === undefined)
    ) {
      // The command ends here: what follows is another one, or where the output goes.
      if (words.length > 0 || word !== undefined) break;
      if (character !== "\n")
        throw new CommandProblem(
          "The command begins with an operator of the shell. Paste only the curl command.",
        );
    } else if (character === "'") {
      at += 1;
      upTo("'", () => add(text[at++] ?? ""));
    } else if (rest.startsWith("$'")) {
      at += 2;
      upTo("'", () => {
        const [length, value] = escapeAt(text, at);
        add(value);
        at += length;
      });
    } else if (character === '"') {
      at += 1;
      upTo('"', inDoubleQuotes);
    } else if (character === "$") {
      variable();
      at -= 1;
    } else if (character === "`") throw substitution();
    else add(character);
  }
  end();
  return words;
}

function substitution(): CommandProblem {
  return new CommandProblem("The command contains a substitution. Replace it with its value.");
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

/** One character of a text in `$'…'`. @returns how many characters it takes, and what it means */
function escapeAt(text: string, at: number): readonly [length: number, value: string] {
  if (text[at] !== "\\") return [1, text[at] ?? ""];
  const [all, digits] = /^\\(?:u|U|x)([0-9A-Fa-f]{1,8})/.exec(text.slice(at)) ?? [];
  const most = { u: 4, U: 8, x: 2 }[text[at + 1] ?? ""];
  if (all !== undefined && digits !== undefined && most !== undefined) {
    const used = digits.slice(0, most);
    return [2 + used.length, String.fromCodePoint(Math.min(Number.parseInt(used, 16), 0x10ffff))];
  }
  const next = text[at + 1] ?? "";
  return [2, ESCAPES[next] ?? next];
}
