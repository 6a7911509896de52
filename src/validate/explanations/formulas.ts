import type { IssueCode } from "../codes.ts";
import { formula, parameter, withParameters } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const example = (params: string, result: string): string =>
  formula({ parameters: `[${parameter()}]`, examples: `[{ params: ${params}, result: ${result} }]` });
const many = (count: number): string =>
  `for (let index = 1; index <= ${count}; index++) {\n  ${formula({ name: "`Hello$" + "{index}`" }).replaceAll("\n", "\n  ")}\n}`;

export const formulaExplanations = {
  FORMULA_COUNT: {
    why: "The document service takes at most 100 formulas of one Pack, and users have to find theirs among them.",
    bad: many(101),
    good: many(2),
  },
  FORMULA_NAME_INVALID: {
    why: "Users write the name inside other formulas, so it has to be one word: a letter, then letters, digits or underscores, at most 50.",
    bad: formula({ name: '"Say Hello"' }),
    good: formula({ name: '"SayHello"' }),
  },
  FORMULA_NAME_DUPLICATE: {
    why: "A call could mean either of them. Case does not tell names apart.",
    bad: `${formula()}\n${formula({ name: '"hello"' })}`,
    good: `${formula()}\n${formula({ name: '"HelloAgain"' })}`,
  },
  FORMULA_TEXT_LENGTH: {
    why: "Descriptions are shown beside a name in a list: 1,000 characters are the most. Instructions for language models may have 20,000.",
    bad: formula({ description: '"Greets someone. ".repeat(100)' }),
    good: formula(),
  },
  FORMULA_CACHE_TTL: {
    why: "A result can be reused for a day at most, and not for less than no time.",
    bad: formula({ cacheTtlSecs: "-1" }),
    good: formula({ cacheTtlSecs: "0" }),
  },
  FORMULA_CONNECTION: {
    why: "The formula asks for an account that no user can connect, because the Pack does not say how.",
    bad: formula({ connectionRequirement: "ConnectionRequirement.Required" }),
    good: formula({ connectionRequirement: "ConnectionRequirement.None" }),
  },
  FORMULA_SCHEMA_TYPE: {
    why: "The schema describes the result, so both must be of one type; otherwise the result would be shown as something that it is not.",
    bad: formula({ schema: "makeSchema({ type: ValueType.Number })" }),
    good: formula({ schema: "makeSchema({ type: ValueType.String, codaType: ValueHintType.Markdown })" }),
  },
  FORMULA_VALIDATE_PARAMETERS: {
    why: "It is called while a table is set up; a plain formula has no such moment, so it would never run.",
    bad: `pack.formulas.push({\n  ...makeFormula({\n    name: "Hello",\n    description: "Greets someone.",\n    parameters: [],\n    resultType: ValueType.String,\n    execute: () => "Hello!",\n  }),\n  validateParameters: async () => ({ isValid: true }),\n});`,
    good: formula(),
  },
  EXAMPLE_PARAMS: {
    why: "Users copy examples into their documents; an object cannot be written there.",
    bad: example('[{ title: "Write" }]', '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_RESULT: {
    why: "An example shows what comes back; without a result it shows nothing.",
    bad: example('["Write"]', "undefined"),
    good: example('["Write"]', '"Hello!"'),
  },
  EXAMPLE_MISMATCH: {
    why: "An example that the formula would refuse misleads the one who copies it.",
    bad: example("[]", '"Hello!"'),
    good: example('["Write"]', '"Hello!"'),
  },

  PARAMETER_NAME_INVALID: {
    why: "Users see the name while they fill in the formula, and may write it: a letter, then letters, digits or underscores, at most 50.",
    bad: withParameters(parameter({ name: '"due date"' })),
    good: withParameters(parameter({ name: '"dueDate"' })),
  },
  PARAMETER_NAME_DUPLICATE: {
    why: "Autocomplete functions get the other values by name, and users tell parameters apart by it.",
    bad: withParameters(parameter(), parameter({ description: '"Another title."' })),
    good: withParameters(parameter(), parameter({ name: '"subtitle"', description: '"Another title."' })),
  },
  PARAMETER_ORDER: {
    why: "Arguments are given by position: when an optional one is left out, a required one after it would take its place.",
    bad: withParameters(parameter({ optional: "true" }), parameter({ name: '"list"', description: '"Where to."' })),
    good: withParameters(parameter({ name: '"list"', description: '"Where to."' }), parameter({ optional: "true" })),
  },
  PARAMETER_TYPE: {
    why: "The type decides what users can fill in and what execute receives. An object cannot be filled in.",
    bad: withParameters(parameter({ type: '"text"' })),
    good: withParameters(parameter({ type: "ParameterType.String" })),
  },
  PARAMETER_TEXT_LENGTH: {
    why: "Descriptions are shown while users type: 1,000 characters are the most. Instructions for language models may have 20,000.",
    bad: withParameters(parameter({ description: '"The title. ".repeat(100)' })),
    good: withParameters(parameter()),
  },
  PARAMETER_INCREMENTAL: {
    why: "A required parameter is always given, so incremental sync would never happen.",
    bad: withParameters(parameter({ supportsIncrementalSync: "false" })),
    good: withParameters(parameter({ optional: "true", supportsIncrementalSync: "false" })),
  },
  PARAMETER_VARARG_OPTIONAL: {
    why: "A group of repeated parameters may be left out anyway; within a group, all of them are given.",
    bad: formula({ varargParameters: `[${parameter({ optional: "true" })}]` }),
    good: formula({ varargParameters: `[${parameter()}]` }),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
