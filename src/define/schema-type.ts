import type { ObjectSchemaProperties, Schema } from "./schema.ts";

type DateHint = "date" | "time" | "datetime";
type Flat<Members> = { [Name in keyof Members]: Members[Name] };

type SourceKey<Properties, Name extends keyof Properties> = Properties[Name] extends { readonly fromKey: infer Key extends string }
  ? Key
  : Name;

type ObjectType<Properties> = string extends keyof Properties
  ? Record<string, unknown>
  : Flat<
      {
        -readonly [Name in keyof Properties as Properties[Name] extends { readonly required: true }
          ? SourceKey<Properties, Name>
          : never]: SchemaType<Properties[Name]>;
      } & {
        -readonly [Name in keyof Properties as Properties[Name] extends { readonly required: true } ? never : SourceKey<Properties, Name>]?:
          | SchemaType<Properties[Name]>
          | undefined;
      }
    >;

/**
 * The value that a formula returns for a schema: objects under the names of `fromKey`, with the `required` properties
 * required. A date may be a `Date`, and one whose type is string may be a number too: seconds since 1970.
 */
export type SchemaType<Definition> = Definition extends { readonly type: "boolean" }
  ? boolean
  : Definition extends { readonly type: "number" }
    ? Definition extends { readonly codaType: DateHint }
      ? number | Date
      : number
    : Definition extends { readonly type: "string" }
      ? Definition extends { readonly codaType: DateHint }
        ? string | number | Date
        : string
      : Definition extends { readonly type: "array"; readonly items: infer Items extends Schema }
        ? SchemaType<Items>[]
        : Definition extends { readonly type: "object"; readonly properties: infer Properties extends ObjectSchemaProperties }
          ? ObjectType<Properties>
          : unknown;
