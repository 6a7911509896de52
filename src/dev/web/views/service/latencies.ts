/** How long accepted edits can wait, as the control plane calls it, in words, and as it takes it. */
export const LATENCIES = [
  ["immediate", "at once", "immediate"],
  ["100 ms", "after 100 ms", { ms: 100 }],
  ["3 polls", "after three polls of its state", { polls: 3 }],
  ["realistic", "after 10 to 20 seconds", "realistic"],
] as const;

export function latencyText(latency: string): string {
  return LATENCIES.find(([id]) => id === latency)?.[1] ?? `after ${latency}`;
}
