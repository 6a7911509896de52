import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { finished, pipeline, type Readable } from "node:stream";
import type { SecureContext } from "node:tls";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isLoopbackHost } from "../define/hosts.ts";
import { bareHost, type Lookup, resolvePublicAddresses } from "./url-policy.ts";

export interface OutgoingRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
  /**
   * Refuses private addresses, with this function to find the addresses of a host. It runs for each
   * new connection, which
   * then goes to an address that was checked: a DNS answer that changes after the check is never
   * used.
   * @default every address is allowed
   */
  publicOnly?: Lookup | undefined;
  /**
   * With the certificate for a server that asks for one in the TLS handshake. Only requests with
   * the same context share connections. @default none
   */
  clientContext?: SecureContext | undefined;
}

/** A response whose body has not been read yet, such as the platform's `Response`. */
export interface IncomingResponse {
  status: number;
  /** With lower-case names. Repeated headers are joined. */
  headers: Iterable<[name: string, value: string]>;
  /** Decompressed. */
  body: AsyncIterable<Uint8Array> | null;
}

/** How long an idle connection stays open. Servers close theirs after five seconds or more. */
const IDLE_MS = 4_000;
const CONNECTIONS = { keepAlive: true, timeout: IDLE_MS };
/** RFC 9110 §9.2.2: may be sent again when it is not known whether they arrived. */
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);
const MAX_CODINGS = 5;
const DEFAULTS = { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "packsmith" };

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

/**
 * Requests share connections only if they use the same lookup function and the same certificate.
 */
const agents = new WeakMap<object, WeakMap<object, Agents>>();
const ANY_ADDRESS = {};
const NO_CERTIFICATE = {};

/**
 * Sends one request over a connection that stays open for the next one. Does not follow redirects.
 * @throws {PackError} URL_NOT_ALLOWED for a private address; otherwise the system's error
 */
export async function sendRequest(
  address: string,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const url = new URL(address);
  const host = bareHost(url);
  // Node calls no lookup for a host that is an address, so it is checked here.
  if (request.publicOnly !== undefined && isIP(host) !== 0)
    await resolvePublicAddresses(host, request.publicOnly);
  for (;;) {
    request.signal.throwIfAborted();
    const attempt = begin(url, request);
    try {
      return toIncomingResponse(await attempt.response, request);
    } catch (error) {
      if (!attempt.wasStale() || !IDEMPOTENT.has(request.method)) throw error;
    }
  }
}

interface Attempt {
  response: Promise<http.IncomingMessage>;
  /** Whether the server probably closed the connection before the request reached it. */
  wasStale(): boolean;
}

function begin(
  url: URL,
  { method, headers, body, signal, publicOnly, clientContext }: OutgoingRequest,
): Attempt {
  const isSecure = url.protocol === "https:";
  const agent = createAgents(publicOnly, clientContext)[isSecure ? "https" : "http"];
  const outgoing = (isSecure ? https : http).request({
    method,
    agent,
    joinDuplicateHeaders: true,
    hostname: bareHost(url),
    ...(url.port === "" ? {} : { port: url.port }),
    path: url.pathname + url.search,
    headers: { ...missingDefaults(headers), ...headers, ...writeLengthHeader(body) },
    // No authority certifies the servers of this machine, and without TLS they are not
    // authenticated either.
    ...(isSecure && isLoopbackHost(url.host) ? { rejectUnauthorized: false } : {}),
  });
  const abort = (): void => void outgoing.destroy(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  outgoing.once("close", () => signal.removeEventListener("abort", abort));
  let failure: NodeJS.ErrnoException | undefined;
  const response = new Promise<http.IncomingMessage>((resolve, reject) => {
    outgoing.once("response", (message) => {
      // Node takes a body without a length for complete when its connection is reset.
      outgoing.on("error", (error) => message.destroy(error));
      resolve(message);
    });
    // An upgrade that was not requested: without a listener, the request would never end.
    outgoing.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(
        Object.assign(new Error("The server switched to another protocol."), { code: "EPROTO" }),
      );
    });
    outgoing.on("error", (error) => {
      failure = error;
      reject(error);
    });
  });
  outgoing.end(body);
  return {
    response,
    wasStale: () =>
      outgoing.reusedSocket && (failure?.code === "ECONNRESET" || failure?.code === "EPIPE"),
  };
}

