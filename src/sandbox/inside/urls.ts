import { defineProperty } from "../intrinsics.ts";
import { Buffer } from "./buffer.ts";
import { defineGlobal } from "./globals.ts";
import { TextEncoder } from "./text-encoder.ts";

/**
 * Makes the classes of a well-kept package, whose text comes with the bundles that mention one of
 * them.
 */
export type UrlFactory = (
  encoder: typeof TextEncoder,
  decoder: typeof Utf8Decoder,
) => Record<(typeof NAMES)[number], unknown>;

const NAMES = ["URL", "URLSearchParams"] as const;

/** What the package needs of a TextDecoder. The Pack runtime has none. */
class Utf8Decoder {
  decode(bytes: Uint8Array): string {
    return Buffer.from(bytes).toString();
  }
}

/**
 * Defines the globals. The classes are made at the first use, because a context is opened for each
 * run.
 */
export function defineUrls(make: UrlFactory): void {
  let made: ReturnType<UrlFactory> | undefined;
  for (const name of NAMES) {
    defineProperty(globalThis, name, {
      get() {
        made ??= make(TextEncoder, Utf8Decoder);
        defineGlobal(name, made[name]);
        return made[name];
      },
      set: (value: unknown) => defineGlobal(name, value),
      enumerable: false,
      configurable: true,
    });
  }
}
