import { isPackError } from "../../errors.ts";
import type { Tape, TapedRequest, TapedResponse } from "../../oauth/tape.ts";
import type { Redactor } from "../../shared/redact.ts";
import { decodeText } from "../fetch/fetch-response.ts";
import {
  type Cassette,
  type RecordedBody,
  type RecordedExchange,
  recordBody,
} from "./cassette-format.ts";
import { normalizeRequest } from "./normalize-request.ts";
import { createSecretPlaceholders } from "./secret-placeholders.ts";

export interface RecordingTape extends Tape {
  /** The recording so far. */
  cassette(target: string, accounts: Cassette["accounts"]): Cassette;
  readonly secretCount: number;
}

/**
 * Response headers that change every time and do not matter to a Pack, or that describe the
 * transfer.
 */
const DROPPED_HEADERS = new Set([
  ...["connection", "keep-alive", "transfer-encoding", "content-encoding", "content-length"],
  ...[
    "date",
    "age",
    "server",
    "via",
    "set-cookie",
    "report-to",
    "nel",
    "alt-svc",
    "strict-transport-security",
  ],
]);

/** Creates a tape that sends every request and records it, in the order of sending. */
export function createRecordingTape({
  redactor,
  now = Date.now,
}: {
  redactor: Redactor;
  now?: (() => number) | undefined;
}): RecordingTape {
  const secrets = createSecretPlaceholders();
  const exchanges: RecordedExchange[] = [];

  return {
    isReplay: false,
    async exchange(request, live) {
      const { purpose } = request;
      const exchange: RecordedExchange = {
        purpose,
        request: normalizeRequest(request, { secrets, nowMs: now() }),
      };
      // Before the answer, so that concurrent requests stay in order.
      exchanges.push(exchange);
      try {
        const response = await live();
        exchange.response = recordResponse(request, response);
        return response;
      } catch (error) {
        exchange.failure = {
          code: isPackError(error) ? error.code : "FETCH_FAILED",
          message: error instanceof Error ? error.message : "The request failed.",
        };
        throw error;
      }
    },
    cassette: (target, accounts) => ({
      packsmithCassette: 1,
      target,
      accounts,
      exchanges: exchanges.map((exchange) => clean(exchange)),
    }),
    get secretCount() {
      return secrets.count;
    },
  };

  function recordResponse(
    { purpose }: TapedRequest,
    { status, headers, bytes }: TapedResponse,
  ): NonNullable<RecordedExchange["response"]> {
    const recorded = recordBody(bytes);
    if (recorded !== undefined)
      secrets.learnFrom(decodeText(bytes, headers["content-type"]), purpose === "token");
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !DROPPED_HEADERS.has(name)),
      ),
      ...(recorded === undefined ? {} : { body: recorded }),
    };
  }

  /**
   * Called at the end, when every secret is known: a request may hold a secret before a response
   * names it.
   */
  function clean({ purpose, request, response, failure }: RecordedExchange): RecordedExchange {
    const hideSecrets = (text: string): string => redactor.text(secrets.hide(text));
    const body = (recorded: RecordedBody | undefined) =>
      recorded === undefined
        ? {}
        : {
            body:
              typeof recorded === "string"
                ? hideSecrets(recorded)
                : hideInBytes(recorded, hideSecrets),
          };
    return {
      purpose,
      request: { method: request.method, url: hideSecrets(request.url), ...body(request.body) },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [
                  name,
                  latin1(hideSecrets(value)),
                ]),
              ),
              ...body(response.body),
            },
          }),
      ...(failure === undefined
        ? {}
        : { failure: { code: failure.code, message: hideSecrets(failure.message) } }),
    };
  }
}

/** Such as a text in UTF-16. In latin1 each byte is one character. */
function hideInBytes(body: { base64: string }, hide: (text: string) => string): RecordedBody {
  const text = Buffer.from(body.base64, "base64").toString("latin1");
  const shown = hide(text).replace(/[^\0-\xff]/g, "*");
  return shown === text ? body : { base64: Buffer.from(shown, "latin1").toString("base64") };
}

/** The redactor's mask is not allowed in a header. */
function latin1(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "*");
}
