import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";
import { listenFailure, listenOnLoopback } from "../../src/shared/loopback-server.ts";
import { trustingFetch } from "../support/trusting-fetch.ts";

describe("listenOnLoopback", () => {
  // docs/rules.md: rule 1
  it("is reachable on loopback, and not under the machine's other addresses", async () => {
    const server = await listenOnLoopback((_request, response) => response.end("here"), 0);
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("here");
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal);
    if (outside !== undefined)
      await expect(fetch(`http://${outside.address}:${server.port}/`)).rejects.toThrow();
    await server.close();
  });

  // docs/rules.md: rule 2
  it("names a port that is taken in its error", async () => {
    const first = await listenOnLoopback(() => {}, 0);
    await expect(listenOnLoopback(() => {}, first.port)).rejects.toMatchObject({
      code: "PORT_IN_USE",
      details: { port: first.port },
      message: expect.stringContaining(String(first.port)),
    });
    await first.close();
  });

  it("says which port needs more rights", () => {
    const error = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    expect(listenFailure({ port: 443, host: "127.0.0.1" }, error)).toMatchObject({
      code: "USAGE_INVALID",
      message: "You do not have permission to open port 443 on 127.0.0.1.",
      hint: expect.stringContaining("--port"),
    });
  });

  // docs/rules.md: rule 5
  it("ends connections that never finished their TLS handshake when it closes", async () => {
    const { certificate, privateKey } = createSelfSignedCertificate();
    const server = await listenOnLoopback(() => {}, 0, "127.0.0.1", {
      key: privateKey,
      cert: certificate,
    });
    const silent = connect({ host: "127.0.0.1", port: server.port });
    await once(silent, "connect");
    const ended = once(silent, "close");
    silent.on("error", () => {});
    await server.close();
    await ended;
  });

  it("answers plain http on a TLS port with the end of the connection, not with silence", async () => {
    const { certificate, privateKey } = createSelfSignedCertificate();
    const server = await listenOnLoopback(
      (_request, response) => response.end("here"),
      0,
      "127.0.0.1",
      {
        key: privateKey,
        cert: certificate,
      },
    );
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
    expect(
      await (await trustingFetch(certificate)(`https://127.0.0.1:${server.port}/`)).text(),
    ).toBe("here");
    await server.close();
  });

  it("keeps a connection open for longer than a client is busy between two requests", async () => {
    const server = await listenOnLoopback((_request, response) => response.end("here"), 0);
    const { headers } = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(headers.get("keep-alive")).toBe("timeout=65");
    await server.close();
  });

  // docs/rules.md: rule 5
  it("ends open connections when it closes, and closes twice without harm", async () => {
    let arrived = () => {};
    const request = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await listenOnLoopback(() => arrived(), 0);
    const hanging = expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
    await request;
    await server.close();
    await hanging;
    await server.close();
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  });
});
