import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/publish/registry/registry-client.ts";
import { instantTimer } from "./registry.ts";

async function startServer(answer: RequestListener, hungMs?: number) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const registry = registryAddress(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    {},
    undefined,
  );
  return {
    client: createRegistryClient({
      registry,
      token: "synthetic-token",
      timer: instantTimer,
      hungMs,
    }),
    requests: () => requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const path = { packId: "1" };
const CALLS: ((client: RegistryClient) => Promise<unknown>)[] = [
  (client) => client.whoami(),
  (client) => client.call("listPackVersions", { path }),
  (client) => client.call("getNextPackVersion", { path, body: { proposedMetadata: "{}" } }),
  (client) =>
    client.call("registerPackVersion", {
      path: { ...path, packVersion: "1.0.0" },
      body: { bundleHash: "" },
    }),
];

it.each(["<html>Log in</html>", "{}", "[]", "null", '{ "items": {} }'])(
  "an answer of 200 that is no registry's is one clear error: %s",
  async (text) => {
    await using server = await startServer(
      (_, response) => void response.setHeader("connection", "close").end(text),
    );
    for (const call of CALLS) {
      await expect(call(server.client)).rejects.toMatchObject({
        code: "REGISTRY_FAILED",
        message: expect.stringContaining("is not a valid registry response"),
        hint: expect.stringContaining("Check the address"),
      });
    }
  },
);

it("a redirect gets no token, is not repeated, and says what to do", async () => {
  await using server = await startServer(
    (_, response) =>
      void response.writeHead(302, { location: "/login", connection: "close" }).end(),
  );
  await expect(server.client.whoami()).rejects.toMatchObject({
    code: "REGISTRY_UNREACHABLE",
    message: expect.stringContaining(
      "redirects to another address, and packsmith does not send the token there",
    ),
    hint: expect.stringContaining("--registry"),
  });
  expect(server.requests()).toBe(1);
});

it("a registry that never answers is asked once, and left after the time limit", async () => {
  await using server = await startServer(() => {}, 100);
  await expect(server.client.whoami()).rejects.toMatchObject({
    code: "REGISTRY_UNREACHABLE",
    message: expect.stringContaining("did not answer"),
  });
  expect(server.requests()).toBe(1);
});

it.each(["127.0.0.1", "localhost"])(
  "a registry on %s that is not there is reported soon",
  async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const waits: number[] = [];
    const client = createRegistryClient({
      registry: registryAddress(origin, {}, undefined),
      token: "synthetic-token",
      timer: { now: () => Date.now(), sleep: async (ms) => void waits.push(ms) },
    });
    const target = { uploadUrl: `${origin}/upload`, headers: {} };
    const calls = [() => client.whoami(), () => client.put(target, Buffer.from("bytes"))];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: "REGISTRY_UNREACHABLE",
        message: expect.stringContaining("did not answer: the connection was refused."),
      });
    expect(waits).toHaveLength(6);
    expect(Math.max(...waits)).toBeLessThanOrEqual(500);
  },
);
