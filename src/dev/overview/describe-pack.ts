import { relative, sep } from "node:path";
import * as z from "zod";
import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import type { Authentication } from "../../define/authentication.ts";
import type { AnyParameter, Formula } from "../../define/formula.ts";
import type { Format, PackVersionDefinition } from "../../define/pack.ts";
import type { Skill } from "../../define/skill.ts";
import type { SyncTable } from "../../define/sync-table.ts";
import { findConfinement } from "../../sandbox/host/confinement.ts";
import { warnOfDebugger } from "../../sandbox/host/warn-of-debugger.ts";
import { createSourceReader } from "../../shared/files.ts";
import { lenientBoolean, lenientObject, lenientText, lenientTexts } from "../../shared/lenient.ts";
import { toText } from "../../shared/values.ts";
import { codeFrame } from "../../validate/formats/code-frame.ts";
import type { Issue } from "../../validate/issue.ts";
import { listSlots } from "../accounts/describe-accounts.ts";
import { columnViews, readSchema } from "../run/schema-view.ts";
import type { DevSession } from "../session/dev-session.ts";
import type {
  AuthenticationView,
  FormatView,
  FormulaView,
  IssueView,
  PackView,
  ParameterView,
  SkillView,
  TableView,
} from "../wire/pack.ts";

/** Width of a code frame on the page, in characters. */
const FRAME_WIDTH = 110;

/** The Pack as the page shows it. It may have errors: texts and schemas may have any type. */
export function describePack(session: DevSession): PackView {
  const state = session.state();
  const { cwd, inspect } = session.options;
  const { definition } = state;
  const { formulas = [], syncTables = [], formats = [], skills = [] } = definition ?? {};
  const readSource = createSourceReader(cwd);
  return {
    revision: state.revision,
    status: state.status,
    name: state.name,
    file: relative(cwd, session.entry).split(sep).join("/"),
    version: toText(definition?.version),
    canRun: session.canRun(),
    isStale: state.isStale,
    failure: state.failure === undefined ? undefined : { ...state.failure.error },
    issues: state.issues.map((issue) => issueView(issue, readSource)),
    formulas: formulas.map(formulaView),
    tables: syncTables.map(tableView),
    formats: formats.map(formatView),
    skills: skills.map(skillView),
    mcpServer: definition?.mcpServers?.map(({ name, endpointUrl }) => ({
      name: String(name),
      endpointUrl: String(endpointUrl),
    }))[0],
    domains: definition?.networkDomains ?? [],
    authentications: definition === undefined ? [] : authenticationViews(definition),
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

function formulaView(formula: Formula): FormulaView {
  return {
    ...runnableView(formula),
    isAction: formula.isAction === true,
    result: resultType(formula),
  };
}

function tableView({ getter, ...table }: SyncTable): TableView {
  return {
    ...runnableView({
      ...getter,
      name: table.name,
      description: table.description ?? getter.description,
      connectionRequirement: table.connectionRequirement ?? getter.connectionRequirement,
    }),
    isDynamic: table.isDynamic === true || table.getSchema !== undefined,
    columns: columnViews(table.schema),
    isTwoWay: getter.executeUpdate !== undefined,
  };
}

function runnableView(
  block: Pick<
    Formula,
    "name" | "description" | "parameters" | "varargParameters" | "connectionRequirement"
  >,
): Omit<FormulaView, "isAction" | "result"> {
  const { connectionRequirement } = block;
  return {
    name: String(block.name),
    description: toText(block.description) ?? "",
    parameters: block.parameters.map(parameterView),
    varargs: (block.varargParameters ?? []).map(parameterView),
    connection:
      connectionRequirement === "optional" || connectionRequirement === "required"
        ? connectionRequirement
        : "none",
  };
}

function parameterView(parameter: AnyParameter): ParameterView {
  return {
    name: String(parameter.name),
    type: toText(parameter.type) ?? "string",
    description: toText(parameter.description) ?? "",
    isOptional: parameter.optional === true,
    hasAutocomplete: parameter.autocomplete !== undefined,
    suggested: suggestedText(parameter.suggestedValue ?? parameter.defaultValue),
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

/** The result in the words of the author, which the numbers of `Type` do not have. */
const resultPart = lenientObject({ resultType: lenientText, codaType: lenientText });

function resultType(formula: Formula): string {
  const { resultType: type, codaType } = resultPart.parse(formula);
  if (type === "array") return `${nameOfSchema(formula.items)} list`;
  if (type === "object") return nameOfSchema(formula.schema);
  return codaType ?? readSchema(formula.schema).codaType ?? type ?? "";
}

function nameOfSchema(schema: unknown): string {
  const { identity, codaType, type } = readSchema(schema);
  return identity.name ?? codaType ?? type ?? "object";
}

function formatView(format: Format): FormatView {
  return {
    name: String(format.name),
    formula: String(format.formulaName),
    instructions: toText(format.instructions),
    matchers: (format.matchers ?? []).map(String),
  };
}

function skillView(skill: Skill): SkillView {
  return {
    name: String(skill.name),
    displayName: toText(skill.displayName) ?? String(skill.name),
    description: toText(skill.description) ?? "",
    tools: skill.tools.map(({ type }) => String(type)),
  };
}

function authenticationViews(definition: PackVersionDefinition): AuthenticationView[] {
  return listSlots(definition).flatMap((slot) => {
    const authentication = findSlotAuthentication(definition, slot);
    const type = toText(authentication?.type);
    return authentication === undefined || type === undefined
      ? []
      : [{ slot, type, facts: listFacts(authentication) }];
  });
}

const named = lenientObject({ name: lenientText });
const listOfNamed = z.array(named).catch([]);

/** What the page shows of an authentication of any type. */
const authenticationPart = lenientObject({
  issuer: lenientText,
  authorizationUrl: lenientText,
  tokenUrl: lenientText,
  scopes: lenientTexts,
  useProofKeyForCodeExchange: lenientBoolean,
  endpointDomain: lenientText,
  headerName: lenientText,
  paramName: lenientText,
  params: listOfNamed,
  headers: listOfNamed,
  postSetup: listOfNamed,
});

function listFacts(authentication: Authentication): [string, string][] {
  const {
    issuer,
    authorizationUrl,
    tokenUrl,
    scopes,
    useProofKeyForCodeExchange,
    endpointDomain,
    headerName,
    paramName,
    params,
    headers,
    postSetup,
  } = authenticationPart.parse(authentication);
  const facts: [string, string | undefined][] = [
    ["Issuer", issuer],
    ["Authorization URL", authorizationUrl],
    ["Token URL", tokenUrl],
    ["Scopes", scopes.join(" ")],
    ["PKCE", useProofKeyForCodeExchange === true ? "yes" : undefined],
    ["Endpoint domain", endpointDomain],
    ["Header", headerName],
    ["Parameter", paramName],
    ["Fields", [...params, ...headers].map(({ name }) => name).join(", ")],
    ["Set-up steps", postSetup.map(({ name }) => name).join(", ")],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
}

function issueView(issue: Issue, readSource: (file: string) => string | undefined): IssueView {
  const { file, line, column = 1 } = issue;
  const source = file === undefined || line === undefined ? undefined : readSource(file);
  const frame: IssueView["frame"] =
    source === undefined || line === undefined
      ? []
      : (codeFrame(source, { line, column }, FRAME_WIDTH) ?? []);
  return { ...issue, frame };
}
