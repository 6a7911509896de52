import type { PackStatus } from "../../wire/pack.ts";
import type { Tone } from "./layout.tsx";

/** How each state of the Pack is shown. */
export const PACK_STATUS: Readonly<Record<PackStatus, readonly [tone: Tone, text: string]>> = {
  ready: ["good", "ready"],
  invalid: ["bad", "has errors"],
  broken: ["bad", "does not load"],
  missing: ["bad", "file not found"],
};

/** `1 formula`, `2 formulas` */
export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
