import type { IssueCode } from "../codes.ts";
import {
  type Explanation,
  formula,
  oauth2,
  parameter,
  withParameters,
  withProperty,
  withSchema,
} from "./explanation.ts";

const nested = (depth: number): string =>
  `let schema = { type: ValueType.String };\nfor (let depth = 0; depth < ${depth}; depth++) {\n  schema = { type: ValueType.Array, items: schema };\n}\n${formula({ resultType: "ValueType.Array", items: "schema", execute: "() => []" })}`;
const CHOICE =
  'type: ValueType.String, codaType: ValueHintType.SelectList, options: ["open", "done"]';
const reference = (more: string): string =>
  withProperty(
    `{\n  type: ValueType.Object,\n  codaType: ValueHintType.Reference,\n  properties: { id: { type: ValueType.String, required: true }, name: { type: ValueType.String, required: true } },\n  idProperty: "id",\n  displayProperty: "name",\n${more}}`,
  ).replace(
    'execute: () => ({ title: "Write" })',
    'execute: () => ({ title: { id: "1", name: "Write" } })',
  );
const person = (more: string): string =>
  withProperty(
    `{\n  type: ValueType.Object,\n  codaType: ValueHintType.Person,\n  properties: { email: { type: ValueType.String, required: true } },\n${more}}`,
  );
const index = (members: string): string =>
  withSchema({ properties: PROPERTIES, index: `{ properties: ["a"]${members} }` });
const PROPERTIES = `{\n${["a", "b", "c", "d", "e", "f"].map((name) => `  ${name}: { type: ValueType.String },\n`).join("")}}`;

