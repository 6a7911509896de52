import type { IssueCode } from "../codes.ts";
import { formula, members, parameter, withParameters } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const text = withParameters(parameter());
const format = (own: Readonly<Record<string, string>> = {}, run = text): string =>
  `${run}\npack.addColumnFormat(${members({ name: '"Greeting"', formulaName: '"Hello"', ...own })});`;
const many = (count: number): string =>
  `${text}\nfor (let index = 1; index <= ${count}; index++) {\n  pack.addColumnFormat({ name: \`Greeting$` +
  '{index}`, formulaName: "Hello" });\n}';

export const formatExplanations = {
  FORMAT_COUNT: {
    why: "The document service takes at most 100 column formats of one Pack, and users have to find theirs among them.",
    bad: many(101),
    good: many(2),
  },
  FORMAT_NAME_LENGTH: {
    why: "Users choose a format by its name in a menu, which shows 50 characters.",
    bad: format({ name: '"Greeting of everybody in the column, in all of its rows"' }),
    good: format(),
  },
  FORMAT_NAME_DUPLICATE: {
    why: "Users could not tell the two apart in the menu. Case does not tell names apart.",
    bad: `${format()}\npack.addColumnFormat({ name: "greeting", formulaName: "Hello" });`,
    good: `${format()}\npack.addColumnFormat({ name: "Farewell", formulaName: "Hello" });`,
  },
  FORMAT_MATCHER: {
    why: "The format is offered for text that a matcher fits; it is a regular expression of at most 300 characters.",
    bad: format({ matchers: '["https://tasks.example/"]' }),
    good: format({ matchers: "[/^https:\\/\\/tasks\\.example\\//]" }),
  },
  FORMAT_MATCHER_COUNT: {
    why: "Every text that is pasted is compared with all matchers of all formats; a format has at most 10.",
    bad: format({ matchers: 'Array.from({ length: 11 }, (_, index) => new RegExp("^T" + index))' }),
    good: format({ matchers: "[/^T\\d+-/]" }),
  },
  FORMAT_FORMULA: {
    why: "A format gives the text of the column to a formula of the Pack as its first argument, and nothing else.",
    bad: format({}, formula()),
    good: format(),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
