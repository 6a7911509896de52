import { PackError } from "../../errors.ts";
import { createConcurrencyLimit } from "../../shared/concurrency.ts";
import { encodeValue } from "../codec.ts";
import type { FetchFailure, RawBody } from "../protocol.ts";
import { type BodyRoom, createBodyBudget } from "./body-budget.ts";
import type { SandboxChannel } from "./sandbox-channel.ts";

export type HostFetchResult = (
  | { ok: true; response: unknown }
  | {
      ok: false;
      failure: FetchFailure;
      /** The error of the run when the Pack does not catch the failure. */
      error: PackError;
    }
) & {
  /** Replaces the body of the response, or of the failure, in the sandbox. */
  body?: RawBody | undefined;
};

type Ask = (growBody: BodyRoom["grow"]) => Promise<HostFetchResult>;

/** The requests of one run. */
export interface RunRequests {
  /** The errors of the last failed requests, by the id of the request. */
  readonly errors: ReadonlyMap<number, PackError>;
  /** Sends the result of a request to the sandbox. Never throws. */
  answer(id: number, request: unknown, ask: Ask): void;
  /** Drops the requests that are still waiting, and all results. */
  end(): void;
}

const MAX_OPEN_REQUESTS = 16;
/** The oldest body may need 25 MiB more. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/**
 * In the requests that wait because others are open: without a limit a Pack could fill the memory
 * of this process.
 */
const MAX_WAITING_CHARACTERS = 128 * 1024 * 1024;
/** An error has the beginning of a body. Older errors are described by what the Pack threw. */
const MAX_ERRORS = 100;

export function createRunRequests({ post }: Pick<SandboxChannel, "post">): RunRequests {
  const errors = new Map<number, PackError>();
  // A request is open until the sandbox has taken its response: code that loops takes none.
  const limit = createConcurrencyLimit(MAX_OPEN_REQUESTS);
  const bodies = createBodyBudget(MAX_BODY_BYTES);
  let waitingCharacters = 0;
  let isOver = false;

  return {
    errors,
    answer: (id, request, ask) => void answer(id, countCharacters(request), ask),
    end() {
      isOver = true;
    },
  };

  async function answer(id: number, length: number, ask: Ask): Promise<void> {
    if (waitingCharacters + length > MAX_WAITING_CHARACTERS)
      return await send(id, createWaitingFailure());
    waitingCharacters += length;
    await limit(async () => {
      waitingCharacters -= length;
      if (isOver) return;
      const room = bodies.open();
      try {
        const result = await (async () => await ask(room.grow))().catch(createUnexpectedFailure);
        if (!isOver)
          await send(id, result).catch((error: unknown) =>
            send(id, createUnreadableFailure(error)),
          );
      } finally {
        room.leave();
      }
    });
  }

  function keepError(id: number, error: PackError): void {
    errors.set(id, error);
    const [oldest] = errors.keys();
    if (errors.size > MAX_ERRORS && oldest !== undefined) errors.delete(oldest);
  }

  async function send(id: number, result: HostFetchResult): Promise<void> {
    const [kind, member, value] = result.ok
      ? ["fetched", "response", result.response]
      : ["fetchFailed", "failure", result.failure];
    const text = encodeValue(value, "response", Number.POSITIVE_INFINITY);
    if (!result.ok) keepError(id, result.error);
    const { body } = result;
    const form = body === undefined ? "" : `,"body":"${body.form}"`;
    await post(`{"k":"${kind}","id":${id},"${member}":${text}${form}}`, body);
  }
}

/** The result of a blob in a run that stores none. */
export function refuseBlob(): Promise<HostFetchResult> {
  const message = "This run has no temporary blob storage.";
  const error = new PackError("BLOB_REFUSED", message, {
    details: { reason: "this run has no blob storage" },
    hint: "Run the formula with packsmith execute or packsmith dev.",
  });
  return Promise.resolve(toFailure(error));
}

/** The characters of all texts in a value that JSON made. */
function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + countCharacters(member),
    0,
  );
}

function createUnexpectedFailure(cause: unknown): HostFetchResult {
  return {
    ok: false,
    failure: { name: "Error", message: "The request failed.", members: {} },
    error: new PackError("INTERNAL", "The fetcher failed unexpectedly.", {
      details: undefined,
      cause,
    }),
  };
}

function createWaitingFailure(): HostFetchResult {
  const message = `Requests with more than ${MAX_WAITING_CHARACTERS / 1024 / 1024} MB of data are waiting.`;
  const hint = "Await some requests before you send more requests.";
  return toFailure(new PackError("FETCH_FAILED", message, { details: { host: "" }, hint }));
}

function createUnreadableFailure(cause: unknown): HostFetchResult {
  const reason =
    typeof cause === "object" && cause !== null && "reason" in cause
      ? String(cause.reason)
      : "cannot be read";
  const message = `The response ${reason}, so it cannot be passed to the Pack.`;
  return toFailure(
    new PackError("FETCH_FAILED", message, {
      details: { host: "" },
      hint: "Request less data from the server.",
    }),
  );
}

function toFailure(error: PackError): HostFetchResult {
  const { message, code } = error;
  return { ok: false, failure: { name: "Error", message, members: { code } }, error };
}
