import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findPortHolder } from "../../src/shared/port-holder.ts";

describe("the holder of a port", () => {
  it.runIf(process.platform === "linux")("is found by its socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await findPortHolder(port, { env: process.env })).toEqual({ pid: process.pid, name: expect.stringMatching(/./) });
    await new Promise((resolve) => server.close(resolve));
    expect(await findPortHolder(port, { env: process.env })).toBeUndefined();
  });

  it("is unknown where the system does not tell", async () => {
    expect(await findPortHolder(1, { env: process.env, platform: "win32" })).toBeUndefined();
  });
});
