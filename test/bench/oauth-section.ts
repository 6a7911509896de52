import { measureOAuth } from "./oauth.ts";
import { measureProviderSettings } from "./provider-settings.ts";
import type { BenchContext, Measurement } from "./section.ts";

/**
 * What connecting and renewing accounts costs, and how many providers' settings can be expressed.
 */
export async function measureConnections({ work, skip }: BenchContext): Promise<Measurement[]> {
  const { connects, cachedTokenUs, renewals } = await measureOAuth(work);
  const bare = { name: "only openid-client", value: connects.bare };
  const measured: Measurement[] = [
    {
      name: "connections",
      value: connects.ours,
      unit: "a second",
      peer: bare,
      target: { of: "ratio", atLeast: 0.8 },
    },
    {
      name: "the same with our own pages and the vault",
      value: connects.whole,
      unit: "a second",
      peer: bare,
    },
    {
      name: "access token from the cache",
      value: cachedTokenUs,
      unit: "µs",
      target: { of: "value", atMost: 20 },
    },
    {
      name: `token requests of ${renewals.callers.toLocaleString("en")} callers of an expired account`,
      value: renewals.requests,
      unit: "",
      target: { of: "value", atMost: 1 },
    },
  ];
  // The catalogue is not part of the project.
  const settings = process.env["PACKSMITH_PROVIDER_SETTINGS"];
  if (settings === undefined)
    skip("the settings of providers; PACKSMITH_PROVIDER_SETTINGS names no file.");
  else {
    const { total, completed, reasons } = await measureProviderSettings(settings);
    const name = `of ${total} providers' settings connect, call and refresh`;
    measured.push({
      name,
      value: (completed / total) * 100,
      unit: "%",
      target: { of: "value", atLeast: 96 },
    });
    for (const [reason, count] of Object.entries(reasons).toSorted(([, a], [, b]) => b - a)) {
      measured.push({ name: `that do not: ${reason}`, value: count, unit: "" });
    }
  }
  return measured;
}
