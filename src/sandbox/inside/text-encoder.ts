import { Buffer } from "./buffer.ts";

/** UTF-8 alone, as the standard has it. */
export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array {
    return new Uint8Array(Buffer.from(String(text)));
  }

  /** Writes as many complete characters as fit. */
  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of text) {
      const bytes = Buffer.from(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}
