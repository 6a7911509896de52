import { OPERATIONS } from "../../service/contract/operations.ts";
import type { Fault } from "../../service/local/control/fault-schema.ts";
import type { Latency } from "../../service/local/edits/edit-settings.ts";
import { failureView } from "../failures.ts";
import type { FaultView, RunningServiceView } from "../wire/service.ts";
import type { CurrentService } from "./current-service.ts";
import type { ServiceLink } from "./service-link.ts";

/** How many items of each list the page shows. */
const MAX_PENDING = 200;
const MAX_DONE = 30;
const MAX_REQUESTS = 200;

const NO_ANSWER = {
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
    const [clock, mutations, { latency }, limits, { faults }, journal] = await Promise.all([
      link.control("clock"),
      link.control("mutations"),
      link.control("latency"),
      link.control("rate-limits"),
      link.control("faults"),
      link.control("requests"),
    ]);
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
      latency: latencyText(latency),
      pending: pending.slice(0, MAX_PENDING),
      done: done.slice(-MAX_DONE).reverse(),
      isLimited: limits.options !== null,
      windows: limits.windows,
      faults: faults.map(faultView),
      requests: requests.slice(0, MAX_REQUESTS),
    };
  } catch (error) {
    return { ...NO_ANSWER, isOwn, origin, operations, failure: failureView(error) };
  }
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
    ...(status === undefined ? [] : [`returns ${status}`]),
    ...(retryAfter === undefined ? [] : [`with Retry-After ${retryAfter}`]),
    ...(drop === undefined
      ? []
      : [
          drop === "before"
            ? "closes the connection without a response"
            : "processes the request, then closes the connection",
        ]),
    ...(truncate === true ? ["sends only part of the response"] : []),
    ...(hugeBytes === undefined ? [] : [`returns ${hugeBytes} bytes`]),
  ];
  const often = [
    count === undefined ? "until you remove the fault" : count === 1 ? "once" : `${count} times`,
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
