import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** The first line of each request. */
  readonly requests: string[];
}

/**
 * A server that writes bytes: what no HTTP library would send. It closes the connection when
 * `answer` has returned, except if that says that it stays open.
 */
export async function startRawServer(
  answer: (socket: Socket, firstLine: string) => unknown,
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let received = Buffer.alloc(0);
    let isAnswered = false;
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (isAnswered || end < 0) return;
      const head = received.subarray(0, end).toString("latin1");
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      isAnswered = true;
      const [firstLine = ""] = head.split("\r\n", 1);
      requests.push(firstLine);
      if (answer(socket, firstLine) !== "open") socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
