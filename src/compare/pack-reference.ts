import type { Members } from "../shared/values.ts";
import { getRequirement } from "./compare-packs.ts";
import { typeName } from "./members.ts";
import {
  type AuthenticationMetadata,
  type ComparedMetadata,
  type DescribedMetadata,
  type FormatMetadata,
  type FormulaMetadata,
  type ParameterMetadata,
  readMetadata,
  type TableMetadata,
  type ValueSchema,
} from "./metadata.ts";

/** The part of a build that the reference page is written from. */
export interface DocumentedPack {
  name: string;
  version?: string | undefined;
  metadata: Members;
}

/**
 * Writes the reference page of a Pack in Markdown: what it offers, and what to set up before using
 * it. The same definition gives the same text.
 */
export function packReference({ name, version, ...pack }: DocumentedPack): string {
  const metadata = readMetadata(pack.metadata);
  const sections = [
    `# ${name}${version === undefined ? "" : ` ${version}`}`,
    accounts(metadata),
    section("Formulas", metadata.formulas.map(formula)),
    section("Tables", metadata.syncTables.map(table)),
    section("Column formats", metadata.formats.map(format)),
    section("Skills", metadata.skills.map(skill)),
    network(metadata),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, blocks: readonly string[]): string {
  return blocks.length === 0 ? "" : `## ${title}\n\n${blocks.join("\n\n")}`;
}

function accounts(metadata: ComparedMetadata): string {
  const slots = [
    ["Each user", metadata.defaultAuthentication],
    ["The Pack itself", metadata.systemConnectionAuthentication],
  ] as const;
  return section(
    "Accounts",
    slots
      .filter(([, { type }]) => type !== undefined && type !== "None")
      .map(([who, authentication]) => account(who, authentication)),
  );
}

function account(who: string, authentication: AuthenticationMetadata): string {
  const {
    type,
    scopes,
    instructionsUrl,
    authorizationUrl,
    tokenUrl,
    issuer,
    requiresEndpointUrl,
    endpointDomain,
    connectionVariables = [],
  } = authentication;
  const facts = [
    ["Scopes", code(scopes)],
    ["Authorization server", code([issuer ?? authorizationUrl ?? tokenUrl])],
    [
      "Endpoint",
      requiresEndpointUrl === true
        ? `each account has its own${endpointDomain === undefined ? "" : `, below \`${endpointDomain}\``}`
        : "",
    ],
    ["Asked for", connectionVariables.map(({ label }) => text(label)).join(", ")],
    ["Instructions", instructionsUrl === undefined ? "" : `<${String(instructionsUrl)}>`],
  ].filter(([, value]) => value !== "");
  const list = facts.map(([label, value]) => `- ${label}: ${value}`).join("\n");
  return `${who} connects with **${String(type)}**.${list === "" ? "" : `\n\n${list}`}`;
}

function formula({
  name,
  description,
  isAction,
  connectionRequirement,
  parameters,
  varargParameters: repeated,
  resultType,
  schema,
  examples = [],
}: FormulaMetadata): string {
  const call = `${name}(${[...parameters.map(signature), ...repeated.map((parameter) => `${signature(parameter)}…`)].join(", ")})`;
  return [
    `### ${name}`,
    text(description),
    `\`\`\`text\n${call}\n\`\`\``,
    [
      isAction === true ? "This formula is an action: it changes data." : "",
      accountNeed(connectionRequirement),
    ]
      .filter((part) => part !== "")
      .join(" "),
    parameterTable([...parameters, ...repeated]),
    `Returns ${article(typeName(resultType))}.${columns(schema) === "" ? "" : `\n\n${columns(schema)}`}`,
    exampleList(name, examples),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function table(members: TableMetadata): string {
  const { name, description, identityName, schema, getter } = members;
  return [
    `### ${name}`,
    text(description),
    `Rows of \`${String(identityName ?? "")}\`${getter.supportsUpdates === true ? ", which users can edit" : ""}. ${accountNeed(getRequirement(members))}`.trim(),
    parameterTable(getter.parameters),
    columns(schema),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function format({ name, instructions, formulaName, matchers = [] }: FormatMetadata): string {
  const matched =
    matchers.length === 0 ? "" : ` The format matches text such as ${code(matchers)}.`;
  return [
    `### ${name}`,
    text(instructions),
    `Shows the result of \`${String(formulaName)}\`.${matched}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function skill({ name, displayName, description }: DescribedMetadata): string {
  return [`### ${text(displayName ?? name)}`, text(description)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function network({ networkDomains: domains }: ComparedMetadata): string {
  return domains.length === 0
    ? ""
    : `## Network\n\nThe Pack may send requests only to ${code(domains)}.`;
}

function signature({ name, optional }: ParameterMetadata): string {
  return optional === true ? `[${name}]` : name;
}

function accountNeed(requirement: unknown): string {
  if (requirement === "required") return "Needs an account.";
  return requirement === "optional" ? "May use an account." : "";
}

function parameterTable(parameters: readonly ParameterMetadata[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, type, optional, description }) =>
    row(
      `\`${name}\``,
      `${typeName(type)}${optional === true ? ", optional" : ""}`,
      text(description),
    ),
  );
  return ["| Parameter | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The properties of an object, or of the objects in a list. */
function columns({ items, properties = items?.properties }: ValueSchema = {}): string {
  const all = Object.entries(properties ?? {});
  if (all.length === 0) return "";
  const rows = all.map(([name, { type, codaType, description, mutable }]) =>
    row(
      `\`${name}\``,
      `${String(codaType ?? type).replace(/^string$/, "text")}${mutable === true ? ", can be edited" : ""}`,
      text(description),
    ),
  );
  return ["| Property | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
}

function exampleList(name: string, examples: NonNullable<FormulaMetadata["examples"]>): string {
  const lines = examples.map(
    ({ params, result }) =>
      `${name}(${params.map((value) => JSON.stringify(value)).join(", ")}) → ${JSON.stringify(result)}`,
  );
  return lines.length === 0 ? "" : `\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}

function code(values: readonly unknown[]): string {
  return values
    .filter((value) => value !== undefined)
    .map((value) => `\`${String(value)}\``)
    .join(", ");
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The author's text on one line, with Markdown characters escaped. */
function text(value: unknown): string {
  return typeof value === "string"
    ? value
        .replace(/\s+/g, " ")
        .trim()
        .replace(/[<*_`[\]\\]/g, "\\$&")
    : "";
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`.replace(/^a text$/, "text");
}
