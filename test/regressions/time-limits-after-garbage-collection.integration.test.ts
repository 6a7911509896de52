import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { fetchTransport } from "../../src/service/client/fetch-transport.ts";
import { limitedSignal } from "../../src/shared/time.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Node 20 collected a limit that only AbortSignal.any referred to: a server that hung, hung the
 * command.
 */
describe("a time limit next to another signal", () => {
  it("still ends the wait after garbage was collected", async () => {
    const limited = limitedSignal(100, new AbortController().signal);
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    if (!limited.aborted) await once(limited, "abort");
    expect(limited.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("ends a request to a server that does not answer, after garbage was collected", async () => {
    const server = createServer(collectGarbage);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { signal } = new AbortController();
    const transport = fetchTransport({ token: "synthetic-token", timeoutMs: 300, attempts: 1 });
    const request = {
      operation: "whoami",
      method: "GET",
      url,
      body: undefined,
      group: "read",
      repeatable: true,
      signal,
    } as const;
    await expect(transport.send(request)).rejects.toMatchObject({ name: "ConnectionError" });
    server.closeAllConnections();
    server.close();
  });
});
