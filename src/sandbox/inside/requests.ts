import { parseXml } from "../../shared/xml.ts";
import { encodeValue, reviveValue } from "../codec.ts";
import {
  Bytes,
  charCodeAt,
  create,
  IntrinsicError,
  IntrinsicPromise,
  IntrinsicTypeError,
  includes,
  parse,
  slice,
  stringify,
} from "../intrinsics.ts";
import {
  type BodyForm,
  type FetchFailure,
  MAX_REQUESTS,
  MAX_STATUS_MESSAGE,
  MAX_VALUE_LENGTH,
  type SandboxInput,
} from "../protocol.ts";

import { toBuffer } from "./buffer.ts";
import { fetchError, findUnsendable } from "./errors.ts";
import { send } from "./output.ts";

const pending = create(null) as Record<
  number,
  { resolve(value: unknown): void; reject(error: unknown): void }
>;
let currentRun = 0;
let lastId = 0;
let requestsOfRun = 0;

/** @param run 0 when no run is active */
export function allowRequestsFrom(run: number): void {
  currentRun = run;
  requestsOfRun = 0;
}

/** What a run can ask its host for. */
export function createServices(run: number) {
  return {
    fetcher: { fetch: (request: unknown): Promise<unknown> => ask(run, "fetch", request) },
    temporaryBlobStorage: {
      storeUrl: (url: unknown, options?: unknown, fetchOptions?: unknown): Promise<unknown> =>
        ask(run, "blob", { url, options, fetchOptions }),
      storeBlob: (bytes: unknown, contentType: unknown, options?: unknown): Promise<unknown> =>
        ask(run, "blob", { bytes, contentType, options }),
    },
  };
}

/**
 * Passes on the answer to a request.
 * @param message the text of `input`
 * @param body text of the response's body; of bytes, a character for each
 */
export function receiveAnswer(
  input: Exclude<SandboxInput, { k: "call" }>,
  message: string,
  body: string | undefined,
): void {
  const waiting = pending[input.id];
  delete pending[input.id];
  if (waiting === undefined) return;
  if (input.k === "fetchFailed") {
    const failure = reviveValue(input.failure) as FetchFailure;
    if (body !== undefined) showBody(failure, readBody(input.body, body), body);
    waiting.reject(fetchError(input.id, failure));
    return;
  }
  // An untagged response is ready after `parse`.
  const response = includes(message, '"$"')
    ? reviveValue(input.response, toBuffer)
    : input.response;
  // An own member already, so no setter of the Pack runs.
  if (body !== undefined) (response as { body: unknown }).body = readBody(input.body, body);
  waiting.resolve(response);
}

function ask(run: number, kind: "fetch" | "blob", request: unknown): Promise<unknown> {
  return new IntrinsicPromise((resolve, reject) => {
    if (run !== currentRun)
      throw new IntrinsicError("This context belongs to an invocation that has ended.");
    requestsOfRun += 1;
    if (requestsOfRun > MAX_REQUESTS)
      throw new IntrinsicError(`A formula can send at most ${MAX_REQUESTS} requests.`);
    const text = encodeRequest(request);
    lastId += 1;
    pending[lastId] = { resolve, reject };
    send(`{"k":"${kind}","run":${run},"id":${lastId},"request":${text}}`);
  });
}

function encodeRequest(request: unknown): string {
  try {
    return encodeValue(request, "request", MAX_VALUE_LENGTH);
  } catch (error) {
    const problem = findUnsendable(error);
    throw problem === undefined
      ? error
      : new IntrinsicTypeError(`${problem.path} ${problem.reason}.`);
  }
}

function readBody(form: BodyForm | undefined, text: string): unknown {
  if (form === "bytes") return toBuffer(toBytes(text));
  if (form === "text") return text;
  try {
    // The Pack may have changed what `parseXml` calls. Then it gets what it made of it.
    return form === "xml" ? (parseXml(text) ?? text) : parse(text);
  } catch {
    // It was only probably JSON.
    return text;
  }
}

/** Writes the complete body into the failure of a status, which has only its beginning. */
function showBody(failure: FetchFailure, body: unknown, text: string): void {
  const { members } = failure;
  members["body"] = body;
  members["error"] = body;
  (members["response"] as { body: unknown }).body = text;
  const message = `${members["statusCode"] as number} - ${stringify(body)}`;
  failure.message =
    message.length > MAX_STATUS_MESSAGE ? `${slice(message, 0, MAX_STATUS_MESSAGE)}…` : message;
}

function toBytes(text: string): Uint8Array {
  const bytes = new Bytes(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = charCodeAt(text, index);
  return bytes;
}
