import { type Members, toMembers } from "../../../../shared/values.ts";
import {
  type PackOAuthConfig,
  packUpload,
  type SystemConnection,
  type SystemCredentials,
} from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { getBody } from "../check-request.ts";
import { openPack } from "../pack-access.ts";
import { findPart, listParts, readFile, type StoredPack, savePart } from "../registry-store.ts";

interface OAuthClient {
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  redirectUri?: string | undefined;
}

const OAUTH = "oauth";
const SYSTEM = "system";

export async function getPackOAuthConfig(call: ServiceCall): Promise<PackOAuthConfig> {
  const pack = await openPack(call);
  return await shownClient(call, pack, await readSecret<OAuthClient>(call, pack, OAUTH));
}

export async function setPackOAuthConfig(call: ServiceCall): Promise<PackOAuthConfig> {
  const pack = await openPack(call);
  const given = getBody<"setPackOAuthConfig">(call);
  const client = { ...(await readSecret<OAuthClient>(call, pack, OAUTH)), ...given };
  await saveSecret(call, pack, OAUTH, client);
  return await shownClient(call, pack, client);
}

async function shownClient(
  call: ServiceCall,
  pack: StoredPack,
  client: OAuthClient = {},
): Promise<PackOAuthConfig> {
  const definition = toMembers((await newestMetadata(call, pack))["defaultAuthentication"]);
  const text = (name: string) =>
    typeof definition[name] === "string" ? (definition[name] as string) : undefined;
  const { tokenPrefix, scopes } = {
    tokenPrefix: text("tokenPrefix"),
    scopes: definition["scopes"],
  };
  return {
    maskedClientId: maskSecret(client.clientId),
    maskedClientSecret: maskSecret(client.clientSecret),
    authorizationUrl: text("authorizationUrl") ?? "",
    tokenUrl: text("tokenUrl") ?? "",
    ...(tokenPrefix === undefined ? {} : { tokenPrefix }),
    ...(Array.isArray(scopes) ? { scopes: scopes.join(text("scopeDelimiter") ?? " ") } : {}),
    redirectUri: client.redirectUri ?? `${new URL(call.root).origin}/packsAuth/oauth2/${pack.id}`,
    ...(definition["useDynamicClientRegistration"] === true
      ? { useDynamicClientRegistration: true }
      : {}),
  };
}

export async function getPackSystemConnection(call: ServiceCall): Promise<SystemConnection> {
  const pack = await openPack(call);
  const credentials = await readSecret<SystemCredentials>(call, pack, SYSTEM);
  if (credentials === undefined) throw new HttpError(404, "The Pack has no connection of its own.");
  return await shownConnection(call, pack, credentials);
}

export async function setPackSystemConnection(call: ServiceCall): Promise<SystemConnection> {
  const pack = await openPack(call);
  const { credentials: sent } = getBody<"setPackSystemConnection">(call);
  const { tokensToPatch, paramsToPatch, ...whole } = sent;
  const credentials = { ...whole, ...patchLists(whole, { tokensToPatch, paramsToPatch }) };
  await requireKnownKeys(call, pack, credentials);
  await saveSecret(call, pack, SYSTEM, credentials);
  return await shownConnection(call, pack, credentials);
}

export async function patchPackSystemConnection(call: ServiceCall): Promise<SystemConnection> {
  const pack = await openPack(call);
  const { tokensToPatch, paramsToPatch, ...changes } = getBody<"patchPackSystemConnection">(call);
  const before = await readSecret<SystemCredentials>(call, pack, SYSTEM);
  if (before === undefined) throw new HttpError(404, "The Pack has no connection of its own.");
  if (before.type !== changes.type)
    throw new HttpError(400, `The connection of the Pack has the type ${before.type}.`);
  const replaced = { ...before, ...changes };
  const credentials = { ...replaced, ...patchLists(replaced, { tokensToPatch, paramsToPatch }) };
  await requireKnownKeys(call, pack, credentials);
  await saveSecret(call, pack, SYSTEM, credentials);
  return await shownConnection(call, pack, credentials);
}

/** The entries of a list are changed one by one. */
function patchLists(
  credentials: Members,
  { tokensToPatch, paramsToPatch }: { tokensToPatch: unknown; paramsToPatch: unknown },
): Members {
  return {
    ...(tokensToPatch === undefined
      ? {}
      : { tokens: patchPairs(credentials["tokens"], tokensToPatch) }),
    ...(paramsToPatch === undefined
      ? {}
      : { params: patchPairs(credentials["params"], paramsToPatch) }),
  };
}

/**
 * Parameters have the names of the Pack's definition. What happens to others is not known, so they
 * are refused.
 */