export const schemaExplanations = {
  // The shape of a definition
  DEFINITION_INVALID: {
    why: "The file exports something as pack that is not a Pack, so there is nothing to build. Export newPack().",
    bad: "export const pack = 3;",
    good: "export const pack = newPack();",
  },
  DEFINITION_UNREADABLE: {
    why: "The definition leaves the sandbox as plain data. A part that throws when it is read, or that contains itself, would get lost.",
    bad: formula({ cacheTtlSecs: "60n" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  MEMBER_MISSING: {
    why: "The part cannot be used without this member. For example, users cannot choose a formula that has no description.",
    bad: formula({ description: "" }),
    good: formula(),
  },
  MEMBER_TYPE: {
    why: "A value of the wrong type is ignored, or fails when the Pack runs.",
    bad: formula({ isAction: '"yes"' }),
    good: formula({ isAction: "true" }),
  },
  VALUE_UNKNOWN: {
    why: "The member accepts only a few values, and this is not one of them. Use the constants, so that the compiler checks them too.",
    bad: formula({ resultType: '"strin"' }),
    good: formula({ resultType: "ValueType.String" }),
  },
  KEY_UNKNOWN: {
    why: "No code reads this key, so it has no effect. Most often it is a misspelling of another key.",
    bad: formula({ cacheTtlSec: "60" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  VERSION_INVALID: {
    why: "Versions are compared number by number. Write one to three numbers, and add -prerelease.1 for a trial version.",
    bad: 'pack.setVersion("1.x");',
    good: 'pack.setVersion("1.2.0");',
  },
  AUTH_KEY_UNKNOWN: {
    why: "No code reads this key of the authentication. A misspelled key may silently leave a protection off.",
    bad: oauth2({ scope: '["tasks.read"]' }),
    good: oauth2({ scopes: '["tasks.read"]' }),
  },

  // Schemas
  SCHEMA_TYPE_UNKNOWN: {
    why: "The type decides how a value is stored, sorted and shown. Use a constant of ValueType.",
    bad: withProperty('{ type: "text" }'),
    good: withProperty("{ type: ValueType.String }"),
  },
  SCHEMA_KEY_UNKNOWN: {
    why: "Each type of value has its own display options. This one does not belong to the type, so it has no effect.",
    bad: withProperty("{ type: ValueType.String, precision: 2 }"),
    good: withProperty("{ type: ValueType.Number, precision: 2 }"),
  },
  SCHEMA_HINT: {
    why: "A hint says how to show a value of one type. A slider, for example, needs a number.",
    bad: withProperty("{ type: ValueType.String, codaType: ValueHintType.Slider }"),
    good: withProperty("{ type: ValueType.Number, codaType: ValueHintType.Slider }"),
  },
  SCHEMA_OPTION_VALUE: {
    why: "The display option accepts only a few values, and this is not one of them.",
    bad: withProperty('{ type: ValueType.String, codaType: ValueHintType.Url, display: "button" }'),
    good: withProperty(
      "{ type: ValueType.String, codaType: ValueHintType.Url, display: LinkDisplayType.Card }",
    ),
  },
  SCHEMA_PROPERTY_UNKNOWN: {
    why: "The member must name one of the schema's properties, for example the one that is shown first. Correct the name.",
    bad: withSchema({ displayProperty: '"titel"' }),
    good: withSchema({ displayProperty: '"title"' }),
  },
  SCHEMA_DEEP: {
    why: "Such a deep value is unreadable. Most often a schema contains itself.",
    bad: nested(60),
    good: nested(2),
  },

  // Properties
  PARAMETER_PRESETS: {
    why: "Presets are names for days and date ranges. A date accepts days, a list of dates accepts ranges, and other types accept none.",
    bad: withParameters(parameter({ allowedPresetValues: '["today"]' })),
    good: withParameters(
      parameter({ type: "ParameterType.Date", allowedPresetValues: '["today"]' }),
    ),
  },
  SCHEMA_PROPERTY_TYPE: {
    why: "A link needs a URL, an image needs an image, and so on. A property of another type could not be shown there.",
    bad: withSchema({ linkProperty: '"title"' }),
    good: withSchema({
      properties: "{ title: { type: ValueType.String, codaType: ValueHintType.Url } }",
      linkProperty: '"title"',
    }),
  },
  SCHEMA_PROPERTY_EMPTY: {
    why: "The member must name a property, and no property has an empty name.",
    bad: withSchema({ titleProperty: '""' }),
    good: withSchema({ titleProperty: '"title"' }),
  },
  SCHEMA_PROPERTY_COLLISION: {
    why: "Names are normalized when the Pack is compiled, and both get the same name. The second property would replace the first. Rename one.",
    bad: withSchema({
      properties: '{ "due-date": { type: ValueType.String }, dueDate: { type: ValueType.String } }',
    }),
    good: withSchema({
      properties: "{ dueDate: { type: ValueType.String }, done: { type: ValueType.String } }",
    }),
  },
  SCHEMA_PROPERTY_NAME: {
    why: "The compiled name keeps only plain letters and digits, so users see a different name. Use a plain name, and set displayName.",
    bad: withSchema({ properties: "{ prénom: { type: ValueType.String } }" }),
    good: withSchema({
      properties: '{ prenom: { type: ValueType.String, displayName: "Prénom" } }',
    }),
  },
  SCHEMA_FIXED_ID: {
    why: "A fixedId keeps a column the same after its property is renamed. Two properties cannot be one column.",
    bad: withSchema({
      properties:
        '{ title: { type: ValueType.String, fixedId: "1" }, name: { type: ValueType.String, fixedId: "1" } }',
    }),
    good: withSchema({
      properties:
        '{ title: { type: ValueType.String, fixedId: "1" }, name: { type: ValueType.String, fixedId: "2" } }',
    }),
  },
  SCHEMA_IDENTITY_NAME: {
    why: "References between tables use the identity name: letters, digits, underscores and hyphens.",
    bad: withSchema({ identity: '{ name: "My task" }' }),
    good: withSchema({ identity: '{ name: "Task" }' }),
  },
  SCHEMA_REFERENCE: {
    why: "A reference finds its row by the table's identity and the row's id. Until the row is found, it shows the display property.",
    bad: reference(""),
    good: reference('  identity: { name: "Task" },\n'),
  },
  SCHEMA_PERSON: {
    why: "People are recognized by their email address. Set idProperty to the property that holds it.",
    bad: person(""),
    good: person('  idProperty: "email",\n'),
  },
  SCHEMA_AUTOCOMPLETE: {
    why: "A property lists its choices in options. autocomplete is for parameters.",
    bad: withProperty('{ type: ValueType.String, autocomplete: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_OPTIONS: {
    why: "Options are the choices of a select list. Other values have nothing to choose from. Set codaType to ValueHintType.SelectList.",
    bad: withProperty('{ type: ValueType.String, options: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_ORIGINAL_KEY: {
    why: "The compiler writes this member to remember the name that you gave. If the name in your result is different, use fromKey.",
    bad: withProperty('{ type: ValueType.String, originalKey: "name" }'),
    good: withProperty('{ type: ValueType.String, fromKey: "name" }'),
  },
  SCHEMA_HINT_INTERNAL: {
    why: "The document service reserves this hint for its own values. Use Markdown or Html.",
    bad: withProperty('{ type: ValueType.String, codaType: "codaInternalRichText" }'),
    good: withProperty("{ type: ValueType.String, codaType: ValueHintType.Markdown }"),
  },
  SCHEMA_INDEX_EMPTY: {
    why: "An empty list indexes nothing. Name a property, or leave out the member.",
    bad: index(", contextProperties: []"),
    good: index(', contextProperties: ["b"]'),
  },
  SCHEMA_INDEX_COUNT: {
    why: "Each filter takes space in the index, so at most five properties can be filtered.",
    bad: index(', filterableProperties: ["a", "b", "c", "d", "e", "f"]'),
    good: index(', filterableProperties: ["a", "b", "c", "d", "e"]'),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
