import { Buffer } from "buffer/";

type Method = (this: unknown, ...given: unknown[]) => unknown;

const isBase64Url = (name: unknown): boolean =>
  typeof name === "string" && name.toLowerCase() === "base64url";

/**
 * Adds the encoding that the package does not have. It reads both alphabets of base64, so only
 * writing differs.
 */
function addBase64Url(): void {
  const statics = Buffer as unknown as Record<string, Method>;
  for (const name of ["from", "byteLength"]) replace(statics, name, asBase64(1));
  replace(
    statics,
    "isEncoding",
    (original) => (name) => isBase64Url(name) || original.call(Buffer, name),
  );
  const prototype = Buffer.prototype as unknown as Record<string, Method>;
  for (const at of [1, 2, 3]) replace(prototype, "write", asBase64(at));
  replace(
    prototype,
    "toString",
    (original) =>
      function (this: unknown, encoding, ...range) {
        const text = original.call(this, isBase64Url(encoding) ? "base64" : encoding, ...range);
        return isBase64Url(encoding)
          ? (text as string).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
          : text;
      },
  );
}

/** @param at which argument is the name of the encoding */
function asBase64(at: number): (original: Method) => Method {
  return (original) =>
    function (this: unknown, ...given) {
      if (isBase64Url(given[at])) given[at] = "base64";
      return original.apply(this, given);
    };
}

function replace(
  object: Record<string, Method>,
  name: string,
  by: (original: Method) => Method,
): void {
  object[name] = by(object[name] as Method);
}

addBase64Url();

export function toBuffer(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

export { Buffer };
