import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { usageError } from "../errors.ts";
import { isRecord } from "../shared/is-record.ts";
import { parseFaults } from "./faults.ts";
import type { ProviderOptions } from "./options.ts";

/** The options that a file can have: what JSON can express, and functions only in a module. */
const KNOWN: { readonly [Name in keyof Required<ProviderOptions>]: "json" | "module" } = {
  port: "json",
  clients: "json",
  redirectUris: "json",
  users: "json",
  scopes: "json",
  pkce: "json",
  registration: "json",
  pushedRequests: "json",
  clientDocuments: "json",
  deviceIntervalSeconds: "json",
  accessTokenTtlSeconds: "json",
  refreshTokenTtlSeconds: "json",
  codeTtlSeconds: "json",
  grants: "json",
  assertionIssuers: "json",
  jwtAccessTokens: "json",
  cors: "json",
  meScope: "json",
  tokenResponse: "json",
  profiles: "json",
  paths: "json",
  issuer: "json",
  audiences: "json",
  apiOrigin: "json",
  faults: "json",
  control: "json",
  now: "module",
  random: "module",
  dpop: "json",
  sleep: "module",
};

/**
 * Reads options of a provider from a JSON file, or from the default export of a module.
 * @param path absolute
 * @throws {PackError} USAGE_INVALID
 */
export async function readProviderOptions(path: string): Promise<ProviderOptions> {
  const isModule = /\.[cm]?js$/.test(path);
  const value = await (isModule ? fromModule(path) : fromJson(path)).catch((error: unknown) => {
    throw usageError(`${path} cannot be read: ${error instanceof Error ? error.message : "it is not valid"}.`, HINT);
  });
  if (!isRecord(value)) throw usageError(`${path} has no object with options.`, HINT);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown !== undefined)
    throw usageError(`${path} has the unknown option ${unknown}.`, `Known options: ${Object.keys(KNOWN).join(", ")}.`);
  if (value["faults"] !== undefined) {
    const faults = parseFaults(value["faults"]);
    if (!faults.ok) throw usageError(`The faults of ${path} cannot be used: ${faults.reason}`, HINT);
  }
  return value;
}

const HINT = "Write a JSON object, or a module (.js, .mjs) whose default export is one, with the options of startProvider.";

async function fromJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, "utf8")) as unknown;
}

async function fromModule(path: string): Promise<unknown> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  return module.default;
}
