import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ownFolder } from "../bundle/own-modules.ts";

/** What a release may unpack to. */
const MAX_BYTES = 200_000_000;

/**
 * Compresses without a time or a name, and to the same bytes on every machine: Node's own zlib chooses its ways by the version and
 * the processor, so that the one in JavaScript is used that Packs get, too.
 */
export function gzipPortably(data: Uint8Array): Buffer {
  const file = join(ownFolder(), "polyfills", "zlib.cjs");
  const { gzipSync } = createRequire(import.meta.url)(file) as { gzipSync(data: Uint8Array, options: { level: number }): Uint8Array };
  return Buffer.from(gzipSync(data, { level: 9 }));
}

/** @throws {Error} when the data is damaged, or unpacks to more than 200 MB */
export function gunzip(data: Uint8Array): Buffer {
  return gunzipSync(data, { maxOutputLength: MAX_BYTES });
}
