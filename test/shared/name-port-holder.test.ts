import { expect, it } from "vitest";
import { listenOnLoopback } from "../../src/shared/loopback-server.ts";
import { runCli } from "../support/cli.ts";

it.skipIf(process.platform !== "linux")("a port that is taken is an error that names the program that has it", async () => {
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
});
