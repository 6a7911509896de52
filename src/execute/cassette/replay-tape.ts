import { PackError } from "../../errors.ts";
import type { Tape, TapedResponse } from "../../oauth/tape.ts";
import { bytesOfBody, type Cassette, type RecordedExchange } from "./cassette-format.ts";
import { normalizeRequest, requestKey } from "./normalize-request.ts";
import { nearestDifference } from "./request-difference.ts";
import { createSecretPlaceholders, fillPlaceholders } from "./secret-placeholders.ts";

export interface ReplayTape extends Tape {
  /**
   * Ends a strict replay.
   * @throws {PackError} CASSETTE_UNMATCHED when a request was refused, even if the Pack caught the
   *   error
   * @throws {PackError} CASSETTE_UNUSED when a recorded request was not sent
   */
  finish(): void;
}

export interface ReplayOptions {
  /**
   * Every recorded request must be sent exactly once. @default a request may be repeated or omitted
   */
  isStrict?: boolean | undefined;
  /** For messages. */
  path: string;
  now?: (() => number) | undefined;
}

/** Creates a tape that answers every request from a recording. It never opens a socket. */
export function createReplayTape(
  cassette: Cassette,
  { isStrict = false, path, now = Date.now }: ReplayOptions,
): ReplayTape {
  const secrets = createSecretPlaceholders();
  const waiting = new Map<string, number[]>();
  for (const [index, { request }] of cassette.exchanges.entries()) {
    const key = requestKey(request);
    waiting.set(key, [...(waiting.get(key) ?? []), index]);
  }
  const lastUsed = new Map<string, number>();
  const unused = new Set(cassette.exchanges.keys());
  let unmatched: PackError | undefined;

  return {
    isReplay: true,
    async exchange(request) {
      const wanted = normalizeRequest(request, { secrets, nowMs: now() });
      const key = requestKey(wanted);
      const index = waiting.get(key)?.shift() ?? (isStrict ? undefined : lastUsed.get(key));
      const exchange = index === undefined ? undefined : cassette.exchanges[index];
      if (index === undefined || exchange === undefined) {
        const error = notRecorded(path, wanted, cassette);
        unmatched ??= error;
        throw error;
      }
      lastUsed.set(key, index);
      unused.delete(index);
      return replayAnswer(exchange);
    },
    finish() {
      if (!isStrict) return;
      if (unmatched !== undefined) throw unmatched;
      if (unused.size === 0) return;
      const requests = [...unused].map((index) => describe(cassette.exchanges[index]?.request));
      const first = requests.slice(0, 3).join(", ");
      const more = requests.length > 3 ? ` and ${requests.length - 3} more` : "";
      throw new PackError(
        "CASSETTE_UNUSED",
        `The run did not send ${requests.length} of the recorded requests: ${first}${more}.`,
        {
          details: { path, requests },
          hint: "Record the run again, or replay it without the option strict.",
        },
      );
    },
  };
}

function replayAnswer({ request, response, failure }: RecordedExchange): TapedResponse {
  if (response === undefined) throw createFailure(request.url, failure);
  const { status, headers, body } = response;
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, fillPlaceholders(value)]),
    ),
    bytes: bytesOfBody(typeof body === "string" ? fillPlaceholders(body) : body),
  };
}

function createFailure(url: string, failure: RecordedExchange["failure"]): PackError {
  const { host } = new URL(url);
  const options = {
    hint: "The cassette contains this failure. Record the run again when the server is reachable.",
  };
  const message = failure?.message ?? `${host} could not be reached.`;
  switch (failure?.code) {
    case "FETCH_TIMEOUT":
      return new PackError("FETCH_TIMEOUT", message, {
        ...options,
        details: { host, limitMs: 30_000 },
      });
    case "FETCH_TOO_LARGE":
      return new PackError("FETCH_TOO_LARGE", message, {
        ...options,
        details: { host, limitBytes: 25 * 1024 * 1024 },
      });
    default:
      return new PackError("FETCH_FAILED", message, { ...options, details: { host } });
  }
}

function notRecorded(
  path: string,
  wanted: RecordedExchange["request"],
  cassette: Cassette,
): PackError<"CASSETTE_UNMATCHED"> {
  const nearest = nearestDifference(
    wanted,
    cassette.exchanges.map(({ request }) => request),
  );
  return new PackError(
    "CASSETTE_UNMATCHED",
    `The cassette ${path} has no response for ${describe(wanted)}: ${nearest ?? "the recording is empty"}.`,
    {
      details: { path, method: wanted.method, url: wanted.url },
      hint: "Record the run again, or run the formula with the recorded arguments.",
    },
  );
}

function describe(request: RecordedExchange["request"] | undefined): string {
  const url = request?.url ?? "";
  return `${request?.method} ${url.length > 300 ? `${url.slice(0, 300)}…` : url}`;
}
