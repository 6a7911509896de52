import type { Untyped } from "./untyped.ts";

type Flatten<T> = { [Key in keyof T]: T[Key] } & {};
type MemberName<Property, Key> = Property extends { readonly fromKey: infer Name extends string }
  ? Name
  : Key;
type RequiredMembers<Properties> = {
  -readonly [Key in keyof Properties as Properties[Key] extends { readonly required: true }
    ? MemberName<Properties[Key], Key>
    : never]: SchemaType<Properties[Key]>;
};
type OptionalMembers<Properties> = {
  -readonly [Key in keyof Properties as Properties[Key] extends { readonly required: true }
    ? never
    : MemberName<Properties[Key], Key>]?: SchemaType<Properties[Key]> | null | undefined;
};
type UnknownMembers<S> = "includeUnknownProperties" extends keyof S
  ? true extends S["includeUnknownProperties"]
    ? { [member: string]: Untyped }
    : unknown
  : unknown;

type ObjectType<S, Properties> = string extends keyof Properties
  ? { [member: string]: Untyped }
  : Flatten<RequiredMembers<Properties> & OptionalMembers<Properties> & UnknownMembers<S>>;

interface DateValues {
  string: string | number | Date;
  number: number | Date;
}

/**
 * The type of the values that a schema describes. If a property has `fromKey`, the field of the
 * value has that name. If a property is `required`, its field is always present.
 */
export type SchemaType<S> = S extends {
  readonly type: infer Type extends keyof DateValues;
  readonly codaType: "date" | "time" | "datetime";
}
  ? DateValues[Type]
  : S extends { readonly type: "string" }
    ? string
    : S extends { readonly type: "number" }
      ? number
      : S extends { readonly type: "boolean" }
        ? boolean
        : S extends { readonly type: "array"; readonly items: infer Items }
          ? SchemaType<Items>[]
          : S extends { readonly properties: infer Properties }
            ? ObjectType<S, Properties>
            : never;
