import type { Members } from "../../shared/values.ts";
import { findText, follow, listEntries, readOwn } from "./description.ts";
import { camelCase, createNames, sentence } from "./names.ts";
import type { ReadShape } from "./shape-reader.ts";
import { getItem, type Shape } from "./shapes.ts";

/** A value that a request sends. */
export interface Input {
  /** The name of the formula's parameter. */
  name: string;
  /** The name in the request. */
  wireName: string;
  place: "path" | "query" | "header" | "body" | "wholeBody";
  shape: Shape;
  description: string;
  isRequired: boolean;
  /**
   * What joins the items of a list in a query. Undefined if each item has a parameter of its own.
   */
  separator?: string | undefined;
  /** Numbers that the schema names. */
  range?: Range | undefined;
}

export interface Range {
  first: number | undefined;
  minimum: number | undefined;
  maximum: number | undefined;
}

export type BodyFormat = "json" | "form";

/** An input before it has a name of its own in the formula. */
export type InputDraft = Omit<Input, "name" | "wireName" | "description"> & {
  name: string;
  description: string | undefined;
};

/** Reports what is not taken over. */
export type Leave = (what: string) => void;

/**
 * RFC 9110 §12.5.1, §8.3, §11.6.2 and §7.2: set by the request itself, its format, or the account.
 */
const OWN_HEADERS = ["accept", "content-type", "authorization", "cookie", "host"];
const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ["form", ","],
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
  ["tabDelimited", "\t"],
]);

/** Reads parameters and bodies of requests. */
export function createInputReader(description: Members, readShape: ReadShape) {
  return { readBody, createInputs };

  /** @returns undefined if the path names a parameter that is not described */
  function createInputs(
    path: string,
    parameters: readonly unknown[],
    bodyInputs: readonly InputDraft[],
    leave: Leave,
  ): Input[] | undefined {
    const wanted = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
    // A parameter of the operation replaces one of its path with the same place and name.
    const drafts = new Map<string, InputDraft>();
    for (const parameter of parameters) {
      const { value } = follow(description, parameter);
      const [name, place] = [findText(readOwn(value, "name")), findText(readOwn(value, "in"))];
      if (name === undefined || place === undefined) {
        leave(`a parameter has no ${name === undefined ? "name" : "place"}`);
        continue;
      }
      const problem = findProblem(name, place, wanted);
      const draft =
        problem === undefined ? createDraft(name, place as InputDraft["place"], value) : undefined;
      if (draft === undefined) leave(problem ?? "");
      else if (place !== "path" && getItem(draft.shape).kind === "object")
        leave(`the parameter ${sentence(name, 50)} is an object`);
      else drafts.set(`${place} ${name}`, draft);
    }
    if (wanted.some((name) => !drafts.has(`path ${name}`))) return undefined;
    const ordered = [...drafts.values(), ...bodyInputs].sort(
      (one, other) => Number(other.isRequired) - Number(one.isRequired),
    );
    const inputName = createNames();
    return ordered.map(({ name, description: words, ...draft }) => ({
      ...draft,
      name: inputName(camelCase(name), "value"),
      wireName: name,
      description: describe(words, name, draft.shape),
    }));
  }

  function createDraft(name: string, place: InputDraft["place"], parameter: unknown): InputDraft {
    const [media] = listEntries(readOwn(parameter, "content"));
    const schema = readOwn(parameter, "schema") ?? readOwn(media?.[1], "schema");
    const shape = readShape(schema);
    const style = findText(readOwn(parameter, "style")) ?? "form";
    const isJoined = (readOwn(parameter, "explode") ?? style === "form") === false;
    return {
      name,
      place,
      shape,
      description: findText(readOwn(parameter, "description")),
      isRequired: place === "path" || readOwn(parameter, "required") === true,
      separator: place === "query" && isJoined ? SEPARATORS.get(style) : undefined,
      range: shape.kind === "number" ? readRange(follow(description, schema).value) : undefined,
    };
  }

  function readBody(
    requestBody: unknown,
    leave: Leave,
  ): { inputs: InputDraft[]; format?: BodyFormat; problem?: string } {
    if (requestBody === undefined) return { inputs: [] };
    const { value } = follow(description, requestBody);
    const types = listEntries(readOwn(value, "content"));
    const json = types.find(([type]) => isJson(type));
    const form = types.find(([type]) => /^application\/x-www-form-urlencoded\b/i.test(type));
    if (types.length === 0) return { inputs: [] };
    const [, media] = json ?? form ?? [];
    if (media === undefined)
      return {
        inputs: [],
        problem: `its body is ${sentence(types[0]?.[0] ?? "", 60)}; a formula sends JSON or a form`,
      };
    const format = json === undefined ? "form" : "json";
    const shape = readShape(readOwn(media, "schema"));
    const isRequired = readOwn(value, "required") === true;
    if (shape.kind === "object" && !shape.isOpen) {
      for (const reason of shape.left) leave(`the body's property ${sentence(reason, 120)}`);
      const inputs = shape.members.map(
        ({ isNullable: _, ...member }): InputDraft => ({
          ...member,
          place: "body",
          isRequired: isRequired && member.isRequired,
        }),
      );
      return { inputs, format };
    }
    if (format === "form")
      return { inputs: [], problem: "the description does not list the fields of its form" };
    return {
      inputs: [
        {
          name: "body",
          place: "wholeBody",
          shape,
          description: findText(readOwn(value, "description")),
          isRequired,
        },
      ],
      format,
    };
  }
}

function findProblem(
  name: string,
  place: string,
  pathNames: readonly string[],
): string | undefined {
  const shown = sentence(name, 50);
  switch (place) {
    case "query":
      return undefined;
    case "path":
      return pathNames.includes(name)
        ? undefined
        : `its path does not contain the parameter ${shown}`;
    case "header":
      if (OWN_HEADERS.includes(name.toLowerCase()))
        return `the header ${shown} is not a parameter, because the request or the account sets it`;
      return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
        ? undefined
        : `the header ${shown} has an invalid name`;
    case "cookie":
      return `the cookie ${shown} is not sent`;
    default:
      return `the parameter ${shown} is in "${sentence(place, 30)}", which is not a part of a request`;
  }
}

function readRange(schema: unknown): Range {
  const number = (name: string): number | undefined => {
    const value = readOwn(schema, name);
    return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
  };
  return { first: number("default"), minimum: number("minimum"), maximum: number("maximum") };
}

/** Whether a media type is JSON, or any type. */
export function isJson(type: string): boolean {
  return /^(application\/([\w.+-]+\+)?json|\*\/\*)\s*(;|$)/i.test(type);
}

/** The description of a parameter. Says so if the value is JSON. */
function describe(words: string | undefined, name: string, shape: Shape): string {
  const said = sentence(words ?? "") || sentence(`The ${humanizeName(name) || "value"}.`);
  const isStructured =
    shape.kind === "object" ||
    shape.kind === "unknown" ||
    (shape.kind === "list" && !isPlainItem(shape.items));
  return isStructured ? `${said.replace(/[.\s]+$/, "")}, as JSON.` : said;
}

/** Whether a parameter can be a list of this type. */
export function isPlainItem(shape: Shape): boolean {
  return shape.kind === "text" || shape.kind === "number" || shape.kind === "boolean";
}

/** `dueDate` → `due date` */
export function humanizeName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{N}]+/u);
  return (
    words
      .filter((word) => word !== "")
      .join(" ")
      .toLowerCase() || "value"
  );
}
