import type { FetchMethodType, FetchRequest, FetchResponse } from "./fetch.ts";
import type { AnyParameter, CommonFormulaDefinition, Formula } from "./formula.ts";
import { makeFormula } from "./make-formula.ts";
import type { ExecutionContext, Schema } from "./schema.ts";
import type { Untyped } from "./untyped.ts";
import { withQueryParams } from "./urls.ts";

/**
 * Changes the value of an argument before it is used. A plain object as the result means several
 * values, by name.
 */
type Transform = { call(value: Untyped): unknown }["call"];

/** A description of a request. Each argument has the name of its parameter. */
export interface RequestHandlerTemplate {
  /**
   * The URL of the request. Each `{name}` is replaced by the percent-encoded argument with this
   * name.
   */
  url: string;
  /** The method of the request, such as `GET`. */
  method: FetchMethodType;
  /** Headers of the request. `Accept` and `Content-Type` are `application/json` by default. */
  headers?: { [name: string]: string } | undefined;
  /**
   * Renames arguments in the URL and in the options below. The keys are parameter names, and the
   * values are the new names.
   */
  nameMapping?: { [parameter: string]: string } | undefined;
  /**
   * Functions that change an argument. The keys are argument names. A function can return several
   * values as an object with named properties.
   */
  transforms?: { [name: string]: Transform } | undefined;
  /** The names of the arguments in the query. An optional argument without a value is left out. */
  queryParams?: string[] | undefined;
  /** Fixed fields of the JSON body. */
  bodyTemplate?: object | undefined;
  /**
   * The names of the arguments in the JSON body. An optional argument without a value is left out.
   */
  bodyParams?: string[] | undefined;
}

/** Describes which part of the response is the result. */
export interface ResponseHandlerTemplate<Result extends Schema = Schema> {
  /** The schema of the result: an object, or a list of objects. */
  schema?: Result | undefined;
  /** The property of the response body that contains the result. @default the complete body */
  projectKey?: string | undefined;
  /**
   * A function that runs if the request fails. Its return value becomes the result of the
   * formula.
   */
  onError?: ((error: Error) => unknown) | undefined;
}

/** A formula that sends one request and returns a part of the response. */
export type ObjectArrayFormulaDef<
  Params extends readonly AnyParameter[] = readonly AnyParameter[],
  Result extends Schema = Schema,
> = CommonFormulaDefinition<Params, []> & {
  /** The request that the formula sends. */
  readonly request: RequestHandlerTemplate;
  /** The part of the response that becomes the result. */
  readonly response: ResponseHandlerTemplate<Result>;
};

/** A formula that sends one request and returns an empty string. */
export type EmptyFormulaDef<Params extends readonly AnyParameter[] = readonly AnyParameter[]> =
  CommonFormulaDefinition<Params, []> & {
    /** The request that the formula sends. */
    readonly request: RequestHandlerTemplate;
  };

/**
 * Creates a formula that sends a request and returns a part of the response. The result is an
 * object, or a list if the schema is an array.
 * @throws {Error} when two parameters have the same name
 * @example
 * ```ts
 * const search = makeTranslateObjectFormula({
 *   name: "SearchBooks",
 *   description: "Finds books by their title.",
 *   parameters: [
 *     makeParameter({
 *       type: ParameterType.String,
 *       name: "title",
 *       description: "A part of the title.",
 *     }),
 *   ],
 *   request: { method: "GET", url: "https://api.example.com/books", queryParams: ["title"] },
 *   response: {
 *     projectKey: "books",
 *     schema: {
 *       type: ValueType.Array,
 *       items: makeObjectSchema({ properties: { title: { type: ValueType.String } } }),
 *     },
 *   },
 * });
 * ```
 */
export function makeTranslateObjectFormula<
  const Params extends readonly AnyParameter[],
  const Result extends Schema,
>(definition: ObjectArrayFormulaDef<Params, Result>): Formula {
  const { request, response, ...rest } = definition;
  const { schema, projectKey, onError } = response;
  const send = requestSender(request, definition.parameters);
  const execute = async (args: readonly unknown[], context: ExecutionContext) =>
    readProjection((await send(args, context)).body, projectKey);
  return makeUntypedFormula({ ...rest, ...createResultShape(schema), execute, onError });
}

