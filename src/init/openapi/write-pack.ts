import { type Code, entryOf, join, keyOf, layOut, literal, NEW_LINE, objectOf } from "./code-document.ts";
import { formulaCode, type HelperName } from "./formula-code.ts";
import type { Operation } from "./operations.ts";
import { createSchemaCode, valueCode } from "./schema-code.ts";
import type { Server } from "./servers.ts";

export interface PackParts {
  server: Server;
  authentication: Readonly<Record<string, unknown>> | undefined;
  operations: readonly Operation[];
}

/** @returns the text of `pack.ts`. */
export function writePack({ server, authentication, operations }: PackParts): string {
  const names = new Set(["newPack"]);
  const helpers = new Set<HelperName>();
  const uses = { name: (name: string) => void names.add(name), helper: (name: HelperName) => void helpers.add(name) };
  const schemas = createSchemaCode(uses.name);
  const formulas = operations.map((operation) => formulaCode(operation, schemas, uses));
  const address: Code = ["const API = ", literal(server.url), ";"];
  const parts: Code[] = [
    "export const pack = newPack();",
    server.isNamed ? address : ["// The description names no public server: write the host of the API here and below.", NEW_LINE, address],
    `pack.addNetworkDomain(${literal(server.domain)});`,
    ...(authentication === undefined ? [] : [authenticationCode(authentication, uses.name)]),
    ...schemas.constants(),
    ...formulas,
    ...[...helpers].sort().map((name) => helperCode(name, uses.name)),
  ];
  return `${layOut(join([importCode([...names]), ...parts], [NEW_LINE, NEW_LINE]))}\n`;
}

/** Types are marked; the order is that of their names, whatever their case. */
function importCode(names: readonly string[]): Code {
  const sorted = [...names].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  return ["import ", objectOf(sorted.map((name) => (name === "SchemaType" ? `type ${name}` : name))), ' from "packsmith";'];
}

/** @returns `pack.setUserAuthentication({ … });` */
export function authenticationCode(definition: Readonly<Record<string, unknown>>, use: (name: string) => void = () => {}): Code {
  use("AuthenticationType");
  const entries = Object.entries(definition)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (name === "type" ? `type: AuthenticationType.${String(value)}` : entryOf(keyOf(name), valueCode(value))));
  return ["pack.setUserAuthentication(", objectOf(entries, { isBroken: entries.length > 1 }), ");"];
}

function helperCode(name: HelperName, use: (name: string) => void): Code {
  if (name === "parseJson") use("UserVisibleError");
  return join(HELPERS[name].split("\n"), NEW_LINE);
}

const HELPERS: Readonly<Record<HelperName, string>> = {
  dayOf: `/** The day of a date where the document is, as YYYY-MM-DD. */
function dayOf(date: Date, timezone: string): string {
  // Sweden writes days that way.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(date);
}`,
  withRepeated: `/** Adds lists to a URL, with the parameter once for each value. */
function withRepeated(url: string, lists: Record<string, readonly unknown[] | undefined>): string {
  const pairs = Object.entries(lists).flatMap(([name, values = []]) =>
    values.map((value) => \`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`),
  );
  return pairs.length === 0 ? url : \`\${url}\${url.includes("?") ? "&" : "?"}\${pairs.join("&")}\`;
}`,
  parseJson: `/** The value of a parameter that is written as JSON. */
function parseJson(name: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UserVisibleError(\`\${name} is not valid JSON.\`);
  }
}`,
  textsOf: `/** The values that were given, as texts. */
function textsOf(values: Record<string, string | number | boolean | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}`,
};
