import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import {
  bitString,
  encodeSet,
  explicit,
  implicit,
  objectIdentifier,
  octetString,
  sequence,
  TRUE,
  unsignedInteger,
  utcTime,
  utf8String,
} from "./der.ts";

/** A certificate and key for a TLS server on this machine. They exist only in memory. */
export interface SelfSignedCertificate {
  /** PEM. */
  certificate: string;
  /** PEM (PKCS #8). */
  privateKey: string;
  /** SHA-256 of the certificate as browsers show it: pairs of digits with colons. */
  fingerprint: string;
}

export interface SelfSignedCertificateOptions {
  /** Milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined;
  /** @default node:crypto's randomBytes */
  random?: ((bytes: number) => Uint8Array) | undefined;
}

const HOUR_MS = 3_600_000;
/** Longer than any flow, and short enough to be useless later. */
const LIFETIME_MS = 48 * HOUR_MS;

const ECDSA_WITH_SHA256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const COMMON_NAME = objectIdentifier("2.5.4.3");
const BASIC_CONSTRAINTS = objectIdentifier("2.5.29.19");
const KEY_USAGE = objectIdentifier("2.5.29.15");
const EXTENDED_KEY_USAGE = objectIdentifier("2.5.29.37");
const SUBJECT_ALTERNATIVE_NAME = objectIdentifier("2.5.29.17");
const SERVER_AUTHENTICATION = objectIdentifier("1.3.6.1.5.5.7.3.1");
const LOOPBACK_V4 = Buffer.from([127, 0, 0, 1]);
const LOOPBACK_V6 = Buffer.from([...Array<number>(15).fill(0), 1]);

/**
 * Makes a key and a certificate (RFC 5280 §4.1) for `localhost`, `127.0.0.1` and `[::1]`: EC P-256,
 * valid for two days, not a
 * certificate authority. No browser trusts it, so the browser shows a warning. Nothing is written
 * to disk.
 */
export function createSelfSignedCertificate(
  options: SelfSignedCertificateOptions = {},
): SelfSignedCertificate {
  const { now = Date.now, random = randomBytes } = options;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(encodeSet(sequence(COMMON_NAME, utf8String("localhost"))));
  const startMs = now() - HOUR_MS;
  const body = sequence(
    explicit(0, unsignedInteger(Buffer.from([2]))),
    unsignedInteger(random(16)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(startMs), utcTime(startMs + LIFETIME_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, extensions()),
  );
  const der = sequence(body, ECDSA_WITH_SHA256, bitString(sign("sha256", body, privateKey)));
  const certificate = `-----BEGIN CERTIFICATE-----\n${der
    .toString("base64")
    .replace(/(.{64})/g, "$1\n")
    .trimEnd()}\n-----END CERTIFICATE-----\n`;
  return {
    certificate,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    fingerprint: new X509Certificate(der).fingerprint256,
  };
}

function extensions(): Buffer {
  const names = sequence(
    implicit(2, Buffer.from("localhost", "latin1")),
    implicit(7, LOOPBACK_V4),
    implicit(7, LOOPBACK_V6),
  );
  return sequence(
    // Not an authority, and valid only for signatures of a server.
    sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence())),
    sequence(KEY_USAGE, TRUE, octetString(bitString(Buffer.from([0x80]), 7))),
    sequence(EXTENDED_KEY_USAGE, octetString(sequence(SERVER_AUTHENTICATION))),
    sequence(SUBJECT_ALTERNATIVE_NAME, octetString(names)),
  );
}
