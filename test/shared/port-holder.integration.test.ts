import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../src/shared/loopback-server.ts";
import { findPortHolder } from "../../src/shared/port-holder.ts";
import { runCli } from "../support/cli-in-process.ts";

describe("the holder of a port", () => {
  it.runIf(process.platform === "linux")("is found by its socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await findPortHolder(port, { env: process.env })).toEqual({
      pid: process.pid,
      name: expect.stringMatching(/./),
    });
    await new Promise((resolve) => server.close(resolve));
    expect(await findPortHolder(port, { env: process.env })).toBeUndefined();
  });

  it("is unknown where the system does not tell", async () => {
    expect(await findPortHolder(1, { env: process.env, platform: "win32" })).toBeUndefined();
  });
});

it.skipIf(process.platform !== "linux")(
  "a port that is taken is an error that names the program that has it",
  async () => {
    const server = await listenOnLoopback(() => {}, 0);
    try {
      const { code, json } = await runCli(["provider", "--port", String(server.port), "--json"]);
      expect({ code, document: json() }).toMatchObject({
        code: 11,
        document: {
          error: {
            code: "PORT_IN_USE",
            message: expect.stringContaining(`(process ${process.pid}).`),
            hint: expect.stringContaining("--port"),
          },
        },
      });
    } finally {
      await server.close();
    }
  },
);
