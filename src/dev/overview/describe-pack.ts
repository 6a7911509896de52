import { relative, sep } from "node:path";
import type { MCPServer } from "../../define/skill.ts";
import { findConfinement } from "../../sandbox/host/confinement.ts";
import { warnOfDebugger } from "../../sandbox/host/warn-of-debugger.ts";
import { createSourceReader } from "../../shared/files.ts";
import { type Members, toList, toMembers, toText } from "../../shared/values.ts";
import { codeFrame } from "../../validate/formats/code-frame.ts";
import type { Issue } from "../../validate/issue.ts";
import { columnViews } from "../run/schema-view.ts";
import type { DevSession } from "../session/dev-session.ts";
import type {
  AuthenticationView,
  FormatView,
  FormulaView,
  FrameLineView,
  IssueView,
  PackView,
  ParameterView,
  SkillView,
  TableView,
} from "../wire/pack.ts";

/** Width of a code frame on the page, in characters. */
const FRAME_WIDTH = 110;

/** The Pack as the page shows it. The definition is untrusted: every member may have any type. */
export function describePack(session: DevSession): PackView {
  const state = session.state();
  const { cwd, inspect } = session.options;
  const definition = toMembers(state.definition);
  const readSource = createSourceReader(cwd);
  return {
    revision: state.revision,
    status: state.status,
    name: state.name,
    file: relative(cwd, session.entry).split(sep).join("/"),
    version: toText(definition["version"]),
    canRun: session.canRun(),
    isStale: state.isStale,
    failure: state.failure === undefined ? undefined : { ...state.failure.error },
    issues: state.issues.map((issue) => issueView(issue, readSource)),
    formulas: parts(definition["formulas"]).map(formulaView),
    tables: parts(definition["syncTables"]).map(tableView),
    formats: parts(definition["formats"]).map(formatView),
    skills: parts(definition["skills"]).map(skillView),
    mcpServer: parts(definition["mcpServers"]).map(mcpServerView)[0],
    domains: toList(definition["networkDomains"]).map(String),
    authentications: authenticationViews(definition),
    durationMs: state.durationMs,
    inspect: inspect === undefined ? undefined : inspectView(inspect.port),
  };
}

function inspectView(port: number): NonNullable<PackView["inspect"]> {
  return {
    port: port === 0 ? undefined : port,
    warning: warnOfDebugger(findConfinement().name),
  };
}

function parts(list: unknown): Members[] {
  return toList(list).map(toMembers);
}

function formulaView(formula: Members): FormulaView {
  return {
    ...runnableView(formula),
    isAction: formula["isAction"] === true,
    result: resultType(formula),
  };
}

function tableView(table: Members): TableView {
  const getter = toMembers(table["getter"]);
  return {
    ...runnableView({
      ...getter,
      name: table["name"],
      description: table["description"] ?? getter["description"],
      connectionRequirement: table["connectionRequirement"] ?? getter["connectionRequirement"],
    }),
    isDynamic: table["isDynamic"] === true || table["getSchema"] !== undefined,
    columns: columnViews(table["schema"]),
    isTwoWay: getter["executeUpdate"] !== undefined,
  };
}

function runnableView(block: Members): Omit<FormulaView, "isAction" | "result"> {
  const { connectionRequirement } = block;
  return {
    name: String(block["name"]),
    description: toText(block["description"]) ?? "",
    parameters: parts(block["parameters"]).map(parameterView),
    varargs: parts(block["varargParameters"]).map(parameterView),
    connection:
      connectionRequirement === "optional" || connectionRequirement === "required"
        ? connectionRequirement
        : "none",
  };
}

function parameterView(parameter: Members): ParameterView {
  return {
    name: String(parameter["name"]),
    type: toText(parameter["type"]) ?? "string",
    description: toText(parameter["description"]) ?? "",
    isOptional: parameter["optional"] === true,
    hasAutocomplete: parameter["autocomplete"] !== undefined,
    suggested: suggestedText(parameter["suggestedValue"] ?? parameter["defaultValue"]),
  };
}

/** A suggested value as the form holds it. */
function suggestedText(value: unknown): string | string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value))
    return value
      .map((item) => suggestedText(item))
      .map((item) => (Array.isArray(item) ? item.join(",") : (item ?? "")));
  return value instanceof Date ? value.toISOString() : String(value);
}

function resultType(formula: Members): string {
  const { resultType: type, codaType } = formula;
  const schema = toMembers(formula["schema"]);
  if (type === "array") return `${nameOfSchema(toMembers(formula["items"]))} list`;
  if (type === "object") return nameOfSchema(schema);
  return String(codaType ?? schema["codaType"] ?? type ?? "");
}

function nameOfSchema(schema: Members): string {
  return String(
    toMembers(schema["identity"])["name"] ?? schema["codaType"] ?? schema["type"] ?? "object",
  );
}

function formatView(format: Members): FormatView {
  return {
    name: String(format["name"]),
    formula: String(format["formulaName"]),
    instructions: toText(format["instructions"]),
    matchers: toList(format["matchers"]).map(String),
  };
}

function skillView(skill: Members): SkillView {
  return {
    name: String(skill["name"]),
    displayName: toText(skill["displayName"]) ?? String(skill["name"]),
    description: toText(skill["description"]) ?? "",
    tools: parts(skill["tools"]).map(({ type }) => String(type)),
  };
}

function mcpServerView(server: Members): MCPServer {
  return { name: String(server["name"]), endpointUrl: String(server["endpointUrl"]) };
}

function authenticationViews(definition: Members): AuthenticationView[] {
  const slots: [string, unknown][] = [
    ["user", definition["defaultAuthentication"]],
    ["system", definition["systemConnectionAuthentication"]],
    ...parts(definition["adminAuthentications"]).map(
      ({ name, authentication }): [string, unknown] => [`admin:${String(name)}`, authentication],
    ),
  ];
  return slots.flatMap(([slot, given]) => {
    const authentication = toMembers(given);
    const type = toText(authentication["type"]);
    return type === undefined || type === "None"
      ? []
      : [{ slot, type, facts: listFacts(authentication) }];
  });
}

function listFacts(authentication: Members): [string, string][] {
  const {
    issuer,
    authorizationUrl,
    tokenUrl,
    scopes,
    useProofKeyForCodeExchange,
    endpointDomain,
    headerName,
    paramName,
  } = authentication;
  const facts: [string, unknown][] = [
    ["Issuer", issuer],
    ["Authorization URL", authorizationUrl],
    ["Token URL", tokenUrl],
    ["Scopes", toList(scopes).join(" ")],
    ["PKCE", useProofKeyForCodeExchange === true ? "yes" : undefined],
    ["Endpoint domain", endpointDomain],
    ["Header", headerName],
    ["Parameter", paramName],
    [
      "Fields",
      [...parts(authentication["params"]), ...parts(authentication["headers"])]
        .map(({ name }) => String(name))
        .join(", "),
    ],
    [
      "Set-up steps",
      parts(authentication["postSetup"])
        .map(({ name }) => String(name))
        .join(", "),
    ],
  ];
  return facts.flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && value !== "" ? [[name, value]] : [],
  );
}

function issueView(issue: Issue, readSource: (file: string) => string | undefined): IssueView {
  const { file, line, column = 1 } = issue;
  const source = file === undefined || line === undefined ? undefined : readSource(file);
  const frame: FrameLineView[] =
    source === undefined || line === undefined
      ? []
      : (codeFrame(source, { line, column }, FRAME_WIDTH) ?? []);
  return { ...issue, frame };
}
