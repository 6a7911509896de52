import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../../shared/crypto.ts";
import type { ServiceState } from "../state.ts";
import { HttpError } from "./http-error.ts";
import { introspectToken } from "./introspection.ts";
import { READ_SCOPE, WRITE_SCOPE } from "./resource-metadata.ts";

/** What a user is in the workspace; creating docs and pages needs a Doc Maker or an Admin. */
export type Role = "Admin" | "DocMaker" | "Editor";

/** Who sent a request, and what the token allows. */
export interface Caller {
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** The user belongs to the workspace. */
  isMember: boolean;
  tokenName: string;
  /** The token is one of an authorization server. */
  ofServer?: true;
  canRead: boolean;
  canWrite: boolean;
  /** The token reaches only this document. */
  docId: string | undefined;
  /** The token reaches only this table of that document. */
  tableId: string | undefined;
}

/** What a token of the seed may do, as it is stored. */
interface TokenRecord {
  canRead: boolean;
  canWrite: boolean;
  docId?: string | undefined;
  tableId?: string | undefined;
}

/** Longer than any token; nothing longer is sent on to be looked up. */
const MAX_TOKEN_LENGTH = 8_192;

/** @throws {HttpError} 401 for a missing or malformed header and for an unknown token alike */
export async function identifyCaller(
  state: ServiceState,
  authorization: string | undefined,
): Promise<Caller> {
  const token = findToken(authorization);
  if (token === undefined) throw new HttpError(401);
  const digest = sha256(token);
  if (isLocal(state, digest))
    return await firstUser(state, "Local token", { canRead: true, canWrite: true });
  const seeded = await seededCaller(state, digest);
  if (seeded !== undefined) return seeded;
  if (state.introspection === undefined) throw new HttpError(401);
  const answer = await introspectToken(state.introspection, token, state.machineNow());
  if (answer === undefined) throw new HttpError(401);
  const record = {
    canRead: answer.scopes.includes(READ_SCOPE),
    canWrite: answer.scopes.includes(WRITE_SCOPE),
  };
  return {
    ...(await firstUser(state, "Authorization server token", record)),
    name: answer.name,
    ofServer: true,
  };
}

/** The bearer token of a header (RFC 6750 §2.1). */
function findToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? "")?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token;
}

function isLocal(state: ServiceState, digest: Buffer): boolean {
  return timingSafeEqual(digest, state.tokenDigest);
}

/** The form in which tokens are stored. */
export function tokenDigest(token: string): string {
  return sha256(token, "hex");
}

async function firstUser(
  state: ServiceState,
  tokenName: string,
  record: TokenRecord,
): Promise<Caller> {
  const [user] = await readFirstUser(state);
  if (user === undefined) throw new HttpError(401);
  return toCaller(user, tokenName, record);
}

function readFirstUser({ storage, cache }: ServiceState) {
  return cache.read("first user", "service", () =>
    storage.db
      .selectFrom("users")
      .select(["id", "name", "email", "record"])
      .orderBy("position")
      .limit(1)
      .execute(),
  );
}

function seededCaller(
  { storage, cache }: ServiceState,
  digest: Buffer,
): Promise<Caller | undefined> {
  const stored = digest.toString("hex");
  return cache.read(`token ${stored}`, "service", () => readToken(storage.db, stored));
}

async function readToken(
  db: ServiceState["storage"]["db"],
  digest: string,
): Promise<Caller | undefined> {
  const found = await db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select([
      "users.id",
      "users.name",
      "users.email",
      "users.record",
      "tokens.name as token_name",
      "tokens.record as token_record",
    ])
    .where("token_sha256", "=", digest)
    .executeTakeFirst();
  return found === undefined
    ? undefined
    : toCaller(found, found.token_name, JSON.parse(found.token_record));
}

function toCaller(
  user: { id: string; name: string; email: string; record: string },
  tokenName: string,
  token: TokenRecord,
): Caller {
  const { canRead, canWrite, docId, tableId } = token;
  const { role = "Admin", isMember = true } = JSON.parse(user.record) as {
    role?: Role;
    isMember?: boolean;
  };
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    isMember,
    tokenName,
    canRead,
    canWrite,
    docId,
    tableId,
  };
}
