import { createPrivateKey, X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSelfSignedCertificate } from "../../../src/shared/certificate/self-signed-certificate.ts";
import { trustingFetch } from "../../support/trusting-fetch.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

describe("createSelfSignedCertificate", () => {
  it("is a certificate of its own key for this machine's names alone, valid for two days, and no authority", () => {
    const made = createSelfSignedCertificate({ now: () => NOW });
    const certificate = new X509Certificate(made.certificate);
    expect(certificate.subject).toBe("CN=localhost");
    expect(certificate.issuer).toBe("CN=localhost");
    expect(certificate.subjectAltName).toBe(
      "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
    );
    expect([certificate.ca, certificate.keyUsage]).toEqual([false, ["1.3.6.1.5.5.7.3.1"]]);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      "Mar  1 11:00:00 2026 GMT",
      "Mar  3 11:00:00 2026 GMT",
    ]);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(made.privateKey))).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: "prime256v1" });
    expect(made.fingerprint).toBe(certificate.fingerprint256);
    expect(certificate.checkHost("attacker.example")).toBeUndefined();
    expect(certificate.checkIP("127.0.0.2")).toBeUndefined();
  });

  it("is another one in each run", () => {
    const [first, second] = [createSelfSignedCertificate(), createSelfSignedCertificate()].map(
      ({ certificate }) => new X509Certificate(certificate),
    );
    expect(first?.serialNumber).not.toBe(second?.serialNumber);
    expect(first?.fingerprint256).not.toBe(second?.fingerprint256);
  });

  it("is well-formed whatever the serial number and the day", () => {
    const serials = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const days = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2049-12-01") });
    fc.assert(
      fc.property(serials, days, (serial, nowMs) => {
        const certificate = new X509Certificate(
          createSelfSignedCertificate({ now: () => nowMs, random: () => serial }).certificate,
        );
        expect(BigInt(`0x${certificate.serialNumber}`)).toBe(
          BigInt(`0x${Buffer.from(serial).toString("hex")}`),
        );
        expect(Date.parse(certificate.validFrom)).toBe(
          Math.floor((nowMs - 3_600_000) / 1_000) * 1_000,
        );
        expect(certificate.verify(certificate.publicKey)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("opens a TLS connection to every name of this machine, for those that trust it", async () => {
    const { certificate, privateKey } = createSelfSignedCertificate();
    for (const [host, address] of [
      ["localhost", "127.0.0.1"],
      ["127.0.0.1", "127.0.0.1"],
      ["[::1]", "::1"],
    ] as const) {
      const server = createServer({ key: privateKey, cert: certificate }, (_request, response) =>
        response.end("here"),
      );
      const listening = await new Promise<boolean>((resolve) => {
        server.once("error", () => resolve(false));
        server.listen(0, address, () => resolve(true));
      });
      // A machine without IPv6 has nothing to connect to.
      if (!listening) continue;
      // Some versions of Node 22 and 24 accept no certificate for an IPv6 address
      // (nodejs/node#64144).
      const names = { subjectaltname: `IP Address:${address}` };
      const isIdentified = checkServerIdentity(address, names as PeerCertificate) === undefined;
      if (isIP(address) === 6 && !isIdentified) continue;
      const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
      try {
        expect(await (await trustingFetch(certificate)(url)).text(), host).toBe("here");
        await expect(
          trustingFetch(createSelfSignedCertificate().certificate)(url),
          host,
        ).rejects.toThrow(/self.signed|verify/i);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }
  });
});
