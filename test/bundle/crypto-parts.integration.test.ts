import nodeCrypto from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bundle } from "../../src/bundle/bundle.ts";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { executeFormula } from "../../src/execute/execute-target.ts";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { isLong } from "../support/breadth.ts";
import { createProject } from "./project.ts";

/** What a formula with this body gives, whose argument is a JSON text. */
async function open(head: string, body: string, files: Record<string, string> = {}) {
  const text = `import { makeParameter, newPack } from "packsmith";
${head}
export const pack = newPack();
pack.addFormula({
  name: "Run", description: "Runs.", resultType: "string",
  parameters: [makeParameter({ type: "string", name: "input", description: "JSON." })],
  execute: async ([text]) => { const input = JSON.parse(text); ${body} },
});
`;
  await using project = await createProject({ "pack.ts": text, ...files });
  const bundle = await bundlePack({ entry: project.path("pack.ts") });
  const isolate = await createIsolate({
    code: bundle.code,
    sourceMap: bundle.sourceMap,
    fileName: "pack.ts",
  });
  return {
    bundle,
    run: async (input: unknown = null) =>
      (await executeFormula({ isolate, formula: "Run", args: [JSON.stringify(input)] })).result,
    [Symbol.asyncDispose]: () => isolate[Symbol.asyncDispose](),
  };
}

const HASHES = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "ripemd160"];
const ENCODINGS = ["hex", "base64"] as const;
const listParts = ({ inputs }: Pick<Bundle, "inputs">) =>
  inputs.map(({ path }) => path).filter((path) => path.includes("polyfills"));

describe("crypto in a Pack", () => {
  it("hashes as Node does, whatever comes in whatever pieces", async () => {
    const body = `return input.map(({ algorithm, encoding, pieces, key }) => {
        const hash = createHash(algorithm);
        const hmac = createHmac(algorithm, key);
        for (const piece of pieces) hash.update(Buffer.from(piece)), hmac.update(piece);
        return hash.digest(encoding) + " " + hmac.digest(encoding);
      }).join("\\n");`;
    await using pack = await open(`import { createHash, createHmac } from "crypto";`, body);
    const input = fc.record({
      algorithm: fc.constantFrom(...HASHES),
      encoding: fc.constantFrom(...ENCODINGS),
      pieces: fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), { maxLength: 4 }),
      key: fc.string({ maxLength: 200 }),
    });
    // All in one run: a run loads the packages again.
    const inputs = fc.sample(input, 200);
    const results = String(await pack.run(inputs)).split("\n");
    for (const [at, { algorithm, encoding, pieces, key }] of inputs.entries()) {
      const hash = nodeCrypto.createHash(algorithm);
      const hmac = nodeCrypto.createHmac(algorithm, key);
      for (const piece of pieces) {
        hash.update(piece);
        hmac.update(piece);
      }
      expect(results[at], JSON.stringify(inputs[at])).toBe(
        `${hash.digest(encoding)} ${hmac.digest(encoding)}`,
      );
    }
    expect(results).toHaveLength(inputs.length);
  });

  it.runIf(isLong)(
    "has hashes that are streams and give Buffers, keys derived, ciphers, key exchange and signatures",
    async () => {
      const head = `import { createCipheriv, createDecipheriv, createECDH, createHash, createSign, createVerify, pbkdf2Sync, publicEncrypt } from "node:crypto";
import { Readable } from "node:stream";`;
      const body = `const piped = new Promise((done) => {
        const source = new Readable({ read() {} });
        source.pipe(createHash("sha256")).on("data", (data) => done(data));
        source.push("ab"); source.push("c"); source.push(null);
      });
      const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2)];
      const cipher = createCipheriv("aes-256-cbc", key, iv);
      const secret = cipher.update("a secret", "utf8", "hex") + cipher.final("hex");
      const decipher = createDecipheriv("aes-256-cbc", key, iv);
      const [one, other] = [createECDH("prime256v1"), createECDH("prime256v1")];
      one.generateKeys(); other.generateKeys();
      const signature = createSign("RSA-SHA256").update("text").sign(input.privateKey);
      return JSON.stringify({
        piped: (await piped).toString("hex"),
        isBuffer: Buffer.isBuffer(createHash("rmd160").update("x").digest()) && Buffer.isBuffer(signature),
        derived: pbkdf2Sync("password", "salt", 10, 20, "sha512").toString("hex"),
        secret, open: decipher.update(secret, "hex", "utf8") + decipher.final("utf8"),
        shared: one.computeSecret(other.getPublicKey()).equals(other.computeSecret(one.getPublicKey())),
        signature: signature.toString("hex"),
        verified: createVerify("RSA-SHA256").update("text").verify(input.publicKey, signature),
        sealed: publicEncrypt(input.publicKey, Buffer.from("sealed")).toString("base64"),
      });`;
      await using pack = await open(head, body);
      const { privateKey, publicKey } = nodeCrypto.generateKeyPairSync("rsa", {
        modulusLength: 1024,
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs1", format: "pem" },
      });
      const { sealed, ...result } = JSON.parse(
        String(await pack.run({ privateKey, publicKey })),
      ) as Record<string, string>;
      const cipher = nodeCrypto.createCipheriv(
        "aes-256-cbc",
        Buffer.alloc(32, 1),
        Buffer.alloc(16, 2),
      );
      expect(result).toEqual({
        piped: nodeCrypto.createHash("sha256").update("abc").digest("hex"),
        isBuffer: true,
        derived: nodeCrypto.pbkdf2Sync("password", "salt", 10, 20, "sha512").toString("hex"),
        secret: cipher.update("a secret", "utf8", "hex") + cipher.final("hex"),
        open: "a secret",
        shared: true,
        signature: nodeCrypto.createSign("RSA-SHA256").update("text").sign(privateKey, "hex"),
        verified: true,
      });
      expect(
        nodeCrypto.privateDecrypt(privateKey, Buffer.from(sealed ?? "", "base64")).toString(),
      ).toBe("sealed");
    },
  );

  it.runIf(isLong)(
    "makes random UUIDs of version 4, and compares in constant time as Node does",
    async () => {
      const body = `const failure = (work) => { try { return String(work()); } catch (error) { return error.constructor.name; } };
      return JSON.stringify([randomUUID(), randomUUID(), randomBytes(40).length,
        timingSafeEqual(Buffer.from("ab"), new Uint8Array([97, 98])), timingSafeEqual(Buffer.from("ab"), Buffer.from("aB")),
        failure(() => timingSafeEqual(Buffer.from("a"), Buffer.from("ab")))]);`;
      await using pack = await open(
        `import { randomBytes, randomUUID, timingSafeEqual } from "crypto";`,
        body,
      );
      const [one, other, ...rest] = JSON.parse(String(await pack.run())) as [string, string];
      for (const id of [one, other])
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(one).not.toBe(other);
      expect(rest).toEqual([40, true, false, "RangeError"]);
    },
  );

  it("is one module, however it is asked for, and its object can be changed", async () => {
    const head = `import crypto, { createHash, randomUUID } from "crypto";
import * as all from "node:crypto";
import { required } from "./required.cjs";
const names = (object) => Object.keys(object).filter((name) => object[name] !== undefined && name !== "default").sort();`;
    const body = `required.mine = 1;
      return JSON.stringify([crypto === required, all.default === crypto, crypto.createHash === createHash, crypto.randomUUID === randomUUID,
        crypto.mine, names(crypto).filter((name) => crypto[name] !== all[name]), names(all).filter((name) => !(name in crypto))]);`;
    await using pack = await open(head, body, {
      "required.cjs": `exports.required = require("crypto");`,
    });
    expect(JSON.parse(String(await pack.run()))).toEqual([true, true, true, true, 1, ["mine"], []]);
  });

  // Newer ones still get names.
  it.runIf(process.version.startsWith("v20."))(
    "lets a library look for everything that Node 20 has, and says nothing of what is not there",
    async () => {
      const names = Object.keys(nodeCrypto).filter((name) => name !== "default");
      const head = `import { ${names.map((name) => `${name} as $${name}`).join(", ")} } from "crypto";`;
      const body = `return [${names.map((name) => `typeof $${name} === "undefined" ? "" : "${name}"`).join(", ")}].filter(Boolean).join(" ");`;
      await using pack = await open(head, body);
      expect(pack.bundle.issues).toEqual([]);
      const found = String(await pack.run()).split(" ");
      expect(found).toEqual(
        expect.arrayContaining(["createHash", "createSign", "pbkdf2", "randomUUID"]),
      );
      expect(found).not.toContain("scrypt");
    },
  );

  it("says that it has no name that Node does not have", async () => {
    await expect(
      open(`import { createHesh } from "node:crypto";`, "return createHesh;"),
    ).rejects.toMatchObject({
      code: "PACK_BUILD_FAILED",
      message: expect.stringContaining('crypto has no "createHesh". Did you mean "createHash"?'),
    });
  });
});

