/** The endpoints that can have faults. */
const FAULT_ENDPOINTS = [
  "authorize",
  "token",
  "introspect",
  "revoke",
  "me",
  "metadata",
  "register",
  "par",
  "device",
  "mcp",
] as const;
export type FaultEndpoint = (typeof FAULT_ENDPOINTS)[number];

/** A fault of a response. */
export type Fault = FaultKind & {
  /** @default "token" */
  endpoint?: FaultEndpoint | undefined;
  /** How many responses of the endpoint have this fault. @default 1 */
  times?: number | undefined;
  /**
   * Handles the request first, so that tokens are issued and only the response is lost. Always true
   * for truncated responses. @default false
   */
  processed?: boolean | undefined;
  /** Delays the response. @default 0 */
  delayMs?: number | undefined;
};

type FaultKind =
  | { kind: "delay" }
  | {
      kind: "response";
      status: number;
      headers?: Record<string, string> | undefined;
      body?: string | Record<string, unknown> | undefined;
    }
  | { kind: "drop" }
  | { kind: "truncate" }
  | { kind: "redirect"; location: string; status?: number | undefined }
  | { kind: "html"; status?: number | undefined }
  | { kind: "huge"; bytes?: number | undefined };

const KINDS: readonly Fault["kind"][] = [
  "delay",
  "response",
  "drop",
  "truncate",
  "redirect",
  "html",
  "huge",
];
const MAX_FAULTS = 1_000;

/**
 * Reads faults that came over HTTP.
 * @returns the faults, or what is wrong with them
 */
export function parseFaults(
  value: unknown,
): { ok: true; faults: Fault[] } | { ok: false; reason: string } {
  if (!Array.isArray(value) || value.length > MAX_FAULTS)
    return { ok: false, reason: `Send an array of at most ${MAX_FAULTS} faults.` };
  for (const [index, fault] of value.entries()) {
    const reason = findProblem(fault);
    if (reason !== undefined) return { ok: false, reason: `Fault ${index}: ${reason}` };
  }
  return { ok: true, faults: value as Fault[] };
}

function findProblem(fault: unknown): string | undefined {
  if (typeof fault !== "object" || fault === null) return "it is not an object.";
  const members = fault as Record<string, unknown>;
  if (!KINDS.includes(members["kind"] as Fault["kind"]))
    return `kind must be one of ${KINDS.join(", ")}.`;
  if (
    members["endpoint"] !== undefined &&
    !FAULT_ENDPOINTS.includes(members["endpoint"] as FaultEndpoint)
  )
    return `endpoint must be one of ${FAULT_ENDPOINTS.join(", ")}.`;
  if (members["kind"] === "response" && members["status"] === undefined)
    return "status is missing.";
  if (members["kind"] === "redirect" && typeof members["location"] !== "string")
    return "location is missing.";
  if (members["status"] !== undefined && !isInteger(members["status"], 200, 599))
    return "status must be a number from 200 to 599.";
  for (const [name, most] of [
    ["times", 1_000_000],
    ["delayMs", 3_600_000],
    ["bytes", 100_000_000],
  ] as const) {
    if (members[name] !== undefined && !isInteger(members[name], 0, most))
      return `${name} must be a number from 0 to ${most}.`;
  }
  for (const name of Object.keys((members["headers"] as object | undefined) ?? {})) {
    const text = (members["headers"] as Record<string, unknown>)[name];
    if (!/^[\w-]+$/.test(name) || typeof text !== "string" || !/^[\x20-\x7e]*$/.test(text))
      return `header ${JSON.stringify(name)} is not a valid header.`;
  }
  if (typeof members["location"] === "string" && !/^[\x21-\x7e]+$/.test(members["location"]))
    return "location is not a valid URL.";
  return undefined;
}

function isInteger(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** The planned faults. */
export interface FaultPlan {
  add(faults: readonly Fault[]): void;
  /** Removes and returns the fault for the endpoint's next response. */
  take(endpoint: FaultEndpoint): Fault | undefined;
  clear(): void;
}

export function createFaultPlan(initial: readonly Fault[] = []): FaultPlan {
  const queue: { fault: Fault; left: number }[] = [];
  const add = (faults: readonly Fault[]) => {
    for (const fault of faults)
      if ((fault.times ?? 1) > 0) queue.push({ fault, left: fault.times ?? 1 });
  };
  add(initial);
  return {
    add,
    take(endpoint) {
      const index = queue.findIndex(({ fault }) => (fault.endpoint ?? "token") === endpoint);
      const next = queue[index];
      if (next === undefined) return undefined;
      next.left -= 1;
      if (next.left === 0) queue.splice(index, 1);
      return next.fault;
    },
    clear: () => queue.splice(0),
  };
}
