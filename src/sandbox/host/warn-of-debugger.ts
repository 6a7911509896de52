import type { Confinement } from "./confinement.ts";

/** Names the layers that remain while a debugger is attached, without a period at the end. */
export function warnOfDebugger(confinement: Confinement["name"]): string {
  if (confinement === "none")
    return "while it is inspected, the Pack is not isolated, and has no limits";
  return `while it is inspected, the Pack has no limits and the network of this machine, and only the kernel (${confinement}) denies it files and other processes`;
}
