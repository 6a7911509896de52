import { OPERATIONS } from "../../service/contract/operations.ts";
import type { ServiceRequestRecord } from "../../service/local/api/request-record.ts";
import type { Fault } from "../../service/local/control/faults.ts";
import type { Latency } from "../../service/local/edits/edit-settings.ts";
import { failureView } from "../failures.ts";
import type { EditView, FaultView, RateWindowView, RunningServiceView } from "../wire/service.ts";
import type { CurrentService } from "./current-service.ts";
import type { ServiceLink } from "./service-link.ts";

/** How many items of each list the page shows. */
const MAX_PENDING = 200;
const MAX_DONE = 30;
const MAX_REQUESTS = 200;
/** Later than any time of the service: such an edit waits until the user completes it. */
const NEVER_MS = Date.UTC(10_000, 0);

interface ControlMutation {
  requestId: string;
  docId: string;
  state: string;
  kind?: string | undefined;
  rows?: number | undefined;
  acceptedAtMs: number;
  dueAtMs: number;
  completedAtMs: number | null;
  warning: string | null;
}

interface ControlState {
  clock: { nowMs: number; isFrozen: boolean };
  mutations: { items: ControlMutation[]; hold: boolean };
  latency: { latency: Latency };
  limits: {
    options: object | null;
    windows: { userId: string; group: string; recent: number; limit: RateWindowView }[];
  };
  faults: { faults: Fault[] };
  journal: { items: ServiceRequestRecord[] };
}

/**
 * The service as the page shows it, without its documents. A service that does not answer is
 * described by its failure.
 */
export async function describeService(
  service: CurrentService,
  link: ServiceLink,
): Promise<RunningServiceView> {
  const { isOwn } = service;
  const { origin } = link;
  const operations = Object.keys(OPERATIONS);
  try {
    const { clock, mutations, latency, limits, faults, journal } = await readControlPlane(link);
    const pending = mutations.items.filter(({ state }) => state !== "done");
    const done = mutations.items.filter(({ state }) => state === "done");
    const requests = journal.items.filter(({ path }) => !path.startsWith("/__emulator/")).reverse();
    const lastWrite = requests.find(({ method }) => method !== "GET");
    return {
      isOwn,
      origin,
      operations,
      failure: undefined,
      ...clock,
      fingerprint: [
        service.changes,
        pending.length,
        done.length,
        done.at(-1)?.requestId,
        lastWrite?.requestId,
      ].join(" "),
      isHeld: mutations.hold,
      latency: latencyText(latency.latency),
      pending: pending.slice(0, MAX_PENDING).map(mutationView),
      done: done.slice(-MAX_DONE).reverse().map(mutationView),
      isLimited: limits.options !== null,
      windows: limits.windows.map(
        ({ userId, group, recent, limit: { requests: most, windowMs } }) => ({
          userId,
          group,
          recent,
          requests: most,
          windowMs,
        }),
      ),
      faults: faults.faults.map(faultView),
      requests: requests
        .slice(0, MAX_REQUESTS)
        .map(({ requestId, atMs, method, path, status, operation }) => ({
          requestId,
          atMs,
          method,
          path,
          status,
          operation,
        })),
    };
  } catch (error) {
    return {
      isOwn,
      origin,
      operations,
      failure: failureView(error),
      fingerprint: "",
      nowMs: 0,
      isFrozen: false,
      isHeld: false,
      latency: "",
      pending: [],
      done: [],
      isLimited: false,
      windows: [],
      faults: [],
      requests: [],
    };
  }
}

async function readControlPlane(link: ServiceLink): Promise<ControlState> {
  const paths = {
    clock: "clock",
    mutations: "mutations",
    latency: "latency",
    limits: "rate-limits",
    faults: "faults",
    journal: "requests",
  };
  const answers = await Promise.all(
    Object.entries(paths).map(
      async ([name, path]) => [name, await link.control<unknown>(path)] as const,
    ),
  );
  return Object.fromEntries(answers) as unknown as ControlState;
}

function mutationView({
  requestId,
  docId,
  state,
  kind,
  rows,
  acceptedAtMs,
  dueAtMs,
  completedAtMs,
  warning,
}: ControlMutation): EditView {
  return {
    requestId,
    docId,
    state,
    acceptedAtMs,
    what: kind === undefined ? undefined : whatOf(kind, rows ?? 1),
    dueAtMs: dueAtMs > NEVER_MS ? undefined : dueAtMs,
    completedAtMs: completedAtMs ?? undefined,
    warning: warning ?? undefined,
  };
}

function whatOf(kind: string, rows: number): string {
  const count = rows === 1 ? "a row" : `${rows} rows`;
  const names: Readonly<Record<string, string>> = {
    insert: `write ${count}`,
    update: "update a row",
    delete: `delete ${count}`,
    push: "push a button",
    action: "run an action",
    deliver: "run an automation",
    createPage: "create a page",
    updatePage: "update a page",
    deletePage: "delete a page",
    deleteContent: "delete content",
    publish: "publish the doc",
  };
  return names[kind] ?? kind;
}

function latencyText(latency: Latency): string {
  if (typeof latency === "string") return latency;
  return "polls" in latency ? `${latency.polls} polls` : `${latency.ms} ms`;
}

function faultView(fault: Fault): FaultView {
  const { operation, docId, aboveLimit, probability, count, ...effect } = fault;
  const { status, retryAfter, delayMs, drop, truncate, hugeBytes } = effect;
  const where = [
    operation ?? "every request",
    ...(docId === undefined ? [] : [`of ${docId}`]),
    ...(aboveLimit === undefined ? [] : [`with a limit above ${aboveLimit}`]),
  ];
  const what = [
    ...(delayMs === undefined ? [] : [`waits ${delayMs} ms`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(retryAfter === undefined ? [] : [`with Retry-After ${retryAfter}`]),
    ...(drop === undefined
      ? []
      : [
          drop === "before"
            ? "closes the connection without answering"
            : "does the work, then closes the connection",
        ]),
    ...(truncate === true ? ["cuts off the answer in the middle"] : []),
    ...(hugeBytes === undefined ? [] : [`answers with ${hugeBytes} bytes`]),
  ];
  const often = [
    count === undefined ? "until you remove it" : count === 1 ? "once" : `${count} times`,
    ...(probability === undefined || probability === 1
      ? []
      : [`${Math.round(probability * 100)} % of the time`]),
  ];
  return {
    key: faultKey(fault),
    on: where.join(" "),
    what: what.join(", ") || "does nothing",
    often: often.join(", "),
  };
}

/** The same for a fault while it is used up. */
export function faultKey({ count: _, ...fault }: Fault): string {
  return JSON.stringify(Object.entries(fault).sort(([one], [other]) => (one < other ? -1 : 1)));
}
