import type { AccountSlot } from "../accounts/account-summary.ts";
import { PackError } from "../errors.ts";
import type { FormulaArguments } from "./arguments/arguments.ts";

/** What `execute` runs: its second argument, parsed. */
export type ExecuteTarget =
  /** A formula, or all pages of a sync table. `isNamespaced`: written as `Namespace::Formula`. */
  | { kind: "block"; name: string; isNamespaced?: true }
  | { kind: "update"; table: string }
  | { kind: "permissions"; table: string }
  | { kind: "syncThenPermissions"; table: string }
  /** A sync of all rows, then an incremental sync. */
  | { kind: "incremental"; table: string }
  | { kind: "validateParameters"; of: string }
  | { kind: "autocomplete"; of: string; parameter: string }
  | { kind: "propertyOptions"; table: string; property: string }
  | { kind: TableMetadataFormula; table: string }
  /**
   * Without a slot: the user's authentication, or the Pack's own when there is no user
   * authentication.
   */
  | { kind: AccountMetadataFormula; slot?: AccountSlot }
  | { kind: "postSetup"; step: string; slot?: AccountSlot }
  | { kind: "matchFormats" }
  /** The tools of the Pack's MCP server, or a call of one. */
  | { kind: "mcpTools" }
  | { kind: "mcpCall"; tool: string };

export type TableMetadataFormula = (typeof TABLE_METADATA_FORMULAS)[number];
type AccountMetadataFormula = "getConnectionName" | "getConnectionUserId";

const TABLE_METADATA_FORMULAS = [
  "listDynamicUrls",
  "searchDynamicUrls",
  "getName",
  "getDisplayUrl",
  "getSchema",
] as const;
const AUTHENTICATIONS: Readonly<Record<string, AccountSlot | undefined>> = {
  Auth: undefined,
  SystemAuth: "system",
  UserAuth: "user",
};

/** All forms of a target, for help and errors. */
export const TARGET_FORMS = [
  "Formula",
  "Table",
  "Table:update",
  "Table>incremental",
  "X:validateParameters",
  "X:autocomplete:parameter",
  "Table:options:property",
  "Table:listDynamicUrls",
  "Table:searchDynamicUrls",
  "Table:getName",
  "Table:getDisplayUrl",
  "Table:getSchema",
  "Auth:getConnectionName",
  "Auth:postSetup:setEndpoint:step",
  "Formats:match",
  "Mcp:tools",
  "Mcp:call:tool",
] as const;

/**
 * Parses the second argument of `execute`.
 * @throws {PackError} TARGET_INVALID
 */
export function parseTarget(text: string): ExecuteTarget {
  // The server chooses the names of its tools.
  const tool = /^Mcp:call:(.+)$/s.exec(text)?.[1];
  if (tool !== undefined) return { kind: "mcpCall", tool };
  if (text === "Mcp:tools") return { kind: "mcpTools" };
  const namespaced = /^[^:>]+::([^:>]+)$/.exec(text);
  if (namespaced?.[1] !== undefined)
    return { kind: "block", name: namespaced[1], isNamespaced: true };
  const [name = "", chained, ...further] = text.split(">");
  if (chained !== undefined) return chain(text, name, chained, further);
  const [subject = "", member, ...rest] = text.split(":");
  if (subject === "" || rest.includes("")) throw invalid(text);
  if (member === undefined) return { kind: "block", name: subject };
  if (Object.hasOwn(AUTHENTICATIONS, subject))
    return accountTarget(text, AUTHENTICATIONS[subject], member, rest);
  if (subject === "Formats" && member === "match" && rest.length === 0)
    return { kind: "matchFormats" };
  return blockTarget(text, subject, member, rest);
}

function chain(
  text: string,
  table: string,
  step: string,
  further: readonly string[],
): ExecuteTarget {
  if (table === "" || table.includes(":") || further.length > 0) throw invalid(text);
  if (step === "incremental") return { kind: "incremental", table };
  if (step === "permissions") return { kind: "syncThenPermissions", table };
  throw invalid(text);
}

