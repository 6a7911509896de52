import * as z from "zod";
import { serviceRequestRecord } from "../api/request-record.ts";
import { latency } from "../edits/edit-settings.ts";
import { faultSchema } from "./fault-schema.ts";

const edit = z.object({
  requestId: z.string(),
  docId: z.string(),
  state: z.enum(["pending", "running", "stuck", "done"]),
  /** What it does; undefined after it was applied. */
  kind: z.string().optional(),
  tableId: z.string().optional(),
  /** How many rows it writes or deletes. */
  rows: z.number().optional(),
  acceptedAtMs: z.number(),
  dueAtMs: z.number(),
  completedAtMs: z.number().nullable(),
  warning: z.string().nullable(),
});

const rateWindow = z.object({
  userId: z.string(),
  group: z.string(),
  recent: z.number(),
  limit: z.object({ requests: z.number(), windowMs: z.number() }),
});

/** What a GET of each path of the control plane answers. */
const CONTROL_ANSWERS = {
  clock: z.object({ nowMs: z.number(), isFrozen: z.boolean() }),
  mutations: z.object({ items: z.array(edit), hold: z.boolean() }),
  latency: z.object({
    latency,
    snapshotLagMs: z.number(),
    failedMutation: z.enum(["warning", "stuck"]),
  }),
  "rate-limits": z.object({ options: z.looseObject({}).nullable(), windows: z.array(rateWindow) }),
  faults: z.object({ faults: z.array(faultSchema) }),
  requests: z.object({ items: z.array(serviceRequestRecord) }),
};

export type ControlAnswers = {
  [Path in keyof typeof CONTROL_ANSWERS]: z.output<(typeof CONTROL_ANSWERS)[Path]>;
};

/** @returns undefined when a service of this version does not answer so */
export function parseControlAnswer<Path extends keyof ControlAnswers>(
  path: Path,
  answer: unknown,
): ControlAnswers[Path] | undefined {
  // TypeScript does not see that the schema of a path gives the type of this path.
  return CONTROL_ANSWERS[path].safeParse(answer).data as ControlAnswers[Path] | undefined;
}
