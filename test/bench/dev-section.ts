import { hasChromium } from "../support/find-chromium.ts";
import { measureDev } from "./dev.ts";
import type { BenchContext, Measurement } from "./section.ts";

/** What an author waits for in front of the page. */
export async function measurePage({ work, skip }: BenchContext): Promise<Measurement[]> {
  if (!hasChromium) {
    skip("the page: no Chromium was found.");
    return [];
  }
  const { readyMs, bareMs, save, scriptBytes, styleBytes, firstPaintMs, barePaintMs, scroll } =
    await measureDev(work);
  return [
    {
      name: "packsmith dev until it is ready, complete process",
      value: readyMs,
      unit: "ms",
      peer: { name: "node -e 0", value: bareMs },
      target: { of: "value", atMost: 1_000 },
    },
    {
      name: "from the save to the new result on the page",
      value: save.medianMs,
      unit: "ms",
      target: { of: "value", atMost: 300 },
    },
    { name: "the slowest of these", value: save.slowestMs, unit: "ms" },
    {
      name: "the page's scripts, compressed",
      value: scriptBytes,
      unit: "bytes",
      target: { of: "value", atMost: 60_000 },
    },
    { name: "its styles, compressed", value: styleBytes, unit: "bytes" },
    {
      name: "first contentful paint, on loopback",
      value: firstPaintMs,
      unit: "ms",
      peer: { name: "a page that is one word", value: barePaintMs },
      target: { of: "value", atMost: 200 },
    },
    {
      name: "frames while 100,000 rows are scrolled through",
      value: scroll.framesPerSecond,
      unit: "a second",
      target: { of: "value", atLeast: 30 },
    },
    { name: "the longest time between two of them", value: scroll.longestMs, unit: "ms" },
  ];
}
