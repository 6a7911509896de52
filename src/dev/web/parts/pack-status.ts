import type { PackStatus } from "../../wire/pack.ts";
import type { Tone } from "./layout.tsx";

/** How each state of the Pack is shown. */
export const PACK_STATUS: Readonly<Record<PackStatus, readonly [tone: Tone, text: string]>> = {
  ready: ["good", "ready"],
  invalid: ["bad", "has errors"],
  broken: ["bad", "does not load"],
  missing: ["bad", "file not found"],
};
