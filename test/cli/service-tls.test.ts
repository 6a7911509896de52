import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readServiceTls } from "../../src/cli/service-tls.ts";
import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const folder = makeTemporaryFolder();
const cwd = folder.path;
afterAll(() => folder[Symbol.dispose]());

const own = createSelfSignedCertificate();
const other = createSelfSignedCertificate();
const expired = createSelfSignedCertificate({ now: () => Date.parse("2020-01-01") });
const files = {
  "own.pem": own.certificate,
  "own.key": own.privateKey,
  "other.key": other.privateKey,
  "expired.pem": expired.certificate,
  "expired.key": expired.privateKey,
  "text.pem": "not a certificate",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);

describe("readServiceTls", () => {
  it("gives the certificate and the key of two files, and changes neither", async () => {
    expect(
      await readServiceTls({ https: true, certificate: "own.pem", key: "own.key" }, cwd),
    ).toEqual({
      tls: { cert: own.certificate, key: own.privateKey },
      path: join(cwd, "own.pem"),
      isNew: false,
    });
    expect(readFileSync(join(cwd, "own.pem"), "utf8")).toBe(own.certificate);
  });

  it("makes a certificate for --https, and writes it where --certificate says", async () => {
    const made = await readServiceTls({ https: true, certificate: "new.pem" }, cwd);
    expect(made).toMatchObject({ path: join(cwd, "new.pem"), isNew: true });
    expect(readFileSync(join(cwd, "new.pem"), "utf8")).toBe(made?.tls.cert);
  });

  it.each(["own.pem", "own.key", "link.pem"])("writes over no file: %s", async (name) => {
    if (name === "link.pem") symlinkSync("own.pem", join(cwd, name));
    const before = readFileSync(join(cwd, name), "utf8");
    await expect(readServiceTls({ https: true, certificate: name }, cwd)).rejects.toMatchObject({
      code: "USAGE_INVALID",
      message: expect.stringContaining(`${name} already exists`),
      hint: expect.stringContaining("--key"),
    });
    expect(readFileSync(join(cwd, name), "utf8")).toBe(before);
  });

  it("gives nothing for a service that speaks http", async () => {
    expect(await readServiceTls({}, cwd)).toBeUndefined();
  });

  it.each([
    [{ key: "own.key" }, /--certificate is missing/],
    [{ certificate: "own.pem" }, /--key is missing/],
    [{ certificate: "none.pem", key: "own.key" }, /none\.pem cannot be read: there is no such/],
    [{ certificate: "own.pem", key: "none.key" }, /none\.key cannot be read: there is no such/],
    [{ certificate: "text.pem", key: "own.key" }, /text\.pem contains no certificate/],
    [{ certificate: "own.pem", key: "text.pem" }, /text\.pem contains no private key/],
    [{ certificate: "own.pem", key: "other.key" }, /does not belong to the certificate/],
    [{ certificate: "expired.pem", key: "expired.key" }, /has expired/],
  ])("refuses %o", async (flags, message) => {
    await expect(readServiceTls(flags, cwd)).rejects.toMatchObject({
      code: "USAGE_INVALID",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });
});
