import { listOf, type Members, membersOf } from "../shared/members.ts";
import { requirementOf } from "./compare-packs.ts";
import { typeName } from "./members.ts";

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
export function packReference({ name, version, metadata }: DocumentedPack): string {
  const sections = [
    `# ${name}${version === undefined ? "" : ` ${version}`}`,
    accounts(metadata),
    section("Formulas", listOf(metadata["formulas"]).map(membersOf).map(formula)),
    section("Tables", listOf(metadata["syncTables"]).map(membersOf).map(table)),
    section("Column formats", listOf(metadata["formats"]).map(membersOf).map(format)),
    section("Skills", listOf(metadata["skills"]).map(membersOf).map(skill)),
    network(metadata),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, blocks: readonly string[]): string {
  return blocks.length === 0 ? "" : `## ${title}\n\n${blocks.join("\n\n")}`;
}

function accounts(metadata: Members): string {
  const slots = [
    ["Each user", membersOf(metadata["defaultAuthentication"])],
    ["The Pack itself", membersOf(metadata["systemConnectionAuthentication"])],
  ] as const;
  return section(
    "Accounts",
    slots
      .filter(([, { type }]) => type !== undefined && type !== "None")
      .map(([who, authentication]) => account(who, authentication)),
  );
}

function account(who: string, authentication: Members): string {
  const {
    type,
    scopes,
    instructionsUrl,
    authorizationUrl,
    tokenUrl,
    issuer,
    requiresEndpointUrl,
    endpointDomain,
  } = authentication;
  const facts = [
    ["Scopes", code(listOf(scopes))],
    ["Authorization server", code([issuer ?? authorizationUrl ?? tokenUrl])],
    [
      "Endpoint",
      requiresEndpointUrl === true
        ? `each account has its own${endpointDomain === undefined ? "" : `, below \`${endpointDomain}\``}`
        : "",
    ],
    [
      "Asked for",
      listOf(authentication["connectionVariables"])
        .map((variable) => text(membersOf(variable)["label"]))
        .join(", "),
    ],
    ["Instructions", instructionsUrl === undefined ? "" : `<${String(instructionsUrl)}>`],
  ].filter(([, value]) => value !== "");
  const list = facts.map(([label, value]) => `- ${label}: ${value}`).join("\n");
  return `${who} connects with **${String(type)}**.${list === "" ? "" : `\n\n${list}`}`;
}

function formula(members: Members): string {
  const { name, description, isAction, connectionRequirement, resultType, schema, examples } =
    members;
  const parameters = listOf(members["parameters"]).map(membersOf);
  const repeated = listOf(members["varargParameters"]).map(membersOf);
  const call = `${String(name)}(${[...parameters.map(signature), ...repeated.map((parameter) => `${signature(parameter)}…`)].join(", ")})`;
  return [
    `### ${String(name)}`,
    text(description),
    `\`\`\`text\n${call}\n\`\`\``,
    [
      isAction === true ? "An action: it changes something." : "",
      accountNeed(connectionRequirement),
    ]
      .filter((part) => part !== "")
      .join(" "),
    parameterTable([...parameters, ...repeated]),
    `Returns ${article(typeName(resultType))}.${columns(schema) === "" ? "" : `\n\n${columns(schema)}`}`,
    exampleList(String(name), examples),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function table(members: Members): string {
  const { name, description, identityName, schema } = members;
  const getter = membersOf(members["getter"]);
  return [
    `### ${String(name)}`,
    text(description),
    `Rows of \`${String(identityName ?? "")}\`${getter["supportsUpdates"] === true ? ", which can be edited" : ""}. ${accountNeed(requirementOf(members))}`.trim(),
    parameterTable(listOf(getter["parameters"]).map(membersOf)),
    columns(schema),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function format({ name, instructions, formulaName, matchers }: Members): string {
  const patterns = listOf(matchers);
  const matched = patterns.length === 0 ? "" : ` It matches text like ${code(patterns)}.`;
  return [
    `### ${String(name)}`,
    text(instructions),
    `Shows the result of \`${String(formulaName)}\`.${matched}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function skill({ name, displayName, description }: Members): string {
  return [`### ${text(displayName ?? name)}`, text(description)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function network(metadata: Members): string {
  const domains = listOf(metadata["networkDomains"]);
  return domains.length === 0
    ? ""
    : `## Network\n\nThe Pack may send requests only to ${code(domains)}.`;
}

function signature({ name, optional }: Members): string {
  return optional === true ? `[${String(name)}]` : String(name);
}

function accountNeed(requirement: unknown): string {
  if (requirement === "required") return "Needs an account.";
  return requirement === "optional" ? "May use an account." : "";
}

function parameterTable(parameters: readonly Members[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, type, optional, description }) =>
    row(
      `\`${String(name)}\``,
      `${typeName(type)}${optional === true ? ", optional" : ""}`,
      text(description),
    ),
  );
  return ["| Parameter | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The properties of an object, or of the objects in a list. */
function columns(schema: unknown): string {
  const { items, properties } = membersOf(schema);
  const all = Object.entries(membersOf(properties ?? membersOf(items)["properties"]));
  if (all.length === 0) return "";
  const rows = all.map(([name, property]) => {
    const { type, codaType, description, mutable } = membersOf(property);
    return row(
      `\`${name}\``,
      `${String(codaType ?? type).replace(/^string$/, "text")}${mutable === true ? ", can be edited" : ""}`,
      text(description),
    );
  });
  return ["| Property | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
}

function exampleList(name: string, examples: unknown): string {
  const lines = listOf(examples).map((example) => {
    const { params, result } = membersOf(example);
    return `${name}(${listOf(params)
      .map((value) => JSON.stringify(value))
      .join(", ")}) → ${JSON.stringify(result)}`;
  });
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