describe("what a bundle takes along of crypto", () => {
  const measureSize = async (head: string, expression: string) => {
    await using pack = await open(head, `return String(${expression});`);
    await pack.run();
    return { bytes: pack.bundle.bytes, parts: listParts(pack.bundle), code: pack.bundle.code };
  };

  it.each([
    [`import { createHash } from "crypto";`, `createHash("md5")`, 120_000],
    [
      `import { createHash, createHmac, randomBytes } from "node:crypto";`,
      `[createHash("md5"), createHmac("md5", "k"), randomBytes(1)]`,
      120_000,
    ],
    [`import * as crypto from "crypto";`, `crypto.createHmac("md5", "k")`, 120_000],
    [`import { randomBytes } from "crypto";`, "randomBytes(1)", 14_000],
    [`import { randomUUID } from "crypto";`, "randomUUID()", 11_500],
  ])("%s: what it imports, and nothing of the rest", async (head, expression, atMost) => {
    const { bytes, code } = await measureSize(head, expression);
    expect(bytes).toBeLessThan(atMost);
    expect(code).not.toMatch(/secp256k1|DiffieHellman|RSA-SHA/);
  });

  it("all of it once, when the complete module is used", async () => {
    const { bytes, code, parts } = await measureSize(
      `import crypto from "crypto";`,
      `crypto.createHash("md5")`,
    );
    expect(bytes).toBeLessThan(450_000);
    expect(code.match(/"secp256k1"/g)?.length).toBeGreaterThan(0);
    expect(parts).toContain("packsmith/polyfills/crypto-parts.js");
    expect(parts).toContain("packsmith/polyfills/stream.cjs");
  });
});
