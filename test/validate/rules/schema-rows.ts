import { type Definition, withSchema } from "../definitions.ts";
import type { Row } from "./row.ts";

const at = "formulas[0].schema";
const properties = {
  id: { type: "string", required: true },
  name: { type: "string", required: true },
  link: { type: "string", codaType: "url" },
  photo: { type: "string", codaType: "image" },
  file: { type: "string", codaType: "attachment" },
  made: { type: "string", codaType: "datetime" },
  day: { type: "number", codaType: "date" },
  mail: { type: "string", codaType: "email" },
  count: { type: "number" },
  done: { type: "boolean" },
  tags: { type: "array", items: { type: "string" } },
  flags: { type: "array", items: { type: "boolean" } },
  owner: {
    type: "object",
    codaType: "person",
    properties: { email: { type: "string", codaType: "email", required: true } },
    idProperty: "email",
  },
  place: { type: "object", properties: { city: { type: "string" } } },
  user: { type: "object", properties: { key: { type: "string" } }, userIdProperty: "key" },
};
const object = (members: Definition): Definition =>
  withSchema({ type: "object", properties, ...members });
const index = (members: Definition): Definition =>
  object({ index: { properties: ["name"], ...members } });
const email = (members: Definition): Definition =>
  object({
    index: {
      contentCategorization: {
        type: "Email",
        toProperty: "mail",
        fromProperty: "mail",
        subjectProperty: "name",
        htmlBodyProperty: "name",
        plainTextBodyProperty: "name",
        ...members,
      },
    },
  });
const property = (member: Definition): Definition =>
  withSchema({ type: "object", properties: { a: member } });
const reference = (members: Definition): Definition => ({
  type: "object",
  codaType: "reference",
  properties: { id: { type: "string", required: true }, name: { type: "string", required: true } },
  idProperty: "id",
  displayProperty: "name",
  identity: { name: "Task" },
  ...members,
});
const person = (members: Definition): Definition => ({
  type: "object",
  codaType: "person",
  properties: { email: { type: "string", required: true } },
  idProperty: "email",
  ...members,
});
/**
 * A member that names a property: a property that serves, one that does not, and one that is not
 * there.
 */
const purpose = (rule: string, member: string, good: string, bad: string): Row[] => [
  [
    rule,
    object({ [member]: good }),
    object({ [member]: bad }),
    `SCHEMA_PROPERTY_TYPE ${at}.${member}`,
  ],
  [
    rule,
    object({ [member]: { property: good, label: "" } }),
    object({ [member]: "nothing" }),
    `SCHEMA_PROPERTY_UNKNOWN ${at}.${member}`,
  ],
];

