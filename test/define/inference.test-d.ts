import { expectTypeOf } from "vitest";
import {
  type Arguments,
  AuthenticationType,
  makeObjectSchema,
  makeParameter,
  makeSchema,
  newPack,
  type OAuth2Authentication,
  ParameterType,
  type SchemaType,
  ValueHintType,
  ValueType,
} from "../../src/index.ts";

const pack = newPack();
const title = makeParameter({ type: ParameterType.String, name: "title", description: "The title." });
const due = makeParameter({ type: "date", name: "due", description: "When.", optional: true });
const tags = makeParameter({ type: ParameterType.SparseStringArray, name: "tags", description: "Tags." });

// A parameter that is kept in a variable keeps its literal types.
expectTypeOf(title.type).toEqualTypeOf<"string">();
expectTypeOf<Arguments<[typeof title, typeof due]>>().toEqualTypeOf<[string, Date | undefined]>();
expectTypeOf<Arguments<[typeof title], [typeof tags, typeof title]>>().toEqualTypeOf<[string, ...((string | undefined)[] | string)[]]>();

pack.addFormula({
  name: "Inferred",
  description: "Arguments come from the parameters.",
  parameters: [title, due, tags, makeParameter({ type: ParameterType.Number, name: "limit", description: "How many.", optional: true })],
  resultType: ValueType.String,
  execute: async (args, context) => {
    expectTypeOf(args).toEqualTypeOf<[string, Date | undefined, (string | undefined)[], number | undefined]>();
    expectTypeOf(context.endpoint).toEqualTypeOf<string | undefined>();
    return args[0];
  },
});

pack.addFormula({
  name: "NoThird",
  description: "There is no argument beyond the declared ones.",
  parameters: [title],
  resultType: "boolean",
  // @ts-expect-error reading past the declared parameters
  execute: ([first, second]) => first === second,
});

pack.addFormula({
  name: "Varargs",
  description: "Groups repeat after the declared ones.",
  parameters: [title],
  varargParameters: [makeParameter({ type: "number", name: "value", description: "A number." })],
  resultType: ValueType.Number,
  execute: ([start, ...values]) => {
    expectTypeOf(start).toEqualTypeOf<string>();
    expectTypeOf(values).toEqualTypeOf<number[]>();
    return values.length;
  },
});

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, fromKey: "name", required: true },
    due: { type: ValueType.String, codaType: ValueHintType.Date },
    tags: { type: ValueType.Array, items: { type: ValueType.String } },
    owner: { type: "object", properties: { email: { type: "string", required: true } } },
  },
  idProperty: "id",
  displayProperty: "title",
});

expectTypeOf<SchemaType<typeof TaskSchema>>().toEqualTypeOf<{
  id: string;
  name: string;
  due?: string | number | Date | null | undefined;
  tags?: string[] | null | undefined;
  owner?: { email: string } | null | undefined;
}>();
expectTypeOf<SchemaType<{ type: "number" }>>().toEqualTypeOf<number>();
expectTypeOf(makeSchema({ type: "array", items: { type: "boolean" } }).items.type).toEqualTypeOf<"boolean">();

// @ts-expect-error a misspelled member of an object schema
makeObjectSchema({ properties: {}, idPropery: "id" });
// @ts-expect-error a misspelled member of a parameter
makeParameter({ type: "string", name: "a", description: "b", optinal: true });
// @ts-expect-error a type that no parameter has
makeParameter({ type: "object", name: "a", description: "b" });

pack.addFormula({
  name: "WrongResult",
  description: "The result has another type.",
  parameters: [],
  resultType: ValueType.Number,
  // @ts-expect-error a text is no number
  execute: () => "text",
});

pack.addFormula({
  name: "Tasks",
  description: "Rows fit the schema.",
  parameters: [],
  resultType: ValueType.Array,
  items: TaskSchema,
  execute: () => [{ id: "1", name: "One" }],
});

pack.addFormula({
  name: "MissingMember",
  description: "A required member is missing.",
  parameters: [],
  resultType: ValueType.Object,
  schema: TaskSchema,
  // @ts-expect-error `name` is required
  execute: () => ({ id: "1" }),
});

pack.addFormula({
  name: "Inline",
  description: "A schema that is written in place infers the same.",
  parameters: [],
  resultType: ValueType.Object,
  schema: { properties: { count: { type: ValueType.Number, required: true } } },
  execute: () => ({ count: 1 }),
});

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://a.example",
  tokenUrl: "https://a.example",
  scopeDelimiter: ",",
});
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2ClientCredentials,
  tokenUrl: "https://a.example",
  // @ts-expect-error client credentials have no authorization URL
  authorizationUrl: "https://a.example",
});
// @ts-expect-error a delimiter that the specification does not have
pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://a.example", tokenUrl: "https://a.example", scopeDelimiter: "+" });
// @ts-expect-error no token URL
pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://a.example" });
// @ts-expect-error users' authentication is not the Pack's own
pack.setSystemAuthentication({ type: "OAuth2", authorizationUrl: "https://a.example", tokenUrl: "https://a.example" });

// Enumerations work as members, as literals and as types.
expectTypeOf<ValueType.String>().toEqualTypeOf<"string">();
expectTypeOf<OAuth2Authentication["type"]>().toEqualTypeOf<"OAuth2">();
expectTypeOf(ParameterType.HtmlArray).toEqualTypeOf<"htmlArray">();
