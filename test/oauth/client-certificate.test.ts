import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPackError } from "../../src/errors.ts";
import { certificateRefusal, readClientCertificate } from "../../src/oauth/client-certificate.ts";
import { listClientSecrets } from "../../src/oauth/client-key.ts";
import { unreachableError } from "../../src/oauth/token-failure.ts";
import { makeClientCertificate } from "../support/client-certificates.ts";

const NOW = Date.UTC(2030, 4, 1);
const own = makeClientCertificate(() => NOW);
const other = makeClientCertificate(() => NOW);
const DAY_MS = 86_400_000;

describe("readClientCertificate", () => {
  it.each([
    ["the certificate first", `${own.certificate}${own.privateKey}`],
    ["the key first", `${own.privateKey}${own.certificate}`],
    ["Windows line breaks", own.both.replaceAll("\n", "\r\n")],
    ["line breaks written as \\n, as in an environment variable", own.both.replaceAll("\n", "\\n")],
    [
      "text around the blocks, as openssl writes it",
      `Bag Attributes\n    localKeyID: 01\n${own.certificate}Key:\n${own.privateKey}end`,
    ],
  ])("reads certificate and key: %s", (_, text) => {
    const read = readClientCertificate(text, NOW);
    expect([read.certificate.trim(), read.privateKey.trim()]).toEqual([
      own.certificate.trim(),
      own.privateKey.trim(),
    ]);
  });

  it("keeps the certificates of the issuers behind the client's, in their order", () => {
    const { certificate } = readClientCertificate(
      `${own.certificate}${other.certificate}${own.privateKey}`,
      NOW,
    );
    expect(certificate.replaceAll("\n", "")).toBe(
      `${own.certificate}${other.certificate}`.replaceAll("\n", ""),
    );
  });

  const encrypted = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "word",
  });
  const damaged = (pem: string) => pem.replace(/\n.{20}/, "\nAAAAAAAAAAAAAAAAAAAA");
  it.each([
    ["nothing", "", "client.pem contains no certificate in PEM"],
    ["DER", "0\u0082\u0001", "client.pem contains no certificate in PEM"],
    ["no key", own.certificate, "client.key contains no private key in PEM"],
    ["two keys", `${own.both}${other.privateKey}`, "client.key contains 2 private keys"],
    [
      "a key with a passphrase",
      `${own.certificate}${encrypted.toString()}`,
      "client.key is protected by a passphrase",
    ],
    [
      "a damaged certificate",
      `${damaged(own.certificate)}${own.privateKey}`,
      "client.pem cannot be read",
    ],
    ["a damaged key", `${own.certificate}${damaged(own.privateKey)}`, "client.key cannot be read"],
    [
      "a key that does not fit",
      `${own.certificate}${other.privateKey}`,
      "client.key does not belong to client.pem",
    ],
    [
      "the issuer's certificate first",
      `${other.certificate}${own.certificate}${own.privateKey}`,
      "client.key does not belong to client.pem",
    ],
  ])("refuses %s, names the file and quotes nothing", (_, text, reason) => {
    const error = catchFailure(() =>
      readClientCertificate(text, NOW, { certificate: "client.pem", key: "client.key" }),
    );
    expect(error).toMatchObject({
      code: "OAUTH_CERTIFICATE_INVALID",
      message: expect.stringContaining(reason),
      hint: expect.stringMatching(/\S/),
    });
    for (const line of [...own.lines, ...other.lines])
      expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain(line);
  });

  it("refuses one that has expired, and one that is not valid yet, by the given clock only", () => {
    const expired = catchFailure(() => readClientCertificate(own.both, NOW + 30 * DAY_MS));
    expect(expired).toMatchObject({ details: { reason: "the certificate expired on 2030-05-02" } });
    const early = catchFailure(() => readClientCertificate(own.both, NOW - 30 * DAY_MS));
    expect(early).toMatchObject({
      details: { reason: "the certificate is valid only from 2030-04-30" },
    });
    expect(readClientCertificate(own.both).privateKey).toContain("PRIVATE KEY");
  });

  it("answers any text with a result or its own error (property)", () => {
    const pieces = fc.constantFrom(
      own.certificate,
      own.privateKey,
      "-----BEGIN CERTIFICATE-----",
      "-----END PRIVATE KEY-----",
      "\n",
      "\\n",
      "AAAA",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }), (parts) => {
        try {
          readClientCertificate(parts.join(""), NOW);
        } catch (error) {
          if (!isPackError(error, "OAUTH_CERTIFICATE_INVALID")) throw error;
        }
      }),
    );
  });
});

describe("what must never be shown", () => {
  it("has every line of certificate and key, with and without line breaks, and no line around them", () => {
    const hidden = listClientSecrets(
      `Bag Attributes\n    friendlyName: client of tasks\n${own.both.replaceAll("\n", "\r\n")}`,
    );
    const bodies = [own.certificate, own.privateKey].map((pem) =>
      pem
        .split("\n")
        .filter((line) => line.length >= 16 && !line.startsWith("-"))
        .join(""),
    );
    expect(hidden.slice(1)).toEqual([...bodies, ...own.lines]);
    expect(listClientSecrets(own.both.replaceAll("\n", "\\n"))).toEqual(
      expect.arrayContaining(own.lines),
    );
  });

  it("has those of a text that was cut off, too", () => {
    expect(listClientSecrets(own.privateKey.slice(0, 120))).toContain(
      own.privateKey.split("\n")[1],
    );
  });
});

describe("certificateRefusal", () => {
  const alert = (code: string) => Object.assign(new Error("ssl"), { code });

  it("knows the alerts about a certificate, also as the cause of another error", () => {
    const revoked = alert("ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED");
    const expected = {
      code: "OAUTH_CERTIFICATE_INVALID",
      details: { reason: "login.example refused it (certificate revoked)" },
    };
    expect(certificateRefusal(revoked, "login.example", true)).toMatchObject(expected);
    expect(
      certificateRefusal(new Error("outer", { cause: revoked }), "login.example", true),
    ).toMatchObject(expected);
  });

  it("says that the server asks for one, if none was shown", () => {
    const asked = certificateRefusal(
      alert("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
      "api.example",
      false,
    );
    expect(asked?.message).toContain(
      "api.example requires a certificate, but the account has no certificate",
    );
    expect(
      certificateRefusal(alert("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"), "api.example", false),
    ).toBeUndefined();
  });

  it("a server whose own certificate is not trusted is another failure, with its own hint", () => {
    const error = unreachableError(
      "token",
      "login.example",
      alert("SELF_SIGNED_CERT_IN_CHAIN"),
      true,
    );
    expect(error).toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  });

  it("is not responsible for other failures", () => {
    for (const code of [
      "ECONNRESET",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    ])
      expect(certificateRefusal(alert(code), "login.example", true), code).toBeUndefined();
  });
});

function catchFailure(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (isPackError(error, "OAUTH_CERTIFICATE_INVALID")) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}
