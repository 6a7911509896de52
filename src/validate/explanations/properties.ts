import type { IssueCode } from "../codes.ts";
import { parameter, withParameters, withProperty, withSchema } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const CHOICE = 'type: ValueType.String, codaType: ValueHintType.SelectList, options: ["open", "done"]';
const reference = (more: string): string =>
  withProperty(
    `{\n  type: ValueType.Object,\n  codaType: ValueHintType.Reference,\n  properties: { id: { type: ValueType.String, required: true }, name: { type: ValueType.String, required: true } },\n  idProperty: "id",\n  displayProperty: "name",\n${more}}`,
  ).replace('execute: () => ({ title: "Write" })', 'execute: () => ({ title: { id: "1", name: "Write" } })');
const person = (more: string): string =>
  withProperty(
    `{\n  type: ValueType.Object,\n  codaType: ValueHintType.Person,\n  properties: { email: { type: ValueType.String, required: true } },\n${more}}`,
  );
const index = (members: string): string => withSchema({ properties: PROPERTIES, index: `{ properties: ["a"]${members} }` });
const PROPERTIES = `{\n${["a", "b", "c", "d", "e", "f"].map((name) => `  ${name}: { type: ValueType.String },\n`).join("")}}`;

/** Of properties, what they serve for, and what is listed of them. */
export const propertyExplanations = {
  PARAMETER_PRESETS: {
    why: "Presets are names for days and ranges of days: a date takes the former, a list of dates the latter, anything else none.",
    bad: withParameters(parameter({ allowedPresetValues: '["today"]' })),
    good: withParameters(parameter({ type: "ParameterType.Date", allowedPresetValues: '["today"]' })),
  },
  SCHEMA_PROPERTY_TYPE: {
    why: "A link needs a URL, an image an image, and so on; a property of another type could not be shown in that place.",
    bad: withSchema({ linkProperty: '"title"' }),
    good: withSchema({ properties: "{ title: { type: ValueType.String, codaType: ValueHintType.Url } }", linkProperty: '"title"' }),
  },
  SCHEMA_PROPERTY_EMPTY: {
    why: "An empty name is no property's.",
    bad: withSchema({ titleProperty: '""' }),
    good: withSchema({ titleProperty: '"title"' }),
  },
  SCHEMA_PROPERTY_COLLISION: {
    why: "Names are brought into one form when the Pack is compiled; the second property would replace the first.",
    bad: withSchema({ properties: '{ "due-date": { type: ValueType.String }, dueDate: { type: ValueType.String } }' }),
    good: withSchema({ properties: "{ dueDate: { type: ValueType.String }, done: { type: ValueType.String } }" }),
  },
  SCHEMA_PROPERTY_NAME: {
    why: "The compiled name keeps plain letters and digits only, so users see another name than the one that you wrote.",
    bad: withSchema({ properties: "{ prénom: { type: ValueType.String } }" }),
    good: withSchema({ properties: '{ prenom: { type: ValueType.String, displayName: "Prénom" } }' }),
  },
  SCHEMA_FIXED_ID: {
    why: "A fixedId says which column a property is after it was renamed. Two properties cannot be one column.",
    bad: withSchema({ properties: '{ title: { type: ValueType.String, fixedId: "1" }, name: { type: ValueType.String, fixedId: "1" } }' }),
    good: withSchema({ properties: '{ title: { type: ValueType.String, fixedId: "1" }, name: { type: ValueType.String, fixedId: "2" } }' }),
  },
  SCHEMA_IDENTITY_NAME: {
    why: "References between tables name the identity, in a form that stays: letters, digits, underscores and hyphens.",
    bad: withSchema({ identity: '{ name: "My task" }' }),
    good: withSchema({ identity: '{ name: "Task" }' }),
  },
  SCHEMA_REFERENCE: {
    why: "A reference finds its row by the identity of the table and the row's id, and shows the display property until then.",
    bad: reference(""),
    good: reference('  identity: { name: "Task" },\n'),
  },
  SCHEMA_PERSON: {
    why: "People are recognised by their e-mail address, which idProperty has to name.",
    bad: person(""),
    good: person('  idProperty: "email",\n'),
  },
  SCHEMA_AUTOCOMPLETE: {
    why: "The choices of a property are given as options since it can have a list of them; autocomplete is for parameters.",
    bad: withProperty('{ type: ValueType.String, autocomplete: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_OPTIONS: {
    why: "Options are what users choose from in a select list; other values have nothing to choose.",
    bad: withProperty('{ type: ValueType.String, options: ["open", "done"] }'),
    good: withProperty(`{ ${CHOICE} }`),
  },
  SCHEMA_ORIGINAL_KEY: {
    why: "Compiling writes it, to remember the name that you gave. When the member has another name in your result, say so with fromKey.",
    bad: withProperty('{ type: ValueType.String, originalKey: "name" }'),
    good: withProperty('{ type: ValueType.String, fromKey: "name" }'),
  },
  SCHEMA_HINT_INTERNAL: {
    why: "The document service keeps this form for its own values; what a Pack gives in it cannot be read.",
    bad: withProperty('{ type: ValueType.String, codaType: "codaInternalRichText" }'),
    good: withProperty("{ type: ValueType.String, codaType: ValueHintType.Markdown }"),
  },
  SCHEMA_INDEX_EMPTY: {
    why: "An empty list indexes nothing; without the member, nothing is indexed either.",
    bad: index(", contextProperties: []"),
    good: index(', contextProperties: ["b"]'),
  },
  SCHEMA_INDEX_COUNT: {
    why: "Each filter costs the index space, so at most five properties can be filtered by.",
    bad: index(', filterableProperties: ["a", "b", "c", "d", "e", "f"]'),
    good: index(', filterableProperties: ["a", "b", "c", "d", "e"]'),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
