import type { Kysely, Transaction } from "kysely";
import { sha256 } from "../../../shared/crypto.ts";
import type { Storage } from "../../../storage/storage.ts";
import type {
  ListingDraft,
  PackAccess,
  PackImage,
  PackInvitation,
  PackLog,
  PackPrincipal,
  PackRelease,
  PackReview,
  PackSummary,
} from "../../contract/registry/registry-models.ts";
import type { ServiceSchema } from "../store/schema.ts";

export type Db = Kysely<ServiceSchema>;

/** What is kept of a listing. Images are references to files. */
export interface StoredListing
  extends Omit<
    PackSummary,
    "id" | "categories" | "logoUrl" | "coverUrl" | "exampleImages" | "agentImages"
  > {
  logo?: StoredImage | undefined;
  cover?: StoredImage | undefined;
  exampleImages?: StoredImage[] | undefined;
  agentImages?: StoredImage[] | undefined;
}
export type StoredImage = Omit<PackImage, "imageUrl">;

export interface StoredPack {
  id: number;
  ownerId: string;
  createdAtMs: number;
  updatedAtMs: number;
  listing: StoredListing;
}

export interface StoredVersion {
  fileId: string;
  notes: string;
  createdAtMs: number;
  userId: string;
  sdkVersion: string;
  source: "web" | "cli" | undefined;
}

/** Bytes that were announced: where they go when they have arrived. */
export interface StoredUpload {
  kind: "version" | "asset" | "source";
  sha256: string;
  mimeType: string;
  filename: string;
  /** The type of an asset. */
  assetType?: string | undefined;
  expiresAtMs: number;
  /** The bytes have arrived. */
  isReceived: boolean;
}

/** What belongs to a Pack, by kind. */
interface Parts {
  version: StoredVersion;
  release: PackRelease;
  permission: { principal: PackPrincipal; access: PackAccess };
  invitation: PackInvitation;
  maker: object;
  category: object;
  upload: StoredUpload;
  asset: { fileId: string; mimeType: string; filename: string; assetType: string };
  source: { fileId: string; filename: string; packVersion: string };
  review: PackReview;
  draft: ListingDraft;
  /** The platform has approved what needs it. */
  approval: object;
  featuredDocs: { url: string; isPinned?: boolean | undefined }[];
  /** Encrypted. */
  secret: { sealed: string };
  log: PackLog;
}
export type PartKind = keyof Parts;

export interface Part<Kind extends PartKind> {
  id: string;
  /** Counts up within a kind. */
  position: number;
  value: Parts[Kind];
}

