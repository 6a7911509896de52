import type { IssueCode } from "../codes.ts";
import { formula, withProperty, withSchema } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const nested = (depth: number): string =>
  `let schema = { type: ValueType.String };\nfor (let depth = 0; depth < ${depth}; depth++) {\n  schema = { type: ValueType.Array, items: schema };\n}\n${formula({ resultType: "ValueType.Array", items: "schema", execute: "() => []" })}`;

export const schemaExplanations = {
  SCHEMA_TYPE_UNKNOWN: {
    why: "The type decides how a value is stored, sorted and shown.",
    bad: withProperty('{ type: "text" }'),
    good: withProperty("{ type: ValueType.String }"),
  },
  SCHEMA_KEY_UNKNOWN: {
    why: "Each kind of value has display options of its own; this schema does not have this one, so it has no effect.",
    bad: withProperty("{ type: ValueType.String, precision: 2 }"),
    good: withProperty("{ type: ValueType.Number, precision: 2 }"),
  },
  SCHEMA_HINT: {
    why: "A hint says how a value of one type is shown. A slider, for example, needs a number.",
    bad: withProperty("{ type: ValueType.String, codaType: ValueHintType.Slider }"),
    good: withProperty("{ type: ValueType.Number, codaType: ValueHintType.Slider }"),
  },
  SCHEMA_OPTION_VALUE: {
    why: "The display option takes one of a few values, and this is none of them.",
    bad: withProperty('{ type: ValueType.String, codaType: ValueHintType.Url, display: "button" }'),
    good: withProperty("{ type: ValueType.String, codaType: ValueHintType.Url, display: LinkDisplayType.Card }"),
  },
  SCHEMA_PROPERTY_UNKNOWN: {
    why: "The member names one of the properties: which of them tells rows apart, is shown first, and so on. A wrong name points to nothing.",
    bad: withSchema({ displayProperty: '"titel"' }),
    good: withSchema({ displayProperty: '"title"' }),
  },
  SCHEMA_DEEP: {
    why: "Nobody can read a value that is nested so deeply; most often a schema contains itself.",
    bad: nested(60),
    good: nested(2),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
