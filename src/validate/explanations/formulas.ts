import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, members, parameter, withParameters } from "./explanation.ts";

const example = (params: string, result: string): string =>
  formula({
    parameters: `[${parameter()}]`,
    examples: `[{ params: ${params}, result: ${result} }]`,
  });
const many = (count: number): string =>
  `for (let index = 1; index <= ${count}; index++) {\n  ${formula({ name: "`Hello$" + "{index}`" }).replaceAll("\n", "\n  ")}\n}`;
const text = withParameters(parameter());
const format = (own: Readonly<Record<string, string>> = {}, run = text): string =>
  `${run}\npack.addColumnFormat(${members({ name: '"Greeting"', formulaName: '"Hello"', ...own })});`;
const manyFormats = (count: number): string =>
  `${text}\nfor (let index = 1; index <= ${count}; index++) {\n  pack.addColumnFormat({ name: \`Greeting$` +
  '{index}`, formulaName: "Hello" });\n}';

export const formulaExplanations = {
  // Formulas and parameters
  FORMULA_COUNT: {
    why: "The document service accepts at most 100 formulas per Pack. Combine or remove some.",
    bad: many(101),
    good: many(2),
  },
  FORMULA_NAME_INVALID: {
    why: "Users write the name inside other formulas, so it is one word: a letter, then letters, digits or underscores, at most 50.",
    bad: formula({ name: '"Say Hello"' }),
    good: formula({ name: '"SayHello"' }),
  },
  FORMULA_NAME_DUPLICATE: {
    why: "A call could mean either formula. Names ignore case.",
    bad: `${formula()}\n${formula({ name: '"hello"' })}`,
    good: `${formula()}\n${formula({ name: '"HelloAgain"' })}`,
  },
  FORMULA_TEXT_LENGTH: {
    why: "A description is shown next to a name in a list, so it has at most 1,000 characters. Instructions for language models have at most 20,000.",
    bad: formula({ description: '"Greets someone. ".repeat(100)' }),
    good: formula(),
  },
  FORMULA_CACHE_TTL: {
    why: "A result can be reused for one day at most, and the time cannot be negative.",
    bad: formula({ cacheTtlSecs: "-1" }),
    good: formula({ cacheTtlSecs: "0" }),
  },
  FORMULA_CONNECTION: {
    why: "The formula needs an account, but the Pack has no authentication, so users cannot connect one. Add authentication, or change connectionRequirement.",
    bad: formula({ connectionRequirement: "ConnectionRequirement.Required" }),
    good: formula({ connectionRequirement: "ConnectionRequirement.None" }),
  },
  FORMULA_SCHEMA_TYPE: {
    why: "The schema describes the result, so both need the same type. Otherwise the result would be shown wrongly.",
    bad: formula({ schema: "makeSchema({ type: ValueType.Number })" }),
    good: formula({
      schema: "makeSchema({ type: ValueType.String, codaType: ValueHintType.Markdown })",
    }),
  },
  FORMULA_VALIDATE_PARAMETERS: {
    why: "This function is called while a table is set up. It would never run for a plain formula. Remove it.",
    bad: `pack.formulas.push({\n  ...makeFormula({\n    name: "Hello",\n    description: "Greets someone.",\n    parameters: [],\n    resultType: ValueType.String,\n    execute: () => "Hello!",\n  }),\n  validateParameters: async () => ({ isValid: true }),\n});`,
    good: formula(),
  },
  EXAMPLE_PARAMS: {
    why: "Users copy examples into their documents, and an object cannot be written there. Use text, numbers, dates or lists.",
    bad: example('[{ title: "Write" }]', '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_RESULT: {
    why: "An example shows what a formula returns. Add the result.",
    bad: example('["Write"]', "undefined"),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_MISMATCH: {
    why: "Users copy examples. One that the formula refuses misleads them. Make the example fit the parameters and the result type.",
    bad: example("[]", '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },

  PARAMETER_NAME_INVALID: {
    why: "Users see the name while they fill in the formula, and may type it: a letter, then letters, digits or underscores, at most 50.",
    bad: withParameters(parameter({ name: '"due date"' })),
    good: withParameters(parameter({ name: '"dueDate"' })),
  },
  PARAMETER_NAME_DUPLICATE: {
    why: "Users tell parameters apart by name, and autocomplete functions receive the other values by name.",
    bad: withParameters(parameter(), parameter({ description: '"Another title."' })),
    good: withParameters(
      parameter(),
      parameter({ name: '"subtitle"', description: '"Another title."' }),
    ),
  },
  PARAMETER_ORDER: {
    why: "Arguments are passed by position. If you leave out an optional one, the required one after it would take its place. Put required parameters first.",
    bad: withParameters(
      parameter({ optional: "true" }),
      parameter({ name: '"list"', description: '"Where to."' }),
    ),
    good: withParameters(
      parameter({ name: '"list"', description: '"Where to."' }),
      parameter({ optional: "true" }),
    ),
  },
  PARAMETER_TYPE: {
    why: "The type decides what users can enter and what execute receives. Users cannot enter an object. Use a constant of ParameterType.",
    bad: withParameters(parameter({ type: '"text"' })),
    good: withParameters(parameter({ type: "ParameterType.String" })),
  },
  PARAMETER_TEXT_LENGTH: {
    why: "A description is shown while users type, so it has at most 1,000 characters. Instructions for language models have at most 20,000.",
    bad: withParameters(parameter({ description: '"The title. ".repeat(100)' })),
    good: withParameters(parameter()),
  },
  PARAMETER_INCREMENTAL: {
    why: "A required parameter always has a value, so incremental sync would never happen. Make the parameter optional.",
    bad: withParameters(parameter({ supportsIncrementalSync: "false" })),
    good: withParameters(parameter({ optional: "true", supportsIncrementalSync: "false" })),
  },
  PARAMETER_VARARG_OPTIONAL: {
    why: "Users may leave out a group of repeated parameters anyway. Inside a group, every parameter is passed.",
    bad: formula({ varargParameters: `[${parameter({ optional: "true" })}]` }),
    good: formula({ varargParameters: `[${parameter()}]` }),
  },

  // Column formats
  FORMAT_COUNT: {
    why: "The document service accepts at most 100 column formats per Pack. Combine or remove some.",
    bad: manyFormats(101),
    good: manyFormats(2),
  },
  FORMAT_NAME_LENGTH: {
    why: "Users choose a format by its name in a menu that shows 50 characters.",
    bad: format({ name: '"Greeting of every person in the column, in each of its rows"' }),
    good: format(),
  },
  FORMAT_NAME_DUPLICATE: {
    why: "Users could not tell the two apart in the menu. Names ignore case.",
    bad: `${format()}\npack.addColumnFormat({ name: "greeting", formulaName: "Hello" });`,
    good: `${format()}\npack.addColumnFormat({ name: "Farewell", formulaName: "Hello" });`,
  },
  FORMAT_MATCHER: {
    why: "The document service offers the format for text that a matcher fits. A matcher is a regular expression with at most 300 characters.",
    bad: format({ matchers: '["https://tasks.example/"]' }),
    good: format({ matchers: "[/^https:\\/\\/tasks\\.example\\//]" }),
  },
  FORMAT_MATCHER_COUNT: {
    why: "Pasted text is compared with all matchers of all formats, so a format has at most 10.",
    bad: format({ matchers: 'Array.from({ length: 11 }, (_, index) => new RegExp("^T" + index))' }),
    good: format({ matchers: "[/^T\\d+-/]" }),
  },
  FORMAT_FORMULA: {
    why: "A format passes the text of the column to a formula of the Pack, as its only argument.",
    bad: format({}, formula()),
    good: format(),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
