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

const writeNested = (depth: number): string =>
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
    why: "The value that the file exports as pack is not a Pack. Export the result of newPack(), as in the good example.",
    bad: "export const pack = 3;",
    good: "export const pack = newPack();",
  },
  DEFINITION_UNREADABLE: {
    why: "packsmith reads the Pack's definition as plain data. A value must not contain itself, throw an error when it is read, or have a type such as bigint. The message shows the position of the value.",
    bad: formula({ cacheTtlSecs: "60n" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  MEMBER_MISSING: {
    why: "The document service requires this value. For example, users choose a formula by its description. Add the value to the Pack's definition.",
    bad: formula({ description: "" }),
    good: formula(),
  },
  MEMBER_TYPE: {
    why: "If a value has the wrong type, packsmith ignores it, or the Pack fails when it runs. The message shows the expected type.",
    bad: formula({ isAction: '"yes"' }),
    good: formula({ isAction: "true" }),
  },
  VALUE_UNKNOWN: {
    why: "The key accepts only certain values, and the Pack sets a different one. Use one of packsmith's constants, so that the TypeScript compiler can find wrong values.",
    bad: formula({ resultType: '"strin"' }),
    good: formula({ resultType: "ValueType.String" }),
  },
  KEY_UNKNOWN: {
    why: "packsmith does not know this key, so the key has no effect. Most often, the name of the key is misspelled.",
    bad: formula({ cacheTtlSec: "60" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  VERSION_INVALID: {
    why: "Write one to three numbers with dots between them, such as 1.2.0. For a trial version, add a suffix such as -prerelease.1.",
    bad: 'pack.setVersion("1.x");',
    good: 'pack.setVersion("1.2.0");',
  },
  AUTH_KEY_UNKNOWN: {
    why: "packsmith does not know this key, so the key has no effect. If you misspell a key such as useProofKeyForCodeExchange, you lose the protection of this option. Correct the name.",
    bad: oauth2({ scope: '["tasks.read"]' }),
    good: oauth2({ scopes: '["tasks.read"]' }),
  },

  // Schemas
  SCHEMA_TYPE_UNKNOWN: {
    why: "The type determines how the document service stores, sorts and shows a value. Use a ValueType constant.",
    bad: withProperty('{ type: "text" }'),
    good: withProperty("{ type: ValueType.String }"),
  },
  SCHEMA_KEY_UNKNOWN: {
    why: "Each value type has its own display options. This value's type does not support the option, so it has no effect. Remove the option, or change the type.",
    bad: withProperty("{ type: ValueType.String, precision: 2 }"),
    good: withProperty("{ type: ValueType.Number, precision: 2 }"),
  },
  SCHEMA_HINT: {
    why: "A value hint can be used only with certain types. A slider, for example, needs a number. Change the value hint or the type.",
    bad: withProperty("{ type: ValueType.String, codaType: ValueHintType.Slider }"),
    good: withProperty("{ type: ValueType.Number, codaType: ValueHintType.Slider }"),
  },
  SCHEMA_OPTION_VALUE: {
    why: "The option accepts only certain values, and the schema sets a different one. The message lists the allowed values.",
    bad: withProperty('{ type: ValueType.String, codaType: ValueHintType.Url, display: "button" }'),
    good: withProperty(
      "{ type: ValueType.String, codaType: ValueHintType.Url, display: LinkDisplayType.Card }",
    ),
  },
  SCHEMA_PROPERTY_UNKNOWN: {
    why: "A key such as displayProperty must contain the name of a property of this schema. Correct the name.",
    bad: withSchema({ displayProperty: '"titel"' }),
    good: withSchema({ displayProperty: '"title"' }),
  },
  SCHEMA_DEEP: {
    why: "Users cannot read values that are nested too deeply. The usual cause is a schema that contains itself. Reduce the number of nested levels in the schema.",
    bad: writeNested(60),
    good: writeNested(2),
  },

  // Properties
  PARAMETER_PRESETS: {
    why: "A preset is the name of a day or a date range. A date parameter accepts days, such as today. A parameter with a list of dates accepts ranges. Parameters of other types do not have presets.",
    bad: withParameters(parameter({ allowedPresetValues: '["today"]' })),
    good: withParameters(
      parameter({ type: "ParameterType.Date", allowedPresetValues: '["today"]' }),
    ),
  },
  SCHEMA_PROPERTY_TYPE: {
    why: "Some keys require a property of a certain type. For example, linkProperty requires a URL, and imageProperty requires an image. Choose another property, or change its type.",
    bad: withSchema({ linkProperty: '"title"' }),
    good: withSchema({
      properties: "{ title: { type: ValueType.String, codaType: ValueHintType.Url } }",
      linkProperty: '"title"',
    }),
  },
  SCHEMA_PROPERTY_EMPTY: {
    why: "The value of this key must be the name of a property. Enter the name of a property, or remove the key.",
    bad: withSchema({ titleProperty: '""' }),
    good: withSchema({ titleProperty: '"title"' }),
  },
  SCHEMA_PROPERTY_COLLISION: {
    why: "The build removes characters such as hyphens from names. Both properties would then have the same name, and the second would replace the first. Rename one of the two properties.",
    bad: withSchema({
      properties: '{ "due-date": { type: ValueType.String }, dueDate: { type: ValueType.String } }',
    }),
    good: withSchema({
      properties: "{ dueDate: { type: ValueType.String }, done: { type: ValueType.String } }",
    }),
  },
  SCHEMA_PROPERTY_NAME: {
    why: "The build removes all characters except the letters A to Z and digits, so users see a different name. Use only these letters and digits in the name, and write the full name in displayName.",
    bad: withSchema({ properties: "{ prénom: { type: ValueType.String } }" }),
    good: withSchema({
      properties: '{ prenom: { type: ValueType.String, displayName: "Prénom" } }',
    }),
  },
  SCHEMA_FIXED_ID: {
    why: "fixedId identifies a column in documents, even after you rename the property. Give each property its own fixedId.",
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
    why: "Tables use the identity name to refer to each other. Use only letters, digits, underscores and hyphens in the name.",
    bad: withSchema({ identity: '{ name: "My task" }' }),
    good: withSchema({ identity: '{ name: "Task" }' }),
  },
  SCHEMA_REFERENCE: {
    why: "A reference needs the identity of the referenced table and the ID of the row. Users see the display property until the document service finds the row. Set identity, idProperty and displayProperty.",
    bad: reference(""),
    good: reference('  identity: { name: "Task" },\n'),
  },
  SCHEMA_PERSON: {
    why: "The document service identifies people by their email addresses. Set idProperty to the property that contains the email address.",
    bad: person(""),
    good: person('  idProperty: "email",\n'),
  },
  SCHEMA_AUTOCOMPLETE: {
    why: "autocomplete is only for parameters. For a property, write the choices in options.",
    bad: withProperty('{ type: ValueType.String, autocomplete: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_OPTIONS: {
    why: "options contains the choices of a select list, and has no effect on other values. Set codaType to ValueHintType.SelectList.",
    bad: withProperty('{ type: ValueType.String, options: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_ORIGINAL_KEY: {
    why: "packsmith sets originalKey when it builds the Pack. If the name in your result is different from the name of the property, use fromKey instead.",
    bad: withProperty('{ type: ValueType.String, originalKey: "name" }'),
    good: withProperty('{ type: ValueType.String, fromKey: "name" }'),
  },
  SCHEMA_HINT_INTERNAL: {
    why: "Only the document service itself can use this hint. Use ValueHintType.Markdown or ValueHintType.Html instead.",
    bad: withProperty('{ type: ValueType.String, codaType: "codaInternalRichText" }'),
    good: withProperty("{ type: ValueType.String, codaType: ValueHintType.Markdown }"),
  },
  SCHEMA_INDEX_EMPTY: {
    why: "An empty list of properties has no effect. Add a property to the list, or remove the list.",
    bad: index(", contextProperties: []"),
    good: index(', contextProperties: ["b"]'),
  },
  SCHEMA_INDEX_COUNT: {
    why: "Users can filter by at most five properties. Remove properties from filterableProperties until at most five are left.",
    bad: index(', filterableProperties: ["a", "b", "c", "d", "e", "f"]'),
    good: index(', filterableProperties: ["a", "b", "c", "d", "e"]'),
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
