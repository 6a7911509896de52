import { isRecord, type Members, toList } from "../../shared/values.ts";
import { createChooser, type OperationChoice } from "./choose-operations.ts";
import { findText, follow, listEntries, listTexts, readOwn } from "./description.ts";
import { createIdentityNames, createNames, pascalCase, sentence, tableName } from "./names.ts";
import { findPaging, type Paging } from "./paging.ts";
import {
  type BodyFormat,
  createInputReader,
  humanizeName,
  type Input,
  isJson,
  type Leave,
} from "./request-inputs.ts";
import { createShapeReader } from "./shape-reader.ts";
import type { Shape } from "./shapes.ts";

/** A request of the API, as a formula sends it. */
export interface Operation {
  /** The name of the formula or the table. */
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
  /** For a request that becomes a sync table. */
  table: { identityName: string; paging: Paging } | undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];
const OTHER_METHODS = ["HEAD", "OPTIONS", "TRACE", "QUERY"];

/** What a response contains. */
export type Result =
  | { kind: "nothing" }
  | { kind: "json"; shape: Shape }
  | { kind: "text" }
  | { kind: "bytes"; contentType: string };

export interface Operations {
  operations: Operation[];
  /** What was left out, and why. */
  left: string[];
  /** The number of operations that were not chosen. */
  notChosen: number;
}

/** What the rest of the Pack has, which every request uses. */
export interface Surroundings {
  /** URLs of servers that lead to the Pack's server. */
  isServer(server: unknown): boolean;
  /** The names of the authentication that the Pack uses. Empty for none. */
  authentication: readonly string[];
}

/** The maximum number of formulas in a Pack, and of sync tables. */
const MAX_FORMULAS = 100;

/**
 * Reads the operations of a description, in their order.
 *
 * @throws {PackError} DESCRIPTION_REFERENCE, USAGE_INVALID
 */
