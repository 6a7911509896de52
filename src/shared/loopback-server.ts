import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { PackError, usageError } from "../errors.ts";

/** A server that listens. `listenOnLoopback` makes one that only this machine can reach. */
export interface LoopbackServer {
  readonly port: number;
  /** Stops listening and ends every connection, kept-alive ones too. Safe to call twice. */
  close(): Promise<void>;
}

export interface LoopbackTls {
  /** PEM. */
  key: string;
  /** PEM. */
  cert: string;
  /** Asks clients for a certificate of any issuer. The listener checks it. @default false */
  asksForCertificate?: boolean | undefined;
}

/** How long a TLS handshake may take. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Room for the longest access token, of 64 kB. Node's own limit is 16 kB. */
const MAX_HEADER_BYTES = 128 * 1024;
/**
 * How long a connection stays open between two requests. A client that is busy for longer than
 * that, Node's own 5 s for one,
 * writes its next request into a connection that has ended, and cannot know whether it was read.
 */
const KEEP_ALIVE_MS = 65_000;

/**
 * Listens on one loopback address. A port that is taken is an error: packsmith never takes another
 * one.
 * @param port 0 takes a free one
 * @param tls for https instead of http
 * @throws {PackError} PORT_IN_USE
 */
export async function listenOnLoopback(
  listener: RequestListener,
  port: number,
  host: "127.0.0.1" | "::1" = "127.0.0.1",
  tls?: LoopbackTls | undefined,
): Promise<LoopbackServer> {
  return await listenOnAddress(listener, { port, host, tls });
}

/**
 * Listens on any address of this machine. Only for servers that check who sends each request, and
 * whose requests are encrypted on their way.
 * @throws {PackError} PORT_IN_USE; USAGE_INVALID when this machine has no such address
 */
export function listenOnAddress(
  listener: RequestListener,
  { port, host, tls }: { port: number; host: string; tls: LoopbackTls | undefined },
): Promise<LoopbackServer> {
  return new Promise((resolve, reject) => {
    const server =
      tls === undefined
        ? createServer({ maxHeaderSize: MAX_HEADER_BYTES }, listener)
        : createTlsServer(
            {
              key: tls.key,
              cert: tls.cert,
              requestCert: tls.asksForCertificate === true,
              rejectUnauthorized: false,
              handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
              maxHeaderSize: MAX_HEADER_BYTES,
            },
            listener,
          );
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    // closeAllConnections does not know connections whose handshake is not finished.
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      });
    server.once("listening", () =>
      resolve({ port: (server.address() as AddressInfo).port, close }),
    );
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(listenFailure({ port, host }, error)),
    );
    server.listen(port, host);
  });
}

/** Why a server cannot listen, and what to do. */
export function listenFailure(
  place: { port: number; host: string },
  error: NodeJS.ErrnoException,
): Error {
  const { code = "" } = error;
  if (code === "EADDRINUSE") return portInUse(place, error);
  if (code === "EACCES")
    return usageError(
      `You do not have permission to open port ${place.port} on ${place.host}.`,
      "Pass a port above 1023 with --port; 0 selects a free port.",
    );
  if (!NO_ADDRESS.has(code)) return error;
  return usageError(
    `${place.host} is not an address of this machine.`,
    "Pass an address of this machine with --host; 0.0.0.0 means all addresses.",
  );
}

const NO_ADDRESS = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "ENOTFOUND", "EAI_AGAIN", "EINVAL"]);

const OTHER_PORT =
  "Stop that program, or pass another port with --port; 0 selects a free port. The port of a redirect URI must be registered.";

/** @param holder who has the port, where that is known */
export function portInUse(
  {
    port,
    host,
    holder = "another program",
    hint = OTHER_PORT,
  }: { port: number; host: string; holder?: string; hint?: string | undefined },
  cause: unknown,
): PackError<"PORT_IN_USE"> {
  return new PackError("PORT_IN_USE", `Port ${port} on ${host} is in use by ${holder}.`, {
    details: { port, host },
    hint,
    cause,
  });
}