/**
 * Creates a formula that sends a request and returns an empty string. Use this function for actions
 * without a result.
 * @throws {Error} when two parameters have the same name
 * @example
 * ```ts
 * const remove = makeEmptyFormula({
 *   name: "RemoveTask",
 *   description: "Removes a task.",
 *   isAction: true,
 *   parameters: [
 *     makeParameter({
 *       type: ParameterType.String,
 *       name: "id",
 *       description: "The id of the task.",
 *     }),
 *   ],
 *   request: { method: "DELETE", url: "https://api.example.com/tasks/{id}" },
 * });
 * ```
 */
export function makeEmptyFormula<const Params extends readonly AnyParameter[]>(
  definition: EmptyFormulaDef<Params>,
): Formula {
  const { request, ...rest } = definition;
  const send = requestSender(request, definition.parameters);
  const execute = async (args: readonly unknown[], context: ExecutionContext) => {
    await send(args, context);
    return "";
  };
  return makeUntypedFormula({ ...rest, resultType: "string", execute });
}

/** `makeFormula` takes the type of the result from a literal, which these factories do not have. */
export function makeUntypedFormula(definition: object): Formula {
  return makeFormula(definition as unknown as Parameters<typeof makeFormula>[0]);
}

function requestSender(request: RequestHandlerTemplate, parameters: readonly AnyParameter[]) {
  const names = parameters.map(({ name }) => ownMember(request.nameMapping, name) ?? name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Error(`Two parameters of a request template are called "${twice}".`);
  const optional = new Set(names.filter((_, index) => parameters[index]?.optional === true));
  return (args: readonly unknown[], context: ExecutionContext): Promise<FetchResponse> =>
    context.fetcher.fetch(
      fillRequest(request, collectValues(names, args, request.transforms), optional),
    );
}

type Values = ReadonlyMap<string, unknown>;

function collectValues(
  names: readonly string[],
  args: readonly unknown[],
  transforms: RequestHandlerTemplate["transforms"],
): Values {
  return new Map(
    names.flatMap((name, index): [string, unknown][] => {
      const transform = ownMember(transforms, name);
      // An argument that was left out is not transformed; existing Packs rely on it.
      const value =
        transform === undefined || index >= args.length ? args[index] : transform(args[index]);
      return isPlainObject(value) ? [[name, undefined], ...Object.entries(value)] : [[name, value]];
    }),
  );
}

function fillRequest(
  template: RequestHandlerTemplate,
  values: Values,
  optional: ReadonlySet<string>,
): FetchRequest {
  const { method, headers, queryParams = [], bodyTemplate, bodyParams = [] } = template;
  const pick = (names: readonly string[]): [string, unknown][] =>
    names
      .filter((name) => values.get(name) !== undefined || !optional.has(name))
      .map((name): [string, unknown] => [name, values.get(name) ?? ""]);
  const url = template.url.replace(/\{([^{}]+)\}/g, (found, name: string) =>
    values.has(name) ? encodeURIComponent(formatText(values.get(name))) : found,
  );
  const query = pick(queryParams).map(([name, value]): [string, string] => [
    name,
    formatText(value),
  ]);
  const members = pick(bodyParams);
  const body =
    members.length === 0 ? bodyTemplate : { ...bodyTemplate, ...Object.fromEntries(members) };
  return {
    method,
    url: query.length === 0 ? url : withQueryParams(url, Object.fromEntries(query)),
    headers: { Accept: "application/json", "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function formatText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value === undefined || value === null ? "" : String(value);
}

/** @returns the member of a body that `projectKey` names; without a key, the body. */
export function readProjection(body: unknown, projectKey: string | undefined): unknown {
  if (projectKey === undefined || typeof body !== "object" || body === null) return body;
  return (body as Record<string, unknown>)[projectKey];
}

/** @returns the result type of a formula, and its schema or items. */
export function createResultShape(schema: Schema | undefined): object {
  return schema?.type === "array"
    ? { resultType: "array", items: schema.items }
    : { resultType: "object", schema };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.prototype.toString.call(value) === "[object Object]"
  );
}

function ownMember<Value>(
  record: { [name: string]: Value } | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