export const schemaRows: Row[] = [
  [
    "73",
    property({ type: "string", codaType: "selectList", options: ["a"] }),
    property({ type: "string", autocomplete: ["a"] }),
    `SCHEMA_AUTOCOMPLETE ${at}.properties.a.autocomplete`,
  ],
  [
    "74",
    property({ type: "array", items: { type: "string", codaType: "selectList", options: ["a"] } }),
    property({ type: "string", options: ["a"] }),
    `SCHEMA_OPTIONS ${at}.properties.a.options`,
  ],
  [
    "74",
    property({
      type: "object",
      codaType: "selectList",
      properties: {},
      options: [{ display: "A", value: { a: 1 } }],
    }),
    property({ type: "object", properties: {}, options: [] }),
    `SCHEMA_OPTIONS ${at}.properties.a.options`,
  ],
  [
    "74",
    property({ type: "array", items: { type: "string", codaType: "selectList", options: ["a"] } }),
    property({ type: "array", items: { type: "string", codaType: "selectList" }, options: ["a"] }),
    `SCHEMA_OPTIONS ${at}.properties.a.options`,
  ],
  [
    "148",
    property({ type: "string", codaType: "selectList", options: () => [] }),
    property({ type: "string", codaType: "selectList", options: "listOptions" }),
    `SCHEMA_OPTIONS ${at}.properties.a.options`,
  ],
  [
    "75",
    object({ identity: { name: "Task" } }),
    object({ identity: { name: "" } }),
    `SCHEMA_IDENTITY_NAME ${at}.identity.name`,
  ],
  [
    "76",
    object({ identity: { name: "Task_1-a" } }),
    object({ identity: { name: "My Task" } }),
    `SCHEMA_IDENTITY_NAME ${at}.identity.name`,
  ],
  [
    "77",
    withSchema({
      type: "object",
      properties: { a: { type: "string", fixedId: "1" }, b: { type: "string", fixedId: "2" } },
    }),
    withSchema({
      type: "object",
      properties: { a: { type: "string", fixedId: "1" }, b: { type: "string", fixedId: "1" } },
    }),
    `SCHEMA_FIXED_ID ${at}.properties.b.fixedId`,
  ],
  [
    "78 79 80",
    object({ idProperty: "id", displayProperty: "place.city", featuredProperties: ["tags"] }),
    object({ idProperty: "ID", featuredProperties: ["nothing"] }),
    `SCHEMA_PROPERTY_UNKNOWN ${at}.idProperty`,
    `SCHEMA_PROPERTY_UNKNOWN ${at}.featuredProperties[0]`,
  ],
  ...purpose("81", "titleProperty", "place", "count"),
  ...purpose("82", "linkProperty", "link", "name"),
  ...purpose("83", "imageProperty", "photo", "link"),
  ...purpose("84", "snippetProperty", "tags", "flags"),
  [
    "85",
    object({ subtitleProperties: ["count", { property: "place.city" }] }),
    object({ subtitleProperties: ["name", "photo", "file"] }),
    `SCHEMA_PROPERTY_TYPE ${at}.subtitleProperties[1]`,
    `SCHEMA_PROPERTY_TYPE ${at}.subtitleProperties[2]`,
  ],
  ...purpose("86", "createdAtProperty", "made", "name"),
  ...purpose("87", "modifiedAtProperty", "day", "count"),
  ...purpose("88", "createdByProperty", "owner", "place"),
  ...purpose("89", "modifiedByProperty", "mail", "name"),
  ...purpose("90", "userEmailProperty", "mail", "count"),
  ...purpose("91", "userIdProperty", "count", "done"),
  ...purpose("92", "groupIdProperty", "id", "owner"),
  ...purpose("93", "memberGroupIdProperty", "id", "tags"),
  ...purpose("94", "versionProperty", "id", "count"),
  [
    "95",
    property({ type: "string", codaType: "markdown" }),
    property({ type: "string", codaType: "codaInternalRichText" }),
    `SCHEMA_HINT_INTERNAL ${at}.properties.a.codaType`,
  ],
  [
    "96 97 98 99 100",
    email({}),
    email({
      toProperty: "count",
      fromProperty: "nothing",
      subjectProperty: "done",
      htmlBodyProperty: "tags",
      plainTextBodyProperty: undefined,
    }),
    `SCHEMA_PROPERTY_TYPE ${at}.index.contentCategorization.toProperty`,
    `SCHEMA_PROPERTY_UNKNOWN ${at}.index.contentCategorization.fromProperty`,
    `SCHEMA_PROPERTY_TYPE ${at}.index.contentCategorization.subjectProperty`,
    `SCHEMA_PROPERTY_TYPE ${at}.index.contentCategorization.htmlBodyProperty`,
    `MEMBER_MISSING ${at}.index.contentCategorization.plainTextBodyProperty`,
  ],
  ["101", index({}), index({ properties: [] }), `SCHEMA_INDEX_EMPTY ${at}.index.properties`],
  [
    "102",
    index({ properties: ["tags", { property: "name", strategy: "raw" }] }),
    index({ properties: ["count", { property: "flags", strategy: "raw" }] }),
    `SCHEMA_PROPERTY_TYPE ${at}.index.properties[0]`,
    `SCHEMA_PROPERTY_TYPE ${at}.index.properties[1].property`,
  ],
  [
    "103",
    index({ contextProperties: ["count"] }),
    index({ contextProperties: [] }),
    `SCHEMA_INDEX_EMPTY ${at}.index.contextProperties`,
  ],
  [
    "104 105",
    index({ authorityNormProperty: "count", popularityNormProperty: "count" }),
    index({ authorityNormProperty: "name", popularityNormProperty: "done" }),
    `SCHEMA_PROPERTY_TYPE ${at}.index.authorityNormProperty`,
    `SCHEMA_PROPERTY_TYPE ${at}.index.popularityNormProperty`,
  ],
  [
    "106",
    index({ filterableProperties: ["done", "count", "name", "owner", "user"] }),
    index({ filterableProperties: ["place", "flags", "tags"] }),
    `SCHEMA_PROPERTY_TYPE ${at}.index.filterableProperties[0]`,
    `SCHEMA_PROPERTY_TYPE ${at}.index.filterableProperties[1]`,
  ],
  [
    "107",
    index({ filterableProperties: ["done", "count", "name", "owner", "user"] }),
    index({ filterableProperties: ["done", "count", "name", "owner", "user", "mail"] }),
    `SCHEMA_INDEX_COUNT ${at}.index.filterableProperties`,
  ],
  [
    "108",
    object({ index: { contentCategorization: { type: "Messaging" } } }),
    object({ index: { contentCategorization: { type: "Letters" } } }),
    `SCHEMA_OPTION_VALUE ${at}.index.contentCategorization.type`,
  ],
  [
    "109",
    object({ titleProperty: { property: "name" } }),
    object({ titleProperty: "", linkProperty: { property: " " } }),
    `SCHEMA_PROPERTY_EMPTY ${at}.titleProperty`,
    `SCHEMA_PROPERTY_EMPTY ${at}.linkProperty`,
  ],
  [
    "63",
    object({ attribution: [{ type: 1, text: "From Tasks" }] }),
    object({ attribution: [{ type: 2, anchorUrl: "https://tasks.example" }, { type: 4 }] }),
    `MEMBER_MISSING ${at}.attribution[0].anchorText`,
    `SCHEMA_OPTION_VALUE ${at}.attribution[1].type`,
  ],
  ["A12", index({}), index({ propertys: ["name"] }), `SCHEMA_KEY_UNKNOWN ${at}.index.propertys`],
  [
    "A12",
    object({ titleProperty: { property: "name", label: "a" } }),
    object({ titleProperty: { property: "name", lable: "a" } }),
    `SCHEMA_KEY_UNKNOWN ${at}.titleProperty.lable`,
  ],
  [
    "A13",
    withSchema({
      type: "object",
      properties: { fooBar: { type: "string" }, foo: { type: "string" } },
    }),
    withSchema({
      type: "object",
      properties: { "foo-bar": { type: "string" }, fooBar: { type: "string" } },
    }),
    `SCHEMA_PROPERTY_COLLISION ${at}.properties.fooBar`,
  ],
  [
    "A14",
    withSchema({
      type: "object",
      properties: { prenom: { type: "string" }, 名前: { type: "string" } },
    }),
    withSchema({ type: "object", properties: { prénom: { type: "string" } } }),
    `SCHEMA_PROPERTY_NAME ${at}.properties.prénom`,
  ],
  [
    "A schema does not have an originalKey",
    property({ type: "string", fromKey: "b" }),
    property({ type: "string", originalKey: "b" }),
    `SCHEMA_ORIGINAL_KEY ${at}.properties.a.originalKey`,
  ],
  [
    "A reference has an id and an identity",
    property(reference({})),
    property(reference({ idProperty: undefined, identity: undefined })),
    `SCHEMA_REFERENCE ${at}.properties.a.idProperty`,
    `SCHEMA_REFERENCE ${at}.properties.a.identity`,
  ],
  [
    "The id of a reference is required",
    property(reference({ id: "id", idProperty: undefined })),
    property(
      reference({
        properties: { id: { type: "string" }, name: { type: "string", required: true } },
      }),
    ),
    `SCHEMA_REFERENCE ${at}.properties.a.properties.id`,
  ],
  [
    "A person has an id",
    property(person({})),
    property(person({ idProperty: undefined })),
    `SCHEMA_PERSON ${at}.properties.a.idProperty`,
  ],
  [
    "A person in a list has a required e-mail address",
    property({ type: "array", items: person({}) }),
    property({ type: "array", items: person({ properties: { email: { type: "string" } } }) }),
    `SCHEMA_PERSON ${at}.properties.a.items.properties.email`,
  ],
];