export async function insertPack(db: Db, pack: Omit<StoredPack, "id">): Promise<number> {
  const { last } = await db
    .selectFrom("packs")
    .select((expression) => expression.fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  // Deleted Packs keep their number, so that no other Pack gets it.
  const id = Number(last ?? FIRST_PACK_ID - 1) + 1;
  await db
    .insertInto("packs")
    .values(toRow({ ...pack, id }))
    .execute();
  return id;
}

const FIRST_PACK_ID = 1_001;

export async function savePack(db: Db, pack: StoredPack): Promise<void> {
  const { id, ...row } = toRow(pack);
  await db.updateTable("packs").set(row).where("id", "=", id).execute();
}

export async function deletePack(db: Db, id: number): Promise<void> {
  await db.updateTable("packs").set({ deleted: 1, record: "{}" }).where("id", "=", id).execute();
  await db.deleteFrom("pack_parts").where("pack_id", "=", id).execute();
}

export async function listPacks(db: Db): Promise<StoredPack[]> {
  const rows = await db
    .selectFrom("packs")
    .selectAll()
    .where("deleted", "=", 0)
    .orderBy("id")
    .execute();
  return rows.map(toPack);
}

export async function findPack(db: Db, id: number): Promise<StoredPack | undefined> {
  const row = await db
    .selectFrom("packs")
    .selectAll()
    .where("id", "=", id)
    .where("deleted", "=", 0)
    .executeTakeFirst();
  return row === undefined ? undefined : toPack(row);
}

function toRow({
  id,
  ownerId,
  createdAtMs,
  updatedAtMs,
  listing,
}: StoredPack): ServiceSchema["packs"] {
  const record = JSON.stringify(listing);
  return {
    id,
    owner_id: ownerId,
    created_at_ms: createdAtMs,
    updated_at_ms: updatedAtMs,
    deleted: 0,
    record,
  };
}

function toPack({
  id,
  owner_id,
  created_at_ms,
  updated_at_ms,
  record,
}: ServiceSchema["packs"]): StoredPack {
  return {
    id,
    ownerId: owner_id,
    createdAtMs: created_at_ms,
    updatedAtMs: updated_at_ms,
    listing: JSON.parse(record),
  };
}

/** The oldest first. */
export async function listParts<Kind extends PartKind>(
  db: Db,
  packId: number,
  kind: Kind,
): Promise<Part<Kind>[]> {
  const rows = await db
    .selectFrom("pack_parts")
    .select(["id", "position", "record"])
    .where("pack_id", "=", packId)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  return rows.map(({ id, position, record }) => ({ id, position, value: JSON.parse(record) }));
}

/** The parts of one kind of all Packs. */
export async function listPartsOfAllPacks<Kind extends PartKind>(
  db: Db,
  kind: Kind,
): Promise<(Part<Kind> & { packId: number })[]> {
  const rows = await db
    .selectFrom("pack_parts")
    .select(["pack_id", "id", "position", "record"])
    .where("kind", "=", kind)
    .orderBy("pack_id")
    .orderBy("position")
    .execute();
  return rows.map(({ pack_id, id, position, record }) => ({
    packId: pack_id,
    id,
    position,
    value: JSON.parse(record),
  }));
}

export async function findPart<Kind extends PartKind>(
  db: Db,
  packId: number,
  kind: Kind,
  id: string,
): Promise<Part<Kind> | undefined> {
  const row = await db
    .selectFrom("pack_parts")
    .select(["position", "record"])
    .where("pack_id", "=", packId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : { id, position: row.position, value: JSON.parse(row.record) };
}

/**
 * Lets one transaction after the other change the parts of a Pack, so that what one has checked is
 * still so when it writes. SQLite has one writer anyway.
 */
export async function inPackTransaction<Result>(
  storage: Storage<ServiceSchema>,
  packId: number,
  change: (transaction: Transaction<ServiceSchema>) => Promise<Result>,
): Promise<Result> {
  return await storage.transaction(async (transaction) => {
    if (storage.engine === "postgres")
      await transaction
        .selectFrom("packs")
        .select("id")
        .where("id", "=", packId)
        .forUpdate()
        .execute();
    return await change(transaction);
  });
}

/** Adds a part at the end of its kind, or replaces the one of the same id in its place. */
export async function savePart<Kind extends PartKind>(
  db: Db,
  packId: number,
  kind: Kind,
  id: string,
  value: Parts[Kind],
): Promise<void> {
  const record = JSON.stringify(value);
  await db
    .insertInto("pack_parts")
    .values({ pack_id: packId, kind, id, position: await nextPosition(db, packId, kind), record })
    .onConflict((conflict) => conflict.columns(["pack_id", "kind", "id"]).doUpdateSet({ record }))
    .execute();
}

export async function nextPosition(db: Db, packId: number, kind: PartKind): Promise<number> {
  const { last } = await db
    .selectFrom("pack_parts")
    .select((expression) => expression.fn.max("position").as("last"))
    .where("pack_id", "=", packId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + 1;
}

/** @returns whether there was one */
export async function deletePart(
  db: Db,
  packId: number,
  kind: PartKind,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("pack_parts")
    .where("pack_id", "=", packId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Keeps bytes under their digest. They never change, so a reset leaves them. */
export async function saveFile(db: Db, bytes: Uint8Array): Promise<string> {
  const id = sha256(bytes, "hex");
  await db
    .insertInto("pack_files")
    .values({ id, content: Buffer.from(bytes).toString("base64") })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return id;
}

export async function readFile(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("pack_files")
    .select("content")
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : Buffer.from(row.content, "base64");
}
