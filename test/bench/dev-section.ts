import { hasChromium } from "../support/find-chromium.ts";
import { measureDev } from "./dev.ts";
import type { BenchContext, Measurement } from "./section.ts";

/** What the page of `packsmith dev` costs. */
export async function measurePage({ work, skip }: BenchContext): Promise<Measurement[]> {
  if (!hasChromium) {
    skip("the page of packsmith dev: no Chromium was found");
    return [];
  }
  const { readyMs, bareMs, save, scriptBytes, styleBytes, firstPaintMs, scroll } = await measureDev(work);
  return [
    {
      name: "ready, whole process",
      value: readyMs,
      unit: "ms",
      peer: { name: "node -e 0", value: bareMs },
      target: { of: "value", atMost: 1_000 },
    },
    { name: "save to the new result on the page", value: save.medianMs, unit: "ms", target: { of: "value", atMost: 300 } },
    { name: "the slowest of them", value: save.slowestMs, unit: "ms" },
    { name: "scripts of the page, gzip", value: scriptBytes, unit: "bytes", target: { of: "value", atMost: 60_000 } },
    { name: "styles of the page, gzip", value: styleBytes, unit: "bytes" },
    { name: "first contentful paint on loopback", value: firstPaintMs, unit: "ms", target: { of: "value", atMost: 200 } },
    { name: "100,000 rows scrolled", value: scroll.framesPerSecond, unit: "frames a second", target: { of: "value", atLeast: 30 } },
    { name: "the longest wait between two frames", value: scroll.longestMs, unit: "ms" },
  ];
}
