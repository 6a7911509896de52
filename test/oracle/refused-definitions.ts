const text = { type: "string" };
const schema = (more: object = {}, properties: object = {}) => ({
  $schema: {
    properties: { id: { ...text, required: true }, ...properties },
    idProperty: "id",
    displayProperty: "id",
    ...more,
  },
});
const table = (more: object) => ({
  name: "Rows",
  description: "Rows.",
  identityName: "Row",
  schema: schema(),
  formula: {
    name: "SyncRows",
    description: "Syncs rows.",
    parameters: [],
    execute: { $run: { result: [] } },
  },
  ...more,
});
const withSchema = (more: object, properties: object = {}) =>
  table({ schema: schema(more, properties) });
const reference = (members: object) => ({ type: "object", codaType: "reference", ...members });

/**
 * One definition for each thing that is refused, with the number of its fact about the compiled
 * form (docs/rules.md: C24, C25, C37).
 */
export const REFUSED: Readonly<
  Record<string, { fact: number; part: object; add?: "addFormula" | "addSyncTable" }>
> = {
  "a property that says its original name": {
    fact: 24,
    part: withSchema({}, { other: { ...text, originalKey: "it" } }),
  },
  "a reference without an identity": {
    fact: 25,
    part: withSchema(
      {},
      {
        other: {
          $schema: reference({
            properties: { id: { ...text, required: true }, name: { ...text, required: true } },
            idProperty: "id",
            displayProperty: "name",
          }),
        },
      },
    ),
  },
  "a reference without an id": {
    fact: 25,
    part: withSchema(
      {},
      {
        other: {
          $schema: reference({
            identity: { name: "Other" },
            properties: { name: { ...text, required: true } },
            displayProperty: "name",
          }),
        },
      },
    ),
  },
  "a reference whose id is not required": {
    fact: 25,
    part: withSchema(
      {},
      {
        other: {
          $schema: reference({
            identity: { name: "Other" },
            properties: { id: text, name: { ...text, required: true } },
            idProperty: "id",
            displayProperty: "name",
          }),
        },
      },
    ),
  },
  "a person without a required id": {
    fact: 25,
    part: withSchema(
      {},
      {
        other: {
          $schema: {
            type: "object",
            codaType: "person",
            properties: { email: text },
            idProperty: "email",
          },
        },
      },
    ),
  },
  "a table without an identity": { fact: 37, part: table({ identityName: undefined }) },
  "a table with two identities": { fact: 37, part: withSchema({ identity: { name: "Other" } }) },
  "a table without an id": { fact: 37, part: withSchema({ idProperty: undefined }) },
  "a table without a property to show": {
    fact: 37,
    part: withSchema({ displayProperty: undefined }),
  },
  "a table with a space in its name": { fact: 37, part: table({ name: "My rows" }) },
  "a table of users without their addresses": {
    fact: 37,
    part: { ...withSchema({ userIdProperty: "id" }), role: "users" },
  },
  "a table of group members without groups": {
    fact: 37,
    part: { ...withSchema({ userIdProperty: "id" }), role: "groupMembers" },
  },
  "a table of group members without members": {
    fact: 37,
    part: { ...withSchema({ groupIdProperty: "id" }), role: "groupMembers" },
  },
};
