import type { HistoryDetail, HistoryRequest, HistoryRow } from "../../wire/history.ts";
import type { Difference } from "../parts/difference.ts";
import { compareRequests } from "../timeline/compare/compare-requests.ts";
import { compareValues } from "./compare-values.ts";

/** Two requests that belong together. One may be missing. */
export interface RequestPair {
  title: string;
  left: HistoryRequest | undefined;
  right: HistoryRequest | undefined;
  parts: Difference[];
}

export interface RunComparison {
  /** What ran: target, arguments, account, version. */
  inputs: Difference[];
  requests: RequestPair[];
  /** Outcome, value or rows, and the console. */
  results: Difference[];
}

/** Compares what two runs were given, what they sent and received, and what they returned. */
export function compareRuns(left: HistoryDetail, right: HistoryDetail): RunComparison {
  return {
    inputs: compareInputs(left, right),
    requests: pairRequests(left.sent, right.sent),
    results: [
      compareText("Outcome", "", describeOutcome(left), describeOutcome(right)),
      ...compareValues("Failure", left.failure?.message, right.failure?.message),
      ...compareValues("Result", readValue(left), readValue(right)),
      ...compareValues("Console", readLogs(left), readLogs(right)),
    ],
  };
}

function compareInputs(left: HistoryRow, right: HistoryRow): Difference[] {
  const ours = new Map(left.args.map((argument) => [argument.name, argument]));
  const others = new Map(right.args.map((argument) => [argument.name, argument]));
  return [
    compareText("Runs", "", left.target, right.target),
    ...[...new Set([...ours.keys(), ...others.keys()])].map((name) => {
      const [one, other] = [ours.get(name), others.get(name)];
      const compared = compareText("Argument", name, one?.text, other?.text);
      const isHidden = one?.isSecret === true && other?.isSecret === true;
      return isHidden ? { ...compared, state: "hidden" as const } : compared;
    }),
    compareText("Account", "", left.account ?? "default", right.account ?? "default"),
    ...(left.dynamicUrl === undefined && right.dynamicUrl === undefined
      ? []
      : [compareText("Dynamic URL", "", left.dynamicUrl, right.dynamicUrl)]),
    compareText("Build of the Pack", "", String(left.revision), String(right.revision)),
  ];
}

/** Requests with the same method and path belong together, in the order in which they were sent. */
function pairRequests(
  left: readonly HistoryRequest[],
  right: readonly HistoryRequest[],
): RequestPair[] {
  const waiting = new Map<string, HistoryRequest[]>();
  for (const request of right) {
    const title = formatTitle(request);
    waiting.set(title, [...(waiting.get(title) ?? []), request]);
  }
  const pairs = left.map((request): [HistoryRequest, HistoryRequest | undefined] => [
    request,
    waiting.get(formatTitle(request))?.shift(),
  ]);
  return [
    ...pairs.map(([one, other]) => pair(one, other)),
    ...[...waiting.values()].flat().map((other) => pair(undefined, other)),
  ];
}

function pair(left: HistoryRequest | undefined, right: HistoryRequest | undefined): RequestPair {
  const one = left ?? right;
  const title = one === undefined ? "" : formatTitle(one);
  const parts =
    left === undefined || right === undefined
      ? [
          compareText(
            "Request",
            "",
            left && `${left.method} ${left.url}`,
            right && `${right.method} ${right.url}`,
          ),
        ]
      : [
          ...compareRequests(readSent(left), readSent(right)),
          compareText("Status", "", readStatus(left), readStatus(right)),
          ...compareBodies(left.responseBody, right.responseBody),
        ];
  return { title, left, right, parts };
}

function formatTitle({ method, url }: HistoryRequest): string {
  return `${method} ${url.replace(/[?#].*$/s, "")}`;
}

function readSent({ method, url, requestHeaders, requestBody }: HistoryRequest) {
  return { method, url, headers: Object.entries(requestHeaders), body: requestBody };
}

export function readStatus({ status, error }: HistoryRequest): string {
  return error ?? String(status ?? "none");
}

/** Of a body that is too long, only the beginning is kept: such bodies are compared as texts. */
function compareBodies(left: string | undefined, right: string | undefined): Difference[] {
  const [one, other] = [parseBody(left), parseBody(right)];
  const isText = typeof one === "string" || typeof other === "string";
  return compareValues("Response body", isText ? left : one, isText ? right : other);
}

function parseBody(text: string | undefined): unknown {
  if (text === undefined || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function describeOutcome({ failure, state, kind, summary }: HistoryRow): string {
  if (failure !== undefined) return failure.code;
  if (state === "running") return "running";
  return kind === "table" ? summary : "succeeded";
}

function readValue({ run }: HistoryDetail): unknown {
  return run.failure === undefined || run.kind === "rows" ? (run.excerpt ?? run.value) : undefined;
}

function readLogs({ run }: HistoryDetail): string[] | undefined {
  return run.logs.length === 0
    ? undefined
    : run.logs.map(({ level, message }) => `${level}: ${message}`);
}

function compareText(
  place: string,
  name: string,
  left: string | undefined,
  right: string | undefined,
): Difference {
  const state =
    left === right
      ? "same"
      : left === undefined
        ? "extra"
        : right === undefined
          ? "missing"
          : "different";
  return { place, name, left, right, state };
}
