import { PackError } from "../errors.ts";
import type { AuthenticationSlot } from "../sandbox/protocol.ts";

/** What `execute` runs, as its second argument says. */
export type ExecuteTarget =
  /** A formula, or all pages of a sync table. `isNamespaced`: the older form `Namespace::Formula`. */
  | { kind: "block"; name: string; isNamespaced?: true }
  | { kind: "update"; table: string }
  | { kind: "permissions"; table: string }
  | { kind: "syncThenPermissions"; table: string }
  /** A sync of all rows, then one of what changed since. */
  | { kind: "incremental"; table: string }
  | { kind: "validateParameters"; of: string }
  | { kind: "autocomplete"; of: string; parameter: string }
  | { kind: "propertyOptions"; table: string; property: string }
  | { kind: TableQuestion; table: string }
  /** Without a slot: the user's authentication, or the Pack's own when there is no other. */
  | { kind: AccountQuestion; slot?: AuthenticationSlot }
  | { kind: "postSetup"; step: string; slot?: AuthenticationSlot }
  | { kind: "matchFormats" };

export type TableQuestion = (typeof TABLE_QUESTIONS)[number];
type AccountQuestion = "getConnectionName" | "getConnectionUserId";

const TABLE_QUESTIONS = ["listDynamicUrls", "searchDynamicUrls", "getName", "getDisplayUrl", "getSchema"] as const;
const AUTHENTICATIONS: Readonly<Record<string, AuthenticationSlot | undefined>> = {
  Auth: undefined,
  SystemAuth: "system",
  UserAuth: "user",
};

/** The forms, for help and errors. */
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
] as const;

/**
 * Reads the second argument of `execute`.
 * @throws {PackError} TARGET_INVALID
 */
export function parseTarget(text: string): ExecuteTarget {
  const namespaced = /^[^:>]+::([^:>]+)$/.exec(text);
  if (namespaced?.[1] !== undefined) return { kind: "block", name: namespaced[1], isNamespaced: true };
  const [name = "", chained, ...further] = text.split(">");
  if (chained !== undefined) return chain(text, name, chained, further);
  const [subject = "", question, ...rest] = text.split(":");
  if (subject === "" || rest.includes("")) throw invalid(text);
  if (question === undefined) return { kind: "block", name: subject };
  if (Object.hasOwn(AUTHENTICATIONS, subject)) return accountQuestion(text, AUTHENTICATIONS[subject], question, rest);
  if (subject === "Formats" && question === "match" && rest.length === 0) return { kind: "matchFormats" };
  return blockQuestion(text, subject, question, rest);
}

function chain(text: string, table: string, step: string, further: readonly string[]): ExecuteTarget {
  if (table === "" || table.includes(":") || further.length > 0) throw invalid(text);
  if (step === "incremental") return { kind: "incremental", table };
  if (step === "permissions") return { kind: "syncThenPermissions", table };
  throw invalid(text);
}

function accountQuestion(text: string, slot: AuthenticationSlot | undefined, question: string, rest: readonly string[]): ExecuteTarget {
  const of = slot === undefined ? {} : { slot };
  if ((question === "getConnectionName" || question === "getConnectionUserId") && rest.length === 0) return { kind: question, ...of };
  const [type, step] = rest;
  if (question === "postSetup" && type === "setEndpoint" && step !== undefined && rest.length === 2)
    return { kind: "postSetup", step, ...of };
  throw invalid(text);
}

function blockQuestion(text: string, subject: string, question: string, rest: readonly string[]): ExecuteTarget {
  const [detail] = rest;
  if (detail === undefined) {
    const tableQuestion = TABLE_QUESTIONS.find((candidate) => candidate === question);
    if (tableQuestion !== undefined) return { kind: tableQuestion, table: subject };
    if (question === "update" || question === "permissions") return { kind: question, table: subject };
    if (question === "validateParameters") return { kind: question, of: subject };
    if (question === "incremental") throw invalid(text, `Write ${subject}>incremental: a full sync comes first.`);
  } else if (rest.length === 1) {
    if (question === "autocomplete") return { kind: question, of: subject, parameter: detail };
    if (question === "options") return { kind: "propertyOptions", table: subject, property: detail };
  }
  throw invalid(text);
}

function invalid(target: string, hint = `The forms are: ${TARGET_FORMS.join(", ")}.`): PackError {
  const shown = target.length > 100 ? `${target.slice(0, 100)}…` : target;
  return new PackError("TARGET_INVALID", `${JSON.stringify(shown)} is nothing that can be run.`, { details: { target: shown }, hint });
}
