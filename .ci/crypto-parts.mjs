// What a Pack can import of crypto, by name, and which package provides it.

const from = (name, members) =>
  Object.fromEntries(members.map((member) => [member, `require("${name}").${member}`]));
const is = (name, members) =>
  Object.fromEntries(members.map((member) => [member, `require("${name}")`]));

const CIPHERS = ["Cipher", "Cipheriv", "Decipher", "Decipheriv"];
export const PARTS_OF_CRYPTO = {
  ...is("create-hash", ["createHash", "Hash"]),
  ...is("create-hmac", ["createHmac", "Hmac"]),
  ...is("randombytes", ["randomBytes", "rng", "pseudoRandomBytes", "prng"]),
  ...is("create-ecdh", ["createECDH"]),
  ...from("randomfill", ["randomFill", "randomFillSync"]),
  ...from("pbkdf2", ["pbkdf2", "pbkdf2Sync"]),
  ...from("browserify-cipher", [
    ...CIPHERS,
    ...CIPHERS.map((name) => `create${name}`),
    "getCiphers",
    "listCiphers",
  ]),
  ...from("diffie-hellman", [
    "DiffieHellmanGroup",
    "createDiffieHellmanGroup",
    "getDiffieHellman",
    "createDiffieHellman",
    "DiffieHellman",
  ]),
  ...from("browserify-sign", ["createSign", "Sign", "createVerify", "Verify"]),
  ...from("public-encrypt", ["publicEncrypt", "privateEncrypt", "publicDecrypt", "privateDecrypt"]),
  ...from("crypto-browserify", ["getHashes", "createCredentials", "constants"]),
};

/** What the packages lack, and is simple. */
export const OWN_PARTS_OF_CRYPTO = {
  file: "../bundle/runtime/crypto.js",
  names: ["randomUUID", "timingSafeEqual"],
};

/** What only Node has: an import of it is undefined, so that libraries can check for it. */
export const ABSENT_FROM_CRYPTO = [
  ...[
    "Certificate",
    "ECDH",
    "KeyObject",
    "X509Certificate",
    "argon2",
    "argon2Sync",
    "checkPrime",
    "checkPrimeSync",
    "createPrivateKey",
  ],
  ...[
    "createPublicKey",
    "createSecretKey",
    "decapsulate",
    "diffieHellman",
    "encapsulate",
    "fips",
    "generateKey",
    "generateKeyPair",
  ],
  ...[
    "generateKeyPairSync",
    "generateKeySync",
    "generatePrime",
    "generatePrimeSync",
    "getCipherInfo",
    "getCurves",
    "getFips",
  ],
  ...[
    "getRandomValues",
    "hash",
    "hkdf",
    "hkdfSync",
    "randomInt",
    "randomUUIDv7",
    "scrypt",
    "scryptSync",
    "secureHeapUsed",
    "setEngine",
    "setFips",
  ],
  ...["sign", "subtle", "verify", "webcrypto"],
];
