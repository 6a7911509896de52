import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CommandProblem,
  parseShellWords,
} from "../../../../../src/dev/web/timeline/compare/shell-words.ts";

describe("a command of a POSIX shell", () => {
  it.each<[string, string, string[]]>([
    ["has words between spaces", "  curl \t-d  a\r", ["curl", "-d", "a"]],
    ["continues after a backslash at the end of a line", "a \\\n b\\\r\nc", ["a", "bc"]],
    ["keeps an escaped character", String.raw`a\ b \'`, ["a b", "'"]],
    ["keeps everything in single quotes", String.raw`'$A "\n" #'`, [String.raw`$A "\n" #`]],
    ["has an empty word for empty quotes", `a '' ""`, ["a", "", ""]],
    ["joins what has no space between it", `a'b c'"d"e`, ["ab cde"]],
    ["keeps most backslashes in double quotes", String.raw`"\a\"\\\$"`, [String.raw`\a"\$`]],
    ["drops the end of a line that is escaped in double quotes", '"a\\\nb"', ["ab"]],
    ["marks variables", `$A \${B}c`, ["\u0001A\u0002", "\u0001B\u0002c"]],
    ["marks variables in double quotes", '"x-$A_1"', ["x-\u0001A_1\u0002"]],
    ["keeps a dollar sign before anything else", '$ "$5" $', ["$", "$5", "$"]],
    ["reads escapes of $'…'", String.raw`$'\x41\u00e9\U1f600\n\'\q'`, ["Aé😀\n'q"]],
    ["reads at most two digits after x", String.raw`$'\x414'`, ["A4"]],
    ["ends at an operator", "curl a && rm b", ["curl", "a"]],
    ["ends at a redirection without a space", "curl a>file", ["curl", "a"]],
    ["ends at the end of its line", "curl a\nrm b", ["curl", "a"]],
    ["begins after empty lines", "\n\n curl a", ["curl", "a"]],
    ["ends at a comment", "curl a # b", ["curl", "a"]],
    ["has no comment inside a word", "a#b ''#c", ["a#b", "#c"]],
    ["has no words if it is empty", "", []],
  ])("%s", (_, command, words) => {
    expect(parseShellWords(command)).toEqual(words);
  });

  it.each([
    ["an open single quote", "curl 'a", "A quote (') is not closed"],
    ["an open double quote", 'curl "a\\"', 'A quote (") is not closed'],
    ["an open quote with escapes", "curl $'a\\'", "A quote (') is not closed"],
    ["a substitution", "curl $(id)", "contains a shell substitution"],
    ["a substitution in double quotes", 'curl "$(id)"', "contains a shell substitution"],
    ["a substitution in backticks", "curl `id`", "contains a shell substitution"],
    ["the expansion of a variable", `curl \${A:-b}`, "contains a shell substitution"],
    ["an operator at its start", " | curl a", "starts with a shell operator"],
    ["a comment at its start", "# curl a", "starts with a shell operator"],
  ])("is refused for %s", (_, command, message) => {
    expect(() => parseShellWords(command)).toThrow(CommandProblem);
    expect(() => parseShellWords(command)).toThrow(message);
  });

  it("returns any text in single quotes as one word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
        expect(parseShellWords(quoted)).toEqual([text]);
      }),
    );
  });
});