function toIncomingResponse(
  response: http.IncomingMessage,
  { method, signal }: OutgoingRequest,
): IncomingResponse {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined)
      headers.push([name, typeof value === "string" ? value : value.join(", ")]);
  }
  const body = hasNoBody(response, method) ? response : decode(response);
  endWith(signal, body);
  return { status: response.statusCode ?? 0, headers, body };
}

/**
 * Ends a body with its request. The request alone does not: a body that has arrived may still be
 * decompressed for hours, and one
 * without a length looks complete when its connection ends.
 */
function endWith(signal: AbortSignal, body: Readable): void {
  const abort = (): void => void body.destroy(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  finished(body, () => signal.removeEventListener("abort", abort));
}

/** Such a response may name the coding that its body would have (RFC 9110 §8.4). */
function hasNoBody({ statusCode, headers }: http.IncomingMessage, method: string): boolean {
  return (
    method === "HEAD" ||
    statusCode === 204 ||
    statusCode === 304 ||
    headers["content-length"] === "0"
  );
}

/**
 * Removes the content codings of a body. One that ends before its coding is complete fails, so that
 * a part is never taken for the whole. A body with an unknown coding stays as it is.
 */
function decode(body: http.IncomingMessage): Readable {
  const contentEncoding = body.headers["content-encoding"] ?? "";
  if (contentEncoding === "") return body;
  const decoders = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => DECODERS.get(coding.trim()))
    .reverse();
  if (decoders.length > MAX_CODINGS || decoders.includes(undefined)) return body;
  const streams = decoders.flatMap((create) => (create === undefined ? [] : [create()]));
  // pipeline passes an error of any stream on to the last one.
  return pipeline([body, ...streams], () => undefined) as unknown as Readable;
}

// Passes on what has arrived, so that a stream of events is not held back.
const DEFLATE = { flush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH };
const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream> = new Map([
  ["gzip", () => createGunzip(DEFLATE)],
  ["x-gzip", () => createGunzip(DEFLATE)],
  ["deflate", () => createInflate(DEFLATE)],
  ["br", () => createBrotliDecompress(BROTLI)],
]);

function missingDefaults(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !given.has(name)));
}

/** Node adds no Content-Length to a DELETE with a body. */
function writeLengthHeader(body: string | Uint8Array | null): Record<string, string> {
  return body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function createAgents(
  publicOnly: Lookup | undefined,
  clientContext: SecureContext | undefined,
): Agents {
  const key = publicOnly ?? ANY_ADDRESS;
  const ofLookup = agents.get(key) ?? new WeakMap<object, Agents>();
  agents.set(key, ofLookup);
  const known = ofLookup.get(clientContext ?? NO_CERTIFICATE);
  if (known !== undefined) return known;
  const options = {
    ...CONNECTIONS,
    ...(publicOnly === undefined ? {} : { lookup: lookupOfSockets(publicOnly) }),
  };
  const secure =
    clientContext === undefined ? options : { ...options, secureContext: clientContext };
  const made = { http: new http.Agent(options), https: new https.Agent(secure) };
  ofLookup.set(clientContext ?? NO_CERTIFICATE, made);
  return made;
}

function lookupOfSockets(lookup: Lookup): LookupFunction {
  return (host, { all }, callback) => {
    resolvePublicAddresses(host, lookup).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) callback(null, found);
        else callback(null, found[0]?.address ?? "", found[0]?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, all === true ? [] : ""),
    );
  };
}