export function readOperations(
  description: Members,
  choice: OperationChoice,
  { isServer, authentication }: Surroundings,
): Operations {
  const readShape = createShapeReader(description);
  const reader = createInputReader(description, readShape);
  const chooser = createChooser(choice);
  const nameOf = createNames();
  const identityOf = createIdentityNames();
  const operations: Operation[] = [];
  const left: string[] = [];
  let notChosen = 0;
  for (const [path, item] of listEntries(description["paths"])) {
    const value = follow(description, item).value;
    for (const [key, operation] of listEntries(value)) {
      if (!isRecord(operation) || key !== key.toLowerCase()) continue;
      const method = METHODS.find((each) => each === key.toUpperCase());
      const shown = `${key.toUpperCase()} ${path}`;
      if (method === undefined && !OTHER_METHODS.includes(key.toUpperCase())) continue;
      const tags = listTexts(operation["tags"]);
      const label = sentence(shown, 110);
      if (
        !chooser.isChosen({
          method: key.toUpperCase(),
          path,
          operationId: findText(operation["operationId"]),
          tags,
        })
      )
        notChosen++;
      else if (method === undefined)
        left.push(`${label}: a formula can send only ${METHODS.join(", ")}`);
      else readOperation(method, path, operation, value, (what) => left.push(`${label}: ${what}`));
    }
  }
  chooser.requireUsed();
  for (const [name] of listEntries(description["webhooks"]))
    left.push(`the webhook ${sentence(name, 80)}: a Pack receives no requests`);
  return { operations, left, notChosen };

  function readOperation(
    method: Method,
    path: string,
    operation: Members,
    item: unknown,
    leave: Leave,
  ): void {
    const servers = toList(operation["servers"] ?? readOwn(item, "servers"));
    if (servers.length > 0 && !servers.some(isServer))
      return void leave("it has its own server, but a generated Pack uses only one server");
    // RFC 9110 §9.3.1: the body of a GET has no meaning, so a Pack sends none.
    const body = reader.readBody(method === "GET" ? undefined : operation["requestBody"], leave);
    if (method === "GET" && operation["requestBody"] !== undefined)
      leave("a GET request cannot have a body");
    if (body.problem !== undefined) return void leave(body.problem);
    if (!/^\//.test(path) || /[\s?#\\]/.test(path)) return void leave("its path is not valid");
    const inputs = reader.createInputs(
      path,
      [...toList(readOwn(item, "parameters")), ...toList(operation["parameters"])],
      body.inputs,
      leave,
    );
    if (inputs === undefined)
      return void leave("its path contains a parameter that the description does not define");
    const answer = chooseAnswer(operation["responses"]);
    const result = readResult(answer);
    const paging =
      method === "GET" && result.kind === "json"
        ? findPaging({ inputs, shape: result.shape, path, hasLink: hasLink(answer) })
        : undefined;
    if (paging?.kind === "unusable")
      leave(`it becomes a formula that returns one page, because ${paging.reason}`);
    const isTable = paging?.kind === "pages";
    if (operations.filter(({ table }) => (table !== undefined) === isTable).length === MAX_FORMULAS)
      return void leave(
        `a Pack has at most ${MAX_FORMULAS} ${isTable ? "sync tables" : "formulas"}; choose with --include or --tag`,
      );
    reportUnused(operation, leave);
    const id = findText(operation["operationId"]);
    const name = isTable ? tableName(id, path) : pascalCase(id ?? nameFromPath(method, path));
    operations.push({
      name: nameOf(name, pascalCase(method.toLowerCase())),
      method,
      path,
      description: writeDescription(operation) || sentence(`${method} ${path}`),
      inputs: isTable ? inputs.filter((input) => !paging.inputs.includes(input)) : inputs,
      body: body.format,
      result,
      isPublic: Array.isArray(operation["security"]) && operation["security"].length === 0,
      table: isTable ? { paging, identityName: identityOf(paging.row, name) } : undefined,
    });
  }

  /** Reports what the formula of an operation does not have. */
  function reportUnused({ callbacks, security }: Members, leave: Leave): void {
    for (const [name] of listEntries(callbacks))
      leave(`its callback ${sentence(name, 80)}: a Pack receives no requests`);
    const wanted = toList(security).map((requirement) =>
      listEntries(requirement).map(([name]) => name),
    );
    const isMet =
      wanted.length === 0 ||
      wanted.some((names) => names.every((name) => authentication.includes(name)));
    if (!isMet)
      leave(
        `it requires the authentication ${sentence((wanted[0] ?? []).join(" with "), 80)}, which the Pack does not use`,
      );
  }

  function chooseAnswer(responses: unknown): unknown {
    const answers = listEntries(responses);
    const [, answer] =
      answers.find(([status]) => /^2\d\d$/.test(status)) ??
      answers.find(([status]) => /^2XX$|^default$/i.test(status)) ??
      [];
    return answer === undefined ? undefined : follow(description, answer).value;
  }

  function readResult(answer: unknown): Result {
    const types = listEntries(readOwn(answer, "content"));
    const json = types.find(([type]) => isJson(type));
    if (json !== undefined) return { kind: "json", shape: readShape(readOwn(json[1], "schema")) };
    const [type] = types[0] ?? [];
    if (type === undefined) return { kind: "nothing" };
    return /^text\//i.test(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type)
      ? { kind: "text" }
      : { kind: "bytes", contentType: type };
  }
}

/** RFC 8288 §3 */
function hasLink(answer: unknown): boolean {
  return listEntries(readOwn(answer, "headers")).some(([name]) => name.toLowerCase() === "link");
}

/** `GET /lists/{listId}/tasks` → `GetListsTasksByListId` */
function nameFromPath(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const [fixed, given] = [
    parts.filter((part) => !part.startsWith("{")),
    parts.filter((part) => part.startsWith("{")),
  ];
  const by =
    given.length === 0 ? "" : ` by ${given.map((part) => part.slice(1, -1)).join(" and ")}`;
  return `${method.toLowerCase()} ${fixed.join(" ")}${by}`.replace(
    / by (\w)/,
    (_, letter: string) => ` by ${letter}`,
  );
}

/** The description of a request, or the words of its name. */
function writeDescription({ summary, description, operationId }: Members): string {
  const said = sentence(findText(summary) ?? findText(description) ?? "");
  const words =
    said === "" && findText(operationId) !== undefined ? humanizeName(String(operationId)) : "";
  return words === "" ? said : sentence(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`);
}
