import { createHmac } from "node:crypto";
import type { ServiceState } from "../state.ts";

/**
 * Signs what a client gives back later, such as a page token. The text begins with what it is for,
 * unless nothing else looks like it.
 */
export function sign({ pageTokenKey }: ServiceState, text: string): string {
  return createHmac("sha256", pageTokenKey).update(text).digest("base64url");
}
