import { isRecord, membersOf } from "../../shared/values.ts";
import type { Elicitation, ElicitationField, ElicitedValue } from "./elicitation.ts";

/** The questions in the parameters of `elicitation/create`, which a server wrote. */
export function readElicitation(
  server: string,
  { message, requestedSchema }: { message: string; requestedSchema?: unknown },
): Elicitation {
  const { properties, required } = membersOf(requestedSchema);
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(membersOf(properties)).map(([name, schema]) =>
    readField(name, membersOf(schema), names.includes(name)),
  );
  return { server, message, fields };
}

function readField(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): ElicitationField {
  const { title, description } = schema;
  const isList = schema["type"] === "array";
  const options = readOptions(isList ? membersOf(schema["items"]) : schema);
  return {
    name,
    title: typeof title === "string" ? title : name,
    description: typeof description === "string" ? description : undefined,
    type: isList ? "choices" : options.length > 0 ? "choice" : readType(schema["type"]),
    isRequired,
    default: schema["default"] as ElicitedValue | undefined,
    options,
  };
}

function readType(type: unknown): "text" | "number" | "integer" | "boolean" {
  return type === "number" || type === "integer" || type === "boolean" ? type : "text";
}

/** Choices are an `enum`, with or without `enumNames`, or a list of constants with titles. */
function readOptions(
  schema: Readonly<Record<string, unknown>>,
): { value: string; title: string }[] {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (Array.isArray(values)) {
    const titles: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, index) => ({
      value: String(value),
      title: String(titles[index] ?? value),
    }));
  }
  const constants = [oneOf, anyOf].find(Array.isArray) ?? [];
  return constants.filter(isRecord).map(({ const: value, title }) => ({
    value: String(value),
    title: String(title ?? value),
  }));
}
