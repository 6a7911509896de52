import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context } from "esbuild";
import { fromDist } from "./from-dist.ts";

const { watchPacks } =
  await fromDist<typeof import("../../src/build/watch-packs.ts")>("build/watch-packs.js");

interface WatchFigures {
  /** From a save to the validated bundle, in milliseconds. */
  median: number;
  slowest: number;
  /** What only esbuild takes to build the same again. */
  bare: number;
}

/**
 * Saves a Pack of some files again and again, and waits for what becomes of it. The rebuilds of
 * only esbuild take turns with it.
 */
export async function measureWatch(work: string, saves = 25): Promise<WatchFigures> {
  const folder = join(work, "watched");
  mkdirSync(join(folder, "lib"), { recursive: true });
  for (let file = 0; file < 10; file++) {
    writeFileSync(
      join(folder, `lib/part${file}.ts`),
      `export const part${file} = (name: string) => name + ${JSON.stringify("x".repeat(500))};\n`,
    );
  }
  const entry = join(folder, "pack.ts");
  const save = (text: string) => writeFileSync(entry, writeSource(text));
  save("first");
  let tell: (atMs: number) => void = () => {};
  await using watch = await watchPacks([entry], {
    cwd: folder,
    onOutcome: () => tell(performance.now()),
  });
  const bare = await context({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "cjs",
    external: ["packsmith"],
  });
  const [times, bareTimes]: [number[], number[]] = [[], []];
  try {
    for (let round = -3; round < saves; round++) {
      const startedMs = performance.now();
      const told = new Promise<number>((resolve) => {
        tell = resolve;
      });
      save(`round ${round}`);
      const ms = (await told) - startedMs;
      const bareStartedMs = performance.now();
      await bare.rebuild();
      // The first rounds are not counted. An author thinks between two saves: the next sandbox has
      // its time to start.
      if (round >= 0) times.push(ms);
      if (round >= 0) bareTimes.push(performance.now() - bareStartedMs);
      await watch.settled();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  } finally {
    await bare.dispose();
  }
  const sorted = times.sort((a, b) => a - b);
  return {
    median: computeMedian(sorted),
    slowest: sorted.at(-1) ?? Number.NaN,
    bare: computeMedian(bareTimes.sort((a, b) => a - b)),
  };
}

function computeMedian(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function writeSource(text: string): string {
  const names = Array.from({ length: 10 }, (_, index) => `part${index}`);
  return `import { newPack } from "packsmith";
${names.map((name) => `import { ${name} } from "./lib/${name}";`).join("\n")}
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
${names.map((name) => `pack.addFormula({ name: "Get${name}", description: ${JSON.stringify(text)}, resultType: "string", parameters: [{ type: "string", name: "name", description: "Whom." }], execute: ([name]: any) => ${name}(name) });`).join("\n")}
`;
}
