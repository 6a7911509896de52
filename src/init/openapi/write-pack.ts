import {
  type Code,
  join,
  layOut,
  literal,
  NEW_LINE,
  writeEntry,
  writeKey,
  writeObject,
} from "./code-document.ts";
import type { Server } from "./connection.ts";
import { formulaCode, type HelperName } from "./formula-code.ts";
import type { Operation } from "./operations.ts";
import { createSchemaCode, valueCode } from "./schema-code.ts";
import { tableCode } from "./table-code.ts";

export interface PackParts {
  server: Server;
  authentication: Readonly<Record<string, unknown>> | undefined;
  operations: readonly Operation[];
}

/** @returns the text of `pack.ts`, and which members its schemas do not have */
export function writePack({ server, authentication, operations }: PackParts): {
  text: string;
  left: string[];
} {
  const names = new Set(["newPack"]);
  const helpers = new Set<HelperName>();
  const uses = {
    name: (name: string) => void names.add(name),
    helper: (name: HelperName) => void helpers.add(name),
  };
  const left = new Set<string>();
  const schemas = createSchemaCode(uses.name, (what) => void left.add(what));
  const parts = operations.map((operation) =>
    operation.table === undefined
      ? formulaCode(operation, schemas, uses)
      : tableCode(operation, operation.table, schemas, uses),
  );
  const address: Code = ["const API = ", literal(server.url), ";"];
  const statements: Code[] = [
    "export const pack = newPack();",
    server.isNamed
      ? address
      : [
          "// The description contains no public server. Write the host of your API here and below.",
          NEW_LINE,
          address,
        ],
    `pack.addNetworkDomain(${literal(server.domain)});`,
    ...(authentication === undefined ? [] : [authenticationCode(authentication, uses.name)]),
    ...schemas.constants(),
    ...parts,
    ...[...helpers].sort().map((name) => helperCode(name, uses.name)),
  ];
  return {
    text: `${layOut(join([importCode([...names]), ...statements], [NEW_LINE, NEW_LINE]))}\n`,
    left: [...left],
  };
}

/** An import, sorted by name without case. */
function importCode(names: readonly string[]): Code {
  const sorted = [...names].sort((one, other) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  );
  return [
    "import ",
    writeObject(sorted.map((name) => (name === "SchemaType" ? `type ${name}` : name))),
    ' from "packsmith";',
  ];
}

/** The code of an authentication: `pack.setUserAuthentication({ … });` */
export function authenticationCode(
  definition: Readonly<Record<string, unknown>>,
  use: (name: string) => void = () => {},
): Code {
  use("AuthenticationType");
  const entries = Object.entries(definition)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      name === "type"
        ? `type: AuthenticationType.${String(value)}`
        : writeEntry(writeKey(name), valueCode(value)),
    );
  return [
    "pack.setUserAuthentication(",
    writeObject(entries, { isBroken: entries.length > 1 }),
    ");",
  ];
}

function helperCode(name: HelperName, use: (name: string) => void): Code {
  if (name === "parseJson") use("UserVisibleError");
  return join(HELPERS[name].split("\n"), NEW_LINE);
}

const HELPERS: Readonly<Record<HelperName, string>> = {
  absoluteUrl: `/** Completes a URL that has no host. */
function absoluteUrl(url: string): string {
  return url.startsWith("/") ? \`\${API.replace(/^(https:\\/\\/[^/]+).*$/, "$1")}\${url}\` : url;
}`,
  dayOf: `/** The day of a date in the document's time zone, as YYYY-MM-DD. */
function dayOf(date: Date, timezone: string): string {
  // Swedish dates have this format.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(date);
}`,
  nextLink: `/** The URL of the next page in a Link header (RFC 8288). */
function nextLink(header: string | string[] | undefined): string | undefined {
  const text = [header ?? []].flat().join(",");
  const next = text
    .split(/,(?=\\s*<)/)
    .find((link) => /;\\s*rel\\s*=\\s*(next|"([^"]*\\s)?next(\\s[^"]*)?")\\s*(;|$)/i.test(link));
  return next?.match(/<([^>]*)>/)?.[1];
}`,
  withRepeated: `/** Adds lists to a URL, with one parameter for each value. */
function withRepeated(url: string, lists: Record<string, readonly unknown[] | undefined>): string {
  const pairs = Object.entries(lists).flatMap(([name, values = []]) =>
    values.map((value) => \`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`),
  );
  return pairs.length === 0 ? url : \`\${url}\${url.includes("?") ? "&" : "?"}\${pairs.join("&")}\`;
}`,
  parseJson: `/** Parses a parameter that is JSON. */
function parseJson(name: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UserVisibleError(\`\${name} is not valid JSON.\`);
  }
}`,
  textsOf: `/** Converts the given values to text. */
function textsOf(
  values: Record<string, string | number | boolean | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}`,
};