async function requireKnownKeys(
  call: ServiceCall,
  pack: StoredPack,
  { params, tokens }: Members,
): Promise<void> {
  const known = connectionKeys(await newestMetadata(call, pack));
  const pairs = (params ?? tokens ?? []) as Pair[];
  const unknown = pairs.find(({ key }) => known.length > 0 && !known.includes(key));
  if (unknown !== undefined)
    throw new HttpError(
      400,
      `The Pack does not define "${unknown.key.slice(0, 60)}". Use one of: ${known.join(", ")}.`,
    );
}

/** The names of the headers or parameters of the Pack's own connection. */
function connectionKeys(metadata: Members): string[] {
  const { headers, params, paramName } = toMembers(metadata["systemConnectionAuthentication"]);
  if (typeof paramName === "string") return [paramName];
  return ((headers ?? params ?? []) as { name: string }[]).map(({ name }) => name);
}

interface Pair {
  key: string;
  value: string;
}

function patchPairs(before: unknown, changes: unknown): Pair[] {
  const pairs = new Map(((before ?? []) as Pair[]).map(({ key, value }) => [key, value]));
  for (const { key, value } of changes as Pair[]) pairs.set(key, value);
  return [...pairs].map(([key, value]) => ({ key, value }));
}

/** The masked secrets, with what the definition of the newest version says about where they go. */
async function shownConnection(
  call: ServiceCall,
  pack: StoredPack,
  { type, ...secrets }: SystemCredentials,
): Promise<SystemConnection> {
  const metadata = await newestMetadata(call, pack);
  const definition = toMembers(metadata["systemConnectionAuthentication"]);
  const text = (name: string) => String(definition[name] ?? "");
  const domain = String((metadata["networkDomains"] as string[] | undefined)?.[0] ?? "");
  const pairs = (name: string) =>
    (secrets[name] as Pair[]).map(({ key, value }) => ({ key, maskedValue: maskSecret(value) }));
  const maskAll = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) =>
        secrets[name] === undefined
          ? []
          : [[`masked${name[0]?.toUpperCase()}${name.slice(1)}`, maskSecret(secrets[name])]],
      ),
    );
  const presets = connectionKeys(metadata);
  const headers = (
    (definition["headers"] as { name: string; tokenPrefix?: string }[] | undefined) ?? []
  ).map(({ name, tokenPrefix }) => ({
    headerName: name,
    ...(tokenPrefix === undefined ? {} : { tokenPrefix }),
  }));
  switch (type) {
    case "header":
      return {
        type,
        ...maskAll("token"),
        headerName: text("headerName") || "Authorization",
        tokenPrefix: text("tokenPrefix") || "Bearer",
      };
    case "multiHeader": {
      const sent = (secrets["tokens"] as Pair[]).map(({ key, value }) => ({
        headerName: key,
        maskedToken: maskSecret(value),
      }));
      return { type, headers: sent, presets: headers };
    }
    case "urlParam":
    case "custom":
      return { type, params: pairs("params"), domain, presetKeys: presets };
    case "httpBasic":
      return { type, ...maskAll("username", "password") };
    case "oauth2ClientCredentials":
      return {
        type,
        location: text("credentialsLocation") || "automatic",
        ...maskAll("clientId", "clientSecret"),
      };
    case "googleServiceAccount":
      return { type, ...maskAll("serviceAccountKey") };
    case "awsAssumeRole":
      // Neither is a secret: both are part of the trust that the owner of the role configures.
      return {
        type,
        service: text("service"),
        roleArn: secrets["roleArn"],
        externalId: secrets["externalId"],
      };
    case "awsAccessKey":
      return { type, service: text("service"), ...maskAll("accessKeyId", "secretAccessKey") };
  }
}

/** Long secrets show their end, so that their owner recognises them. */
function maskSecret(secret: unknown): string {
  if (typeof secret !== "string" || secret === "") return "";
  return `••••••••${secret.length >= 16 ? secret.slice(-4) : ""}`;
}

async function newestMetadata({ state }: ServiceCall, { id }: StoredPack): Promise<Members> {
  const newest = (await listParts(state.storage.db, id, "version")).at(-1);
  const bytes =
    newest === undefined ? undefined : await readFile(state.storage.db, newest.value.fileId);
  return bytes === undefined ? {} : packUpload.parse(JSON.parse(bytes.toString("utf8"))).metadata;
}

async function readSecret<Value extends object>(
  { state }: ServiceCall,
  { id }: StoredPack,
  name: string,
): Promise<Value | undefined> {
  const part = await findPart(state.storage.db, id, "secret", name);
  return part === undefined ? undefined : state.secrets.open<Value>(id, name, part.value.sealed);
}

async function saveSecret(
  { state }: ServiceCall,
  { id }: StoredPack,
  name: string,
  value: object,
): Promise<void> {
  const sealed = state.secrets.seal(id, name, value);
  await state.storage.transaction((transaction) =>
    savePart(transaction, id, "secret", name, { sealed }),
  );
}
