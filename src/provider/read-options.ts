import { createRequire } from "node:module";
import { types } from "node:util";
import { usageError } from "../errors.ts";
import { describeJsonError, systemReason } from "../shared/failures.ts";
import { readRegularText } from "../shared/files.ts";
import { isRecord } from "../shared/values.ts";
import { parseFaults } from "./faults.ts";
import { AdditionalGrantType, type ProviderOptions } from "./options.ts";
import { isIssuerPath } from "./paths.ts";

const KINDS = {
  number: { words: "a number", is: (value: unknown) => typeof value === "number" && value >= 0 },
  text: { words: "text", is: (value: unknown) => typeof value === "string" },
  flag: { words: "true or false", is: (value: unknown) => typeof value === "boolean" },
  list: { words: "a list", is: Array.isArray },
  object: { words: "an object", is: isRecord },
  function: {
    words: "a function of a module",
    is: (value: unknown) => typeof value === "function",
  },
};

/** The options that a file can have. Functions are only in a module. */
const KNOWN: {
  readonly [Name in keyof Required<Omit<ProviderOptions, "api">>]: keyof typeof KINDS;
} = {
  port: "number",
  mutualTlsPort: "number",
  clients: "list",
  redirectUris: "list",
  users: "list",
  scopes: "list",
  pkce: "text",
  registration: "flag",
  pushedRequests: "text",
  clientDocuments: "object",
  deviceIntervalSeconds: "number",
  accessTokenTtlSeconds: "number",
  refreshTokenTtlSeconds: "number",
  codeTtlSeconds: "number",
  grants: "list",
  assertionIssuers: "object",
  jwtAccessTokens: "object",
  cors: "flag",
  meScope: "text",
  tokenResponse: "object",
  profiles: "list",
  acrValues: "list",
  paths: "object",
  issuer: "text",
  issuers: "object",
  audiences: "list",
  apiOrigin: "text",
  faults: "list",
  control: "flag",
  state: "text",
  onRequest: "function",
  now: "function",
  random: "function",
  dpop: "flag",
  sleep: "function",
};

/**
 * Reads options of a provider from a JSON file, or from the default export of a module.
 * @param path absolute
 * @throws {PackError} USAGE_INVALID
 */
export async function readProviderOptions(path: string): Promise<ProviderOptions> {
  const isModule = /\.[cm]?js$/.test(path);
  const value = await (isModule ? fromModule(path) : fromJson(path)).catch((error: unknown) => {
    throw usageError(
      `${path} cannot be read: ${systemReason(error) ?? (error instanceof Error ? error.message : "it is not valid")}.`,
      HINT,
    );
  });
  if (!isRecord(value)) throw usageError(`${path} does not contain an object with options.`, HINT);
  const unknown = findUnknown(value);
  if (unknown !== undefined)
    throw usageError(
      `${path} contains the unknown option ${unknown}.`,
      `Known options: ${Object.keys(KNOWN).join(", ")}.`,
    );
  const problem = findProblem(value);
  if (problem !== undefined)
    throw usageError(`The options in ${path} are not valid: ${problem}`, HINT);
  return value;
}

function findUnknown(options: Record<string, unknown>): string | undefined {
  return Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
}

/** What is wrong with options whose names are known. */
function findProblem(options: Record<string, unknown>): string | undefined {
  for (const [name, kind] of Object.entries(KNOWN)) {
    const { words, is } = KINDS[kind];
    if (options[name] !== undefined && !is(options[name])) return `${name} must be ${words}.`;
  }
  const { clients, users, grants, faults } = options as Record<string, unknown[] | undefined>;
  const nameless = (clients ?? []).findIndex(
    (client) => !isRecord(client) || typeof client["clientId"] !== "string",
  );
  if (nameless >= 0) return `clients[${nameless}] has no clientId.`;
  const unknown = (users ?? []).findIndex(
    (user) => !isRecord(user) || typeof user["id"] !== "string" || typeof user["name"] !== "string",
  );
  if (unknown >= 0) return `users[${unknown}] has no id or no name.`;
  const known: readonly unknown[] = Object.values(AdditionalGrantType);
  if (grants?.some((grant) => !known.includes(grant)) === true)
    return `grants can have ${known.join(", ")}.`;
  const read = faults === undefined ? undefined : parseFaults(faults);
  return read?.ok === false ? read.reason : problemOfIssuers(options["issuers"]);
}

/** Options that an issuer below another one cannot have. */
const OF_THE_SERVER: readonly string[] = [
  "port",
  "mutualTlsPort",
  "issuers",
  "issuer",
  "apiOrigin",
] satisfies (keyof ProviderOptions)[];

function problemOfIssuers(issuers: unknown): string | undefined {
  const entries = Object.entries((issuers ?? {}) as object);
  for (const [path, options] of entries) {
    const paths = entries.map(([each]) => each);
    if (!isIssuerPath(path, paths))
      return `issuers contains ${JSON.stringify(path)}, which is not a valid path; write a path such as /tenant-a.`;
    if (!isRecord(options)) return `issuers["${path}"] must be an object.`;
    const other =
      findUnknown(options) ?? Object.keys(options).find((name) => OF_THE_SERVER.includes(name));
    if (other !== undefined) return `issuers["${path}"] cannot have ${other}.`;
    const problem = findProblem(options);
    if (problem !== undefined) return `issuers["${path}"]: ${problem}`;
  }
  return undefined;
}

const HINT =
  "Write the options of startProvider as a JSON object, or as the default export of a module (.js, .mjs).";

async function fromJson(path: string): Promise<unknown> {
  const text = await readRegularText(path);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`it is not valid JSON: ${describeJsonError(error)}`);
  }
}

async function fromModule(path: string): Promise<unknown> {
  // The compiled command line cannot import(); require() takes ES modules, too.
  const module: unknown = createRequire(import.meta.url)(path);
  return types.isModuleNamespaceObject(module) ? (module as { default?: unknown }).default : module;
}
