import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../../shared/sha256.ts";
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
export async function identifyCaller(state: ServiceState, authorization: string | undefined): Promise<Caller> {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new HttpError(401);
  const digest = sha256(token);
  if (timingSafeEqual(digest, state.tokenDigest)) return await firstUser(state, "Local token", { canRead: true, canWrite: true });
  const stored = digest.toString("hex");
  const seeded = await state.cache.read(`token ${stored}`, () => seededToken(state, stored));
  if (seeded !== undefined) return seeded;
  if (state.introspection === undefined) throw new HttpError(401);
  const answer = await introspectToken(state.introspection, token);
  if (answer === undefined) throw new HttpError(401);
  const record = { canRead: answer.scopes.includes(READ_SCOPE), canWrite: answer.scopes.includes(WRITE_SCOPE) };
  return { ...(await firstUser(state, "Authorization server token", record)), name: answer.name, ofServer: true };
}

/** The form in which tokens are stored. */
export function tokenDigest(token: string): string {
  return sha256(token, "hex");
}

async function firstUser({ storage, cache }: ServiceState, tokenName: string, record: TokenRecord): Promise<Caller> {
  const user = await cache.read("first user", () =>
    storage.db.selectFrom("users").select(["id", "name", "email", "record"]).orderBy("position").limit(1).executeTakeFirst(),
  );
  if (user === undefined) throw new HttpError(401);
  return toCaller(user, tokenName, record);
}

async function seededToken({ storage }: ServiceState, digest: string): Promise<Caller | undefined> {
  const found = await storage.db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select(["users.id", "users.name", "users.email", "users.record", "tokens.name as token_name", "tokens.record as token_record"])
    .where("token_sha256", "=", digest)
    .executeTakeFirst();
  return found === undefined ? undefined : toCaller(found, found.token_name, JSON.parse(found.token_record));
}

function toCaller(user: { id: string; name: string; email: string; record: string }, tokenName: string, token: TokenRecord): Caller {
  const { canRead, canWrite, docId, tableId } = token;
  const { role = "Admin", isMember = true } = JSON.parse(user.record) as { role?: Role; isMember?: boolean };
  return { userId: user.id, name: user.name, email: user.email, role, isMember, tokenName, canRead, canWrite, docId, tableId };
}
