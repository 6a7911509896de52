import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import * as z from "zod";
import type { PackLog } from "../../contract/registry/registry-models.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { findPack, savePart } from "./registry-store.ts";

const size = z.number().min(0);
export const runLog = z.object({
  docId: z.string(),
  rowId: z.string().optional(),
  packVersion: z.string(),
  messages: z.array(z.object({ level: z.string(), message: z.string() })),
  requests: z.array(
    z.object({
      method: z.string(),
      url: z.string(),
      status: z.int().optional(),
      requestBytes: size,
      responseBytes: size,
      durationMs: size,
      fromCache: z.boolean(),
    }),
  ),
  error: z.object({ message: z.string(), stack: z.string().optional() }).optional(),
});

/** What a run of an installed Pack wrote and requested. */
export type PackRunLog = z.output<typeof runLog>;

/** A run in a document, as the analytics know it, and its log. */
interface LoggedRun {
  pack: { id?: number | undefined };
  formula: string;
  latencyMs: number;
  log?: PackRunLog | undefined;
}

/** Older entries of a Pack are dropped. */
const MAX_ENTRIES = 2_000;

/** Keeps what a run of an installed Pack wrote and requested, for the log of its Pack. */
export async function saveRunLog(
  db: Kysely<ServiceSchema>,
  run: LoggedRun,
  atMs: number,
): Promise<void> {
  const { pack, formula, log } = run;
  if (log === undefined || pack.id === undefined || (await findPack(db, pack.id)) === undefined)
    return;
  const requestId = randomUUID();
  const context = () => ({
    docId: log.docId,
    packId: String(pack.id),
    packVersion: log.packVersion,
    formulaName: formula,
    userId: "local",
    connectionId: "",
    requestId,
    requestType: "unknown",
    createdAt: new Date(atMs).toISOString(),
    logId: randomUUID(),
    detailsKey: "",
    ...(log.rowId === undefined ? {} : { docRowId: log.rowId }),
  });
  const entries: PackLog[] = [
    ...log.messages.map(
      ({ level, message }): PackLog => ({ type: "custom", context: context(), level, message }),
    ),
    ...log.requests.map(
      ({ method, url, status, requestBytes, responseBytes, durationMs, fromCache }): PackLog => ({
        type: "fetcher",
        context: context(),
        method,
        baseUrl: url,
        ...(status === undefined ? {} : { responseCode: status }),
        requestSizeBytes: requestBytes,
        responseSizeBytes: responseBytes,
        duration: durationMs,
        cacheHit: fromCache,
      }),
    ),
    {
      type: "invocation",
      context: context(),
      cacheHit: false,
      duration: run.latencyMs,
      ...(log.error === undefined ? {} : { error: log.error }),
    },
  ];
  for (const entry of entries) await savePart(db, pack.id, "log", entry.context.logId, entry);
  await dropOldest(db, pack.id);
}

async function dropOldest(db: Kysely<ServiceSchema>, packId: number): Promise<void> {
  const logs = () =>
    db.selectFrom("pack_parts").where("pack_id", "=", packId).where("kind", "=", "log");
  const { last } = await logs()
    .select((expression) => expression.fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom("pack_parts")
    .where("pack_id", "=", packId)
    .where("kind", "=", "log")
    .where("position", "<=", Number(last ?? 0) - MAX_ENTRIES)
    .execute();
}
