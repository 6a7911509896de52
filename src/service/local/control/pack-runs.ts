import type { Kysely } from "kysely";
import * as z from "zod";
import { PACK_FORMULA_TYPES, type PackFormulaType } from "../../contract/analytics-metrics.ts";
import { pacificDay } from "../content/time-zone.ts";
import { type PackRunLog, runLog, saveRunLog } from "../registry/run-log.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { SeedAnalytics, SeedMetrics, SeedPack } from "../store/seed-analytics.ts";
import { readSetting, saveSetting } from "../store/settings.ts";

/** One run of a Pack's formula, as the analytics count it. */
export interface PackRun {
  /** Without an id, the Pack of this name: a new one gets the next free id. */
  pack: { id?: number | undefined; name: string };
  formula: string;
  /** @default "formula" */
  type?: PackFormulaType | undefined;
  /** @default now, on the clock of the service */
  atMs?: number | undefined;
  latencyMs: number;
  /** @default 0 */
  responseSizeBytes?: number | undefined;
  /** @default false */
  isError?: boolean | undefined;
  /** What the run of an installed Pack wrote and requested. @default nothing is kept */
  log?: PackRunLog | undefined;
}

export const packRunsSchema = z.array(
  z.strictObject({
    pack: z.strictObject({ id: z.int().min(1).optional(), name: z.string().min(1) }),
    formula: z.string().min(1),
    type: z.enum(PACK_FORMULA_TYPES).optional(),
    atMs: z.number().optional(),
    latencyMs: z.number().min(0),
    responseSizeBytes: z.number().min(0).optional(),
    isError: z.boolean().optional(),
    log: runLog.optional(),
  } satisfies { [Key in keyof Required<PackRun>]: z.ZodType }),
);

type Samples = Record<string, { latencies: number[]; sizes: number[] }>;

/** A median of the latest runs of a day is enough. */
const MAX_SAMPLES = 1_000;
const INVOCATIONS = {
  formula: "numFormulaInvocations",
  action: "numActionInvocations",
  sync: "numSyncInvocations",
  metadata: "numMetadataInvocations",
} as const satisfies Record<PackFormulaType, string>;

/** Adds runs to the counts of their Packs and formulas. Days are those of US Pacific time. */
export async function ingestRuns(
  db: Kysely<ServiceSchema>,
  runs: readonly PackRun[],
  nowMs: number,
): Promise<void> {
  const analytics: SeedAnalytics = JSON.parse((await readSetting(db, "analytics")) ?? "{}");
  const samples: Samples = JSON.parse((await readSetting(db, "analytics-samples")) ?? "{}");
  analytics.packs ??= [];
  for (const run of runs) count(analytics.packs, samples, run, run.atMs ?? nowMs);
  await saveSetting(db, "analytics", JSON.stringify(analytics));
  await saveSetting(db, "analytics-samples", JSON.stringify(samples));
  for (const run of runs) await saveRunLog(db, run, run.atMs ?? nowMs);
}

function count(packs: SeedPack[], samples: Samples, run: PackRun, atMs: number): void {
  const {
    type = "formula",
    formula: name,
    latencyMs,
    responseSizeBytes = 0,
    isError = false,
  } = run;
  const date = pacificDay(atMs);
  const { name: packName, id: packId } = run.pack;
  const nextId = () => packs.reduce((last, { id }) => Math.max(last, id), 0) + 1;
  const newPack = () => ({
    id: packId ?? nextId(),
    name: packName,
    createdAt: new Date(atMs).toISOString(),
    metrics: [],
  });
  const isPack = (each: SeedPack) =>
    packId === undefined ? each.name === packName : each.id === packId;
  const pack: SeedPack = findOrAdd(packs, isPack, newPack);
  pack.formulas ??= [];
  const isFormula = (each: { name: string; type: string }) =>
    each.name === name && each.type === type;
  const formula = findOrAdd(pack.formulas, isFormula, () => ({ name, type, metrics: [] }));
  add(findOrAddDay(pack.metrics, date), INVOCATIONS[type], 1);
  const day = findOrAddDay(formula.metrics, date);
  add(day, "formulaInvocations", 1);
  add(day, "errors", isError ? 1 : 0);
  const key = `${pack.id} ${type} ${name} ${date}`;
  const taken = Object.hasOwn(samples, key) ? samples[key] : undefined;
  const latencies = [...(taken?.latencies ?? []), latencyMs].slice(-MAX_SAMPLES);
  const sizes = [...(taken?.sizes ?? []), responseSizeBytes].slice(-MAX_SAMPLES);
  samples[key] = { latencies, sizes };
  day["medianLatencyMs"] = median(latencies);
  day["medianResponseSizeBytes"] = median(sizes);
}

function findOrAddDay(days: SeedMetrics[], date: string): SeedMetrics {
  return findOrAdd(
    days,
    (day) => day.date === date,
    () => ({ date }),
  );
}

function findOrAdd<Item>(
  items: Item[],
  isWanted: (item: Item) => boolean,
  create: () => Item,
): Item {
  const known = items.find(isWanted);
  if (known !== undefined) return known;
  const item = create();
  items.push(item);
  return item;
}

function add(day: SeedMetrics, metric: string, count: number): void {
  day[metric] = Number(day[metric] ?? 0) + count;
}

function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  const middle = ordered.length >> 1;
  const upper = ordered[middle] ?? 0;
  return Math.round(ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? 0) + upper) / 2);
}
