import { isRecord } from "../../shared/is-record.ts";
import { listOf, type Members } from "../../validate/shape.ts";
import { entriesOf, follow, own, textOf } from "./description.ts";
import { camelCase, createNames, pascalCase, sentence } from "./names.ts";
import { createShapes, itemOf, type Shape } from "./shapes.ts";

/** A request of the API, as a formula sends it. */
export interface Operation {
  /** The name of the formula. */
  name: string;
  method: Method;
  /** Has `{name}` for each path parameter. */
  path: string;
  description: string;
  /** Required ones first. */
  inputs: Input[];
  body: BodyFormat | undefined;
  result: Result;
  /** The request needs no account, although the description has authentication. */
  isPublic: boolean;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

export interface Input {
  /** The name of the formula's parameter. */
  name: string;
  /** The name in the request. */
  wireName: string;
  place: "path" | "query" | "header" | "body" | "wholeBody";
  shape: Shape;
  description: string;
  isRequired: boolean;
}

export type BodyFormat = "json" | "form";

/** What a response contains. */
export type Result = { kind: "nothing" } | { kind: "json"; shape: Shape } | { kind: "text" } | { kind: "bytes"; contentType: string };

export interface Operations {
  operations: Operation[];
  /** What was left out, and why. */
  left: string[];
}

/** The maximum number of formulas in a Pack. */
const MAX_FORMULAS = 100;
const IGNORED_HEADERS = ["accept", "content-type", "authorization", "cookie", "host"];

/**
 * Reads the operations of a description, in their order.
 *
 * @throws {PackError} DESCRIPTION_REFERENCE
 */
export function readOperations(description: Members): Operations {
  const shapes = createShapes(description);
  const nameOf = createNames();
  const operations: Operation[] = [];
  const left: string[] = [];
  for (const [path, item] of entriesOf(description["paths"])) {
    const value = follow(description, item).value;
    for (const [key, operation] of entriesOf(value)) {
      const method = METHODS.find((each) => each === key.toUpperCase() && key === key.toLowerCase());
      if (method === undefined || !isRecord(operation)) continue;
      const label = `${method} ${sentence(path, 100)}`;
      if (operations.length === MAX_FORMULAS) left.push(`${label}: a Pack has at most ${MAX_FORMULAS} formulas`);
      else readOperation(method, path, operation, listOf(own(value, "parameters")), label);
    }
  }
  return { operations, left };

  function readOperation(method: Method, path: string, operation: Members, common: readonly unknown[], label: string): void {
    // RFC 9110 §9.3.1: the body of a GET has no meaning, so a Pack sends none.
    const body = bodyOf(method === "GET" ? undefined : operation["requestBody"]);
    if (method === "GET" && operation["requestBody"] !== undefined) left.push(`${label}: the body of a GET is not sent`);
    if (body.problem !== undefined) return void left.push(`${label}: ${body.problem}`);
    if (!/^\//.test(path) || /[\s?#\\]/.test(path)) return void left.push(`${label}: its path is not valid`);
    const inputs = inputsOf(path, [...common, ...listOf(operation["parameters"])], body.inputs, (what) => left.push(`${label}: ${what}`));
    if (inputs === undefined) return void left.push(`${label}: its path names a parameter that is not described`);
    operations.push({
      name: nameOf(pascalCase(textOf(operation["operationId"]) ?? nameFromPath(method, path)), pascalCase(method.toLowerCase())),
      method,
      path,
      description: descriptionOf(operation) || sentence(`${method} ${path}`),
      inputs,
      body: body.format,
      result: resultOf(operation["responses"]),
      isPublic: Array.isArray(operation["security"]) && operation["security"].length === 0,
    });
  }

  function inputsOf(
    path: string,
    parameters: readonly unknown[],
    bodyInputs: readonly Draft[],
    leave: (what: string) => void,
  ): Input[] | undefined {
    // A parameter of the operation replaces one of its path with the same place and name.
    const drafts = new Map<string, Draft>();
    for (const parameter of parameters) {
      const { value } = follow(description, parameter);
      const [name, place] = [textOf(own(value, "name")), textOf(own(value, "in"))];
      if (name === undefined || place === undefined) continue;
      if (place === "cookie") leave(`the cookie ${sentence(name, 50)} is not sent`);
      if (!isPlace(place) || (place === "header" && IGNORED_HEADERS.includes(name.toLowerCase()))) continue;
      const schema = own(value, "schema") ?? own(Object.values(membersOf(own(value, "content")))[0], "schema");
      const shape = shapes.shapeOf(schema);
      if (place === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) leave(`the header ${sentence(name, 50)} has an invalid name`);
      else if (place !== "path" && itemOf(shape).kind === "object") leave(`the parameter ${sentence(name, 50)} is an object`);
      else {
        const description = textOf(own(value, "description"));
        drafts.set(`${place} ${name}`, {
          name,
          place,
          shape,
          description,
          isRequired: place === "path" || own(value, "required") === true,
        });
      }
    }
    const wanted = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
    if (wanted.some((name) => !drafts.has(`path ${name}`))) return undefined;
    const used = [...drafts.values()].filter(({ place, name }) => place !== "path" || wanted.includes(name));
    const ordered = [...used, ...bodyInputs].sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
    const inputName = createNames();
    return ordered.map(({ name, description: words, ...draft }) => ({
      ...draft,
      name: inputName(camelCase(name), "value"),
      wireName: name,
      description: describe(words, name, draft.shape),
    }));
  }

  function bodyOf(requestBody: unknown): { inputs: Draft[]; format?: BodyFormat; problem?: string } {
    if (requestBody === undefined) return { inputs: [] };
    const { value } = follow(description, requestBody);
    const content = own(value, "content");
    const types = entriesOf(content);
    const json = types.find(([type]) => isJson(type));
    const form = types.find(([type]) => /^application\/x-www-form-urlencoded\b/i.test(type));
    if (types.length === 0) return { inputs: [] };
    const [, media] = json ?? form ?? [];
    if (media === undefined)
      return { inputs: [], problem: `its body is ${sentence(types[0]?.[0] ?? "", 60)}; a formula sends JSON or a form` };
    const format = json === undefined ? "form" : "json";
    const shape = shapes.shapeOf(own(media, "schema"));
    const isRequired = own(value, "required") === true;
    if (shape.kind === "object" && !shape.isOpen) {
      const inputs = shape.members.map((member): Draft => ({ ...member, place: "body", isRequired: isRequired && member.isRequired }));
      return { inputs, format };
    }
    if (format === "form") return { inputs: [], problem: "the fields of its form are not described" };
    return { inputs: [{ name: "body", place: "wholeBody", shape, description: textOf(own(value, "description")), isRequired }], format };
  }

  function resultOf(responses: unknown): Result {
    const answers = entriesOf(responses);
    const [, answer] =
      answers.find(([status]) => /^2\d\d$/.test(status)) ?? answers.find(([status]) => /^2XX$|^default$/i.test(status)) ?? [];
    const types = answer === undefined ? [] : entriesOf(own(follow(description, answer).value, "content"));
    const json = types.find(([type]) => isJson(type));
    if (json !== undefined) return { kind: "json", shape: shapes.shapeOf(own(json[1], "schema")) };
    const [type] = types[0] ?? [];
    if (type === undefined) return { kind: "nothing" };
    return /^text\//i.test(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type) ? { kind: "text" } : { kind: "bytes", contentType: type };
  }
}

type Draft = Omit<Input, "name" | "wireName" | "description"> & { name: string; description: string | undefined };

function isPlace(place: string): place is "path" | "query" | "header" {
  return place === "path" || place === "query" || place === "header";
}

function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

function isJson(type: string): boolean {
  return /^(application\/([\w.+-]+\+)?json|\*\/\*)\s*(;|$)/i.test(type);
}

/** `GET /lists/{listId}/tasks` → `GetListsTasksByListId` */
function nameFromPath(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const [fixed, given] = [parts.filter((part) => !part.startsWith("{")), parts.filter((part) => part.startsWith("{"))];
  const by = given.length === 0 ? "" : ` by ${given.map((part) => part.slice(1, -1)).join(" and ")}`;
  return `${method.toLowerCase()} ${fixed.join(" ")}${by}`.replace(/ by (\w)/, (_, letter: string) => ` by ${letter}`);
}

/** The description of a request, or the words of its name. */
function descriptionOf({ summary, description, operationId }: Members): string {
  const said = sentence(textOf(summary) ?? textOf(description) ?? "");
  const words = said === "" && textOf(operationId) !== undefined ? humanized(String(operationId)) : "";
  return words === "" ? said : sentence(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`);
}

/** The description of a parameter. Says so if the value is JSON. */
function describe(words: string | undefined, name: string, shape: Shape): string {
  const said = sentence(words ?? "") || sentence(`The ${humanized(name) || "value"}.`);
  const isStructured = shape.kind === "object" || shape.kind === "unknown" || (shape.kind === "list" && !isPlainItem(shape.items));
  return isStructured ? `${said.replace(/[.\s]+$/, "")}, as JSON.` : said;
}

/** Whether a parameter can be a list of this type. */
export function isPlainItem(shape: Shape): boolean {
  return shape.kind === "text" || shape.kind === "number" || shape.kind === "boolean";
}

function humanized(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{N}]+/u);
  return (
    words
      .filter((word) => word !== "")
      .join(" ")
      .toLowerCase() || "value"
  );
}
