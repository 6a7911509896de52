import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { PackError } from "./errors.ts";

/** A server that only this machine can reach. */
export interface LoopbackServer {
  readonly port: number;
  /** Stops listening and ends every connection, kept-alive ones too. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Listens on one loopback address (rule 1). A port that is taken is an error, never another port (rule 2).
 * @param port 0 takes a free one
 * @throws {PackError} PORT_IN_USE
 */
export function listenOnLoopback(
  listener: RequestListener,
  port: number,
  host: "127.0.0.1" | "::1" = "127.0.0.1",
): Promise<LoopbackServer> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener);
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    server.once("listening", () => resolve({ port: (server.address() as AddressInfo).port, close }));
    server.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "EADDRINUSE" ? portInUse(port, host, error) : error));
    server.listen(port, host);
  });
}

function portInUse(port: number, host: string, cause: unknown): PackError<"PORT_IN_USE"> {
  return new PackError("PORT_IN_USE", `Port ${port} on ${host} is in use by another program.`, {
    details: { port },
    hint: "Stop that program, or pass another port with --port; 0 takes a free one. The port of a redirect URI has to be registered.",
    cause,
  });
}
