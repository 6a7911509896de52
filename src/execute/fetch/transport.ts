import type { SecureContext } from "node:tls";
import { isLoopbackHost } from "../../define/hosts.ts";
import { isPackError, PackError } from "../../errors.ts";
import { certificateRefusal } from "../../oauth/client-certificate.ts";
import { applyRoutes, isRouted, NO_ROUTES, type Routes } from "../../oauth/routes.ts";
import { sendOut, sendThrough } from "../../oauth/send-out.ts";
import type { OutgoingRequest } from "../../oauth/send-request.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import { type Lookup, systemLookup } from "../../oauth/url-policy.ts";
import { networkCode, networkReason } from "../../shared/failures.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import type { CredentialedRequest } from "./credentials.ts";

export interface TransportOptions {
  routes?: Routes | undefined;
  /** Sends the requests instead of this machine's own connections. */
  fetch?: typeof fetch | undefined;
  lookup?: Lookup | undefined;
  maxBytes: number;
  /** For the message of a timeout. */
  timeoutMs: number;
  /**
   * Whether what has arrived of a body is all that is needed. The rest is not read. @default bodies
   * are read to their end
   */
  endsAt?: ((headers: Readonly<Record<string, string>>, text: string) => boolean) | undefined;
}

/** Receives a response while it arrives. */
export interface ResponseListener {
  start(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: Uint8Array): void;
  /** When it is aborted, what has arrived is the response. */
  end: AbortSignal | undefined;
}

export interface BodyWatch {
  listener?: ResponseListener | undefined;
  /** Awaited before more bytes are read into memory. The server waits, too. */
  growBody?: ((bytes: number) => Promise<void>) | undefined;
}

/** Sends one request unchanged and reads its complete response into a new buffer. */
export type Transport = (
  request: CredentialedRequest & { method: string },
  signal: AbortSignal,
  onBytes: (count: number) => void,
  clientContext?: SecureContext | undefined,
  watch?: BodyWatch,
) => Promise<TapedResponse & { bytes: Buffer }>;

/**
 * Creates the connection to the network: it applies routes, refuses private addresses and counts
 * bytes while they arrive.
 * The transport throws FETCH_HOST_REFUSED, FETCH_FAILED, FETCH_TIMEOUT, FETCH_TOO_LARGE.
 */
export function createTransport({
  routes = NO_ROUTES,
  lookup = systemLookup,
  maxBytes,
  timeoutMs,
  endsAt,
  fetch: replacement,
}: TransportOptions): Transport {
  const send =
    replacement === undefined
      ? sendOut
      : (url: string, request: OutgoingRequest) => sendThrough(replacement, url, request);
  return async ({ method, url, headers, body }, signal, onBytes, clientContext, watch = {}) => {
    const { listener } = watch;
    const { host, origin } = new URL(url);
    const mayBeLocal = isRouted(url, routes);
    // Every port of this machine is a program that trusts its user: declaring the host in the Pack
    // is not enough.
    if (isLoopbackHost(host) && !mayBeLocal && replacement === undefined)
      throw localRefused(host, origin);
    try {
      const publicOnly = mayBeLocal ? undefined : lookup;
      const request = { method, headers, body: body ?? null, signal, publicOnly, clientContext };
      const response = await send(applyRoutes(url, routes), request);
      const answerHeaders = Object.fromEntries(response.headers);
      const isEnd =
        endsAt === undefined ? undefined : (text: string) => endsAt(answerHeaders, text);
      listener?.start(response.status, answerHeaders);
      const onChunk = (chunk: Uint8Array, count: number): void => {
        onBytes(count);
        listener?.write(chunk);
      };
      const arriving = endWith(response.body ?? [], listener?.end);
      const { growBody } = watch;
      const chunks = growBody === undefined ? arriving : slowDown(arriving, growBody, signal);
      const bytes = await readBytes(chunks, host, maxBytes, onChunk, isEnd);
      return { status: response.status, headers: answerHeaders, bytes };
    } catch (error) {
      throw networkFailure(error, host, timeoutMs, signal, clientContext !== undefined);
    }
  };
}

function localRefused(host: string, origin: string): PackError<"FETCH_HOST_REFUSED"> {
  return new PackError(
    "FETCH_HOST_REFUSED",
    `The Pack is not allowed to send requests to ${host}, because this host is a program on this machine.`,
    {
      details: { host, allowed: [] },
      hint: `If the Pack is allowed to use this server, pass --route ${origin}.`,
    },
  );
}

/** The chunks until the signal; the request is aborted by it, too, which is no failure here. */
async function* endWith(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  end: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    if (end?.aborted !== true) throw error;
  }
}

/** The chunks, each when there is room for it, until the signal. */
async function* slowDown(
  body: AsyncIterable<Uint8Array>,
  grow: (bytes: number) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let abort = (_: unknown): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = reject;
  });
  aborted.catch(() => undefined);
  const onAbort = (): void => abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const chunk of body) {
      await Promise.race([grow(chunk.byteLength), aborted]);
      yield chunk;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function readBytes(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  host: string,
  maxBytes: number,
  onChunk: (chunk: Uint8Array, count: number) => void,
  isEnd: ((text: string) => boolean) | undefined,
): Promise<Buffer> {
  const buffer = createBodyBuffer(maxBytes);
  let count = 0;
  for await (const chunk of body) {
    count += chunk.byteLength;
    onChunk(chunk, count);
    if (count > maxBytes) {
      throw new PackError(
        "FETCH_TOO_LARGE",
        `The response from ${host} is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`,
        {
          details: { host, limitBytes: maxBytes },
          hint: "Request less data: one page, fewer fields, or filtered rows.",
        },
      );
    }
    buffer.add(chunk);
    // Leaving the loop ends the connection.
    if (isEnd?.(buffer.read().toString("utf8")) === true) break;
  }
  return buffer.read();
}

function networkFailure(
  error: unknown,
  host: string,
  limitMs: number,
  signal: AbortSignal,
  showsCertificate: boolean,
): PackError {
  if (isPackError(error, "URL_NOT_ALLOWED")) {
    return new PackError(
      "FETCH_HOST_REFUSED",
      `${host} resolves to an address in a private network.`,
      {
        details: { host, allowed: [] },
        hint: "Send requests only to public hosts. For a server on this machine, pass --route.",
        cause: error,
      },
    );
  }
  if (isPackError(error)) return error as PackError;
  if (signal.aborted) {
    return new PackError("FETCH_TIMEOUT", `${host} did not answer within ${limitMs / 1000} s.`, {
      details: { host, limitMs },
      hint: "Try again, or request less data.",
      cause: error,
    });
  }
  const refusal = certificateRefusal(error, host, showsCertificate);
  if (refusal !== undefined) return refusal;
  const reason = networkReason(error);
  const text = reason === undefined ? "" : `: ${reason}`;
  return new PackError("FETCH_FAILED", `${host} could not be reached${text}.`, {
    details: { host },
    hint:
      networkCode(error) === "ENOTFOUND"
        ? `Check the host name. If the server runs on this machine, pass --route https://${host}=http://127.0.0.1:PORT.`
        : "Check the address, and check that the server is running.",
    cause: error,
  });
}
