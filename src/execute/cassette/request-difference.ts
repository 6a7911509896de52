import type { RecordedExchange } from "./cassette-format.ts";

type RecordedRequest = RecordedExchange["request"];

/**
 * Finds the recorded request that is most similar to another one, and describes the differences.
 * @returns undefined when nothing was recorded
 */
export function nearestDifference(
  wanted: RecordedRequest,
  recorded: readonly RecordedRequest[],
): string | undefined {
  let best: { index: number; differences: string[] } | undefined;
  for (const [index, request] of recorded.entries()) {
    const differences = listDifferences(request, wanted);
    if (best === undefined || differences.length < best.differences.length)
      best = { index, differences };
  }
  if (best === undefined) return undefined;
  const shown = best.differences.slice(0, 5);
  const more = best.differences.length - shown.length;
  const what =
    shown.length === 0
      ? "is the same, but was already used"
      : `differs in ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return `request ${best.index + 1} of the recording ${what}`;
}

function listDifferences(recorded: RecordedRequest, wanted: RecordedRequest): string[] {
  const before = new URL(recorded.url);
  const after = new URL(wanted.url);
  return [
    ...difference("method", recorded.method, wanted.method),
    // A different host counts more than a few different parameters.
    ...(before.host === after.host
      ? []
      : Array.from({ length: 3 }, () => `host ${before.host} → ${after.host}`)),
    ...difference("path", before.pathname, after.pathname),
    ...valuesDifference("query", collectQuery(before), collectQuery(after)),
    ...bodyDifference(recorded, wanted),
  ];
}

function bodyDifference(recorded: RecordedRequest, wanted: RecordedRequest): string[] {
  const [before, after] = [parseJsonBody(recorded), parseJsonBody(wanted)];
  if (before !== undefined && after !== undefined)
    return valuesDifference("body", flatten(before), flatten(after));
  return difference("body", formatBody(recorded), formatBody(wanted));
}

function valuesDifference(
  part: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => difference(`${part} ${name}`, before.get(name), after.get(name)));
}

function difference(part: string, before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  return [`${part} ${shortenText(before)} → ${shortenText(after)}`];
}

function shortenText(text: string | undefined): string {
  if (text === undefined) return "(none)";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function collectQuery({ searchParams }: URL): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of searchParams)
    values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return values;
}

function parseJsonBody({ body }: RecordedRequest): unknown {
  if (typeof body !== "string" || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function flatten(value: unknown, path = "", into = new Map<string, string>()): Map<string, string> {
  if (typeof value !== "object" || value === null)
    return into.set(path || ".", JSON.stringify(value));
  for (const [name, member] of Object.entries(value))
    flatten(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, into);
  return into;
}

function formatBody({ body }: RecordedRequest): string | undefined {
  return body === undefined || typeof body === "string" ? body : `[base64] ${body.base64}`;
}
