import { mkdtempSync, rmSync } from "node:fs";
import { get, type RequestOptions } from "node:http";
import { get as getSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createSelfSignedCertificate } from "../../../src/shared/certificate/self-signed-certificate.ts";
import { startTestService } from "../support.ts";

interface Asked {
  port: string;
  host?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** Sends GET to an address of this machine. */
function ask(
  { port, host = "127.0.0.1", path = "/apis/v1/whoami", headers = {} }: Asked,
  send: typeof get = get,
): Promise<{ status: number | undefined; body: string }> {
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    host,
    port,
    path,
    headers,
    agent: false,
    rejectUnauthorized: false,
  };
  return new Promise((resolve, reject) => {
    send(options, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    }).once("error", reject);
  });
}

describe("a service for other machines", () => {
  it.each([
    { host: "0.0.0.0" },
    { host: "::" },
    { host: "10.0.0.5", publicUrl: "http://docs.service.example" },
  ])("is refused without TLS: %o", async (options) => {
    await expect(startTestService(options)).rejects.toMatchObject({
      code: "USAGE_INVALID",
      hint: expect.stringMatching(/--public-url.*--certificate/),
    });
  });

  it("is refused on an address that this machine does not have", async () => {
    const options = { publicUrl: "https://docs.service.example" };
    // An address for documentation (RFC 5737).
    await expect(startTestService({ ...options, host: "192.0.2.1" })).rejects.toMatchObject({
      code: "USAGE_INVALID",
      message: "192.0.2.1 is not an address of this machine.",
    });
  });

  // Only Linux has all of 127.0.0.0/8 without set-up.
  it.runIf(process.platform === "linux")(
    "listens on its address and on 127.0.0.1, where the control plane is",
    async () => {
      await using test = await startTestService({ host: "127.0.0.2" });
      const { port, pathname } = new URL(test.service.controlUrl);
      for (const host of ["127.0.0.1", "127.0.0.2"])
        expect((await ask({ port, host })).status).toBe(401);
      const path = `${pathname}/clock`;
      expect((await ask({ port, path })).status).toBe(200);
      expect((await ask({ port, path, host: "127.0.0.2" })).status).toBe(403);
    },
  );

  it("answers for the hosts of its certificate at any port, and links have the host of the request", async () => {
    const { certificate, privateKey } = createSelfSignedCertificate();
    await using test = await startTestService({ tls: { cert: certificate, key: privateKey } });
    const { port } = new URL(test.service.url);
    const headers = { authorization: `Bearer ${test.service.token}` };
    for (const host of ["localhost", "localhost:8443"]) {
      const asked = { port, headers: { ...headers, host } };
      const { status, body } = await ask(asked, getSecurely as typeof get);
      const { origin } = new URL(JSON.parse(body).href);
      expect([status, origin]).toEqual([200, `https://${host}`]);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.2", "a@localhost"]) {
      const asked = { port, headers: { ...headers, host } };
      expect([host, (await ask(asked, getSecurely as typeof get)).status]).toEqual([host, 421]);
    }
  });

  it("its control plane refuses what a load balancer or a web page sends", async () => {
    await using test = await startTestService();
    const { port, pathname } = new URL(test.service.controlUrl);
    const path = `${pathname}/clock`;
    expect((await ask({ port, path })).status).toBe(200);
    for (const header of [
      ...["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"],
      ...["origin", "sec-fetch-site"],
    ]) {
      const { status } = await ask({ port, path, headers: { [header]: "none" } });
      expect([header, status]).toEqual([header, 403]);
    }
  });
});

describe("a service that cannot listen", () => {
  it("leaves no timer behind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "packsmith-listen-"));
    const made = vi.spyOn(globalThis, "setInterval");
    const cleared = vi.spyOn(globalThis, "clearInterval");
    try {
      await using first = await startTestService();
      made.mockClear();
      const port = Number(new URL(first.service.url).port);
      const database = join(folder, "service.db");
      await expect(startTestService({ port, database })).rejects.toMatchObject({
        code: "PORT_IN_USE",
      });
      const timers = made.mock.results.map(({ value }) => value);
      expect(timers.length).toBeGreaterThan(0);
      expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers));
    } finally {
      made.mockRestore();
      cleared.mockRestore();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
