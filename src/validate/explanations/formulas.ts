import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, members, parameter, withParameters } from "./explanation.ts";

const example = (params: string, result: string): string =>
  formula({
    parameters: `[${parameter()}]`,
    examples: `[{ params: ${params}, result: ${result} }]`,
  });
const writeMany = (count: number): string =>
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
    why: "The document service accepts at most 100 formulas per Pack. Combine or remove some of the formulas.",
    bad: writeMany(101),
    good: writeMany(2),
  },
  FORMULA_NAME_INVALID: {
    why: "Users write the formula name in their documents. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: formula({ name: '"Say Hello"' }),
    good: formula({ name: '"SayHello"' }),
  },
  FORMULA_NAME_DUPLICATE: {
    why: "A call could refer to either formula. Formula names are not case-sensitive. Rename one of the formulas.",
    bad: `${formula()}\n${formula({ name: '"hello"' })}`,
    good: `${formula()}\n${formula({ name: '"HelloAgain"' })}`,
  },
  FORMULA_TEXT_LENGTH: {
    why: "Users see the description in a list: it can have up to 1,000 characters. Language models read the instructions: they can have up to 20,000 characters.",
    bad: formula({ description: '"Greets someone. ".repeat(100)' }),
    good: formula(),
  },
  FORMULA_CACHE_TTL: {
    why: "The document service can reuse a result for cacheTtlSecs seconds. Write a number from 0 to 86,400 (one day).",
    bad: formula({ cacheTtlSecs: "-1" }),
    good: formula({ cacheTtlSecs: "0" }),
  },
  FORMULA_CONNECTION: {
    why: "The formula needs an account, but the Pack has no authentication, so users cannot connect an account. Add authentication to the Pack, or change connectionRequirement.",
    bad: formula({ connectionRequirement: "ConnectionRequirement.Required" }),
    good: formula({ connectionRequirement: "ConnectionRequirement.None" }),
  },
  FORMULA_SCHEMA_TYPE: {
    why: "The schema describes the result, so its type must be the same as resultType. Otherwise, users would see a wrong value. Change the schema or resultType.",
    bad: formula({ schema: "makeSchema({ type: ValueType.Number })" }),
    good: formula({
      schema: "makeSchema({ type: ValueType.String, codaType: ValueHintType.Markdown })",
    }),
  },
  FORMULA_VALIDATE_PARAMETERS: {
    why: "validateParameters runs only while a user sets up a table, so it would never run for this formula. Remove validateParameters.",
    bad: `pack.formulas.push({\n  ...makeFormula({\n    name: "Hello",\n    description: "Greets someone.",\n    parameters: [],\n    resultType: ValueType.String,\n    execute: () => "Hello!",\n  }),\n  validateParameters: async () => ({ isValid: true }),\n});`,
    good: formula(),
  },
  EXAMPLE_PARAMS: {
    why: "Users copy examples into their documents, but they cannot enter an object there. Use text, numbers, dates or lists in the example.",
    bad: example('[{ title: "Write" }]', '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_RESULT: {
    why: "An example needs the result that the formula returns. Add it to the example.",
    bad: example('["Write"]', "undefined"),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_MISMATCH: {
    why: "Users copy examples into their documents, so an example must work. Change the example to match the parameters and the result type.",
    bad: example("[]", '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },

  PARAMETER_NAME_INVALID: {
    why: "Users see the parameter name and can type it in a formula. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: withParameters(parameter({ name: '"due date"' })),
    good: withParameters(parameter({ name: '"dueDate"' })),
  },
  PARAMETER_NAME_DUPLICATE: {
    why: "Users and autocomplete functions identify a parameter by its name. Rename one of the two parameters.",
    bad: withParameters(parameter(), parameter({ description: '"Another title."' })),
    good: withParameters(
      parameter(),
      parameter({ name: '"subtitle"', description: '"Another title."' }),
    ),
  },
  PARAMETER_ORDER: {
    why: "Documents pass arguments by position. If a user leaves out the optional argument, the required argument moves to the wrong position. Put required parameters before optional parameters.",
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
    why: "The type determines what users can enter and which value the execute function receives. Use a ParameterType constant.",
    bad: withParameters(parameter({ type: '"text"' })),
    good: withParameters(parameter({ type: "ParameterType.String" })),
  },
  PARAMETER_TEXT_LENGTH: {
    why: "Users see the description while they type: it can have up to 1,000 characters. Language models read the instructions: they can have up to 20,000 characters.",
    bad: withParameters(parameter({ description: '"The title. ".repeat(100)' })),
    good: withParameters(parameter()),
  },
  PARAMETER_INCREMENTAL: {
    why: "A required parameter always has a value, so the table would never use incremental sync. Make the parameter optional.",
    bad: withParameters(parameter({ supportsIncrementalSync: "false" })),
    good: withParameters(parameter({ optional: "true", supportsIncrementalSync: "false" })),
  },
  PARAMETER_VARARG_OPTIONAL: {
    why: "Users can repeat these parameters as a group, or leave out all groups. In each group, every parameter needs a value, so `optional: true` has no effect. Remove it.",
    bad: formula({ varargParameters: `[${parameter({ optional: "true" })}]` }),
    good: formula({ varargParameters: `[${parameter()}]` }),
  },

  // Column formats
  FORMAT_COUNT: {
    why: "The document service accepts at most 100 column formats per Pack. Combine or remove some of the formats.",
    bad: manyFormats(101),
    good: manyFormats(2),
  },
  FORMAT_NAME_LENGTH: {
    why: "Users choose a format by its name in a menu. Write a name of up to 50 characters.",
    bad: format({ name: '"Greeting of every person in the column, in each of its rows"' }),
    good: format(),
  },
  FORMAT_NAME_DUPLICATE: {
    why: "Users could not distinguish the two formats in the menu. Format names are not case-sensitive. Rename one of the formats.",
    bad: `${format()}\npack.addColumnFormat({ name: "greeting", formulaName: "Hello" });`,
    good: `${format()}\npack.addColumnFormat({ name: "Farewell", formulaName: "Hello" });`,
  },
  FORMAT_MATCHER: {
    why: "A matcher is a regular expression. If it matches pasted text, the document service offers the format. Write a regular expression of up to 300 characters, not a string.",
    bad: format({ matchers: '["https://tasks.example/"]' }),
    good: format({ matchers: "[/^https:\\/\\/tasks\\.example\\//]" }),
  },
  FORMAT_MATCHER_COUNT: {
    why: "The document service compares pasted text with every matcher of every format, so a format can have at most 10 matchers. Combine or remove some of the matchers.",
    bad: format({ matchers: 'Array.from({ length: 11 }, (_, index) => new RegExp("^T" + index))' }),
    good: format({ matchers: "[/^T\\d+-/]" }),
  },
  FORMAT_FORMULA: {
    why: "A column format calls one of the Pack's formulas, with the cell's text as the only argument. Correct formulaName, or change the formula so that it requires only one text argument.",
    bad: format({}, formula()),
    good: format(),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
