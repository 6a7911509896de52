import type { ProviderFailure } from "./try-provider.ts";

export interface ProviderResult {
  /** The place of the provider in the catalogue, from 1. */
  number: number;
  /** Why no definition can say what the settings say. */
  unsaid?: string;
  failure?: ProviderFailure;
}

/** Counts, and each provider that fails by its number, as Markdown tables. */
export function printResults(results: readonly ProviderResult[], total: number): string {
  const failed = results.filter(({ failure }) => failure !== undefined);
  const unsaid = results.filter((result) => result.unsaid !== undefined);
  const counts: [string, number][] = [
    ["connect, run, expire, renew and revoke", results.length - failed.length - unsaid.length],
    ["fail", failed.length],
    ["cannot be said in a definition", unsaid.length],
    ["not tried", total - results.length],
    ["all", total],
  ];
  const lines = [
    "| Providers | |",
    "| --- | --- |",
    ...counts.map(([what, count]) => `| ${what} | ${count} |`),
  ];
  const rows = [
    ...failed.map(({ number, failure }) => `| ${number} | ${failure?.step} | ${failure?.code} |`),
    ...unsaid.map((result) => `| ${result.number} | no definition | ${result.unsaid} |`),
  ];
  if (rows.length > 0) lines.push("", "| Number | Step | Why |", "| --- | --- | --- |", ...rows);
  return lines.join("\n");
}