function accountTarget(
  text: string,
  slot: AccountSlot | undefined,
  member: string,
  rest: readonly string[],
): ExecuteTarget {
  const of = slot === undefined ? {} : { slot };
  if ((member === "getConnectionName" || member === "getConnectionUserId") && rest.length === 0)
    return { kind: member, ...of };
  const [type, step] = rest;
  if (member === "postSetup" && type === "setEndpoint" && step !== undefined && rest.length === 2)
    return { kind: "postSetup", step, ...of };
  throw invalid(text);
}

function blockTarget(
  text: string,
  subject: string,
  member: string,
  rest: readonly string[],
): ExecuteTarget {
  const [detail] = rest;
  if (detail === undefined) {
    const metadataFormula = TABLE_METADATA_FORMULAS.find((candidate) => candidate === member);
    if (metadataFormula !== undefined) return { kind: metadataFormula, table: subject };
    if (member === "update" || member === "permissions") return { kind: member, table: subject };
    if (member === "validateParameters") return { kind: member, of: subject };
    if (member === "incremental")
      throw invalid(
        text,
        `To run an incremental sync, pass "${subject}>incremental" as the target, including the quotes. The command runs a full sync first.`,
      );
  } else if (rest.length === 1) {
    if (member === "autocomplete") return { kind: member, of: subject, parameter: detail };
    if (member === "options") return { kind: "propertyOptions", table: subject, property: detail };
  }
  throw invalid(text);
}

function invalid(
  target: string,
  hint = `Use one of these forms: ${TARGET_FORMS.join(", ")}.`,
): PackError {
  const shown = target.length > 100 ? `${target.slice(0, 100)}…` : target;
  return new PackError("TARGET_INVALID", `packsmith execute cannot run ${JSON.stringify(shown)}.`, {
    details: { target: shown },
    hint,
  });
}

/** Splits off the last argument of an update or a permissions request, which is JSON. */
export function lastArgument(
  args: FormulaArguments,
  name: string,
  example: string,
): { args: FormulaArguments; last: unknown } {
  const given: readonly unknown[] = "text" in args ? args.text : args;
  if (given.length === 0) throw createTypeError(name, `JSON such as ${example}`);
  const last = given.at(-1);
  const rest = given.slice(0, -1);
  if (!("text" in args)) return { args: rest, last };
  return { args: { ...args, text: rest as string[] }, last: parseArgument(String(last), name) };
}

/** The argument at an index, as text. */
export function textArgument(args: FormulaArguments, index: number): string | undefined {
  const value: unknown = "text" in args ? args.text[index] : args[index];
  return value === undefined || value === null ? undefined : String(value);
}

/** The search text: the first argument, unless that is the object of parameter values. */
export function searchArgument(args: FormulaArguments): string {
  return valuesIndex(args) === 0 ? "" : (textArgument(args, 0) ?? "");
}

/** The values of the other parameters: a JSON object, as the second argument or the only one. */
export function valuesArgument(args: FormulaArguments): Record<string, unknown> {
  const index = valuesIndex(args);
  const value: unknown = "text" in args ? args.text[index] : args[index];
  const values =
    typeof value === "string" ? (value === "" ? {} : parseArgument(value, "parameters")) : value;
  if (values === undefined || values === null) return {};
  if (typeof values === "object" && !Array.isArray(values))
    return values as Record<string, unknown>;
  throw createTypeError("parameters", 'a JSON object such as {"name":"value"}');
}

function valuesIndex(args: FormulaArguments): 0 | 1 {
  const first: unknown = "text" in args ? args.text[0] : args[0];
  const second: unknown = "text" in args ? args.text[1] : args[1];
  const isObject =
    typeof first === "object" || (typeof first === "string" && /^\s*\{[\s\S]*\}\s*$/.test(first));
  return second === undefined && first !== null && isObject ? 0 : 1;
}

function parseArgument(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createTypeError(name, "valid JSON");
  }
}

function createTypeError(parameter: string, expected: string): PackError {
  return new PackError("ARGUMENT_TYPE", `The argument ${parameter} must be ${expected}.`, {
    details: { parameter, expected },
    hint: "Put single quotes around the JSON, so that your shell does not change it.",
  });
}
