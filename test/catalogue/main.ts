// Takes an account of each provider of a catalogue through its life: connect, run, expire, renew,
// revoke. Each has a Pack, and a server that demands what its settings say:
//   PACKSMITH_PROVIDER_SETTINGS=settings.json npm run catalogue -- FOLDER_FOR_RESULTS [NUMBERS]
// The result of a provider is a file, so a run that was stopped goes on where it was. With numbers,
// only those providers are tried, again. Names of providers are not shown. The settings are no part
// of the project.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fromDist } from "../bench/from-dist.ts";
import { describeProvider, type ProviderSettings } from "./provider-settings.ts";
import { type ProviderResult, printResults } from "./results.ts";
import { type RunCli, tryProvider } from "./try-provider.ts";

const AT_ONCE = 2;
const [folder, ...numbers] = process.argv.slice(2);
const file = process.env["PACKSMITH_PROVIDER_SETTINGS"];

if (file === undefined) throw new Error("PACKSMITH_PROVIDER_SETTINGS names no file.");
if (folder === undefined) throw new Error("Say which folder receives the results.");
const failed = await main(file, resolve(folder), numbers.map(Number));
process.exit(failed > 0 ? 1 : 0);

async function main(settingsFile: string, work: string, only: readonly number[]): Promise<number> {
  mkdirSync(join(work, "results"), { recursive: true });
  const { providers } = JSON.parse(readFileSync(settingsFile, "utf8")) as {
    providers: Record<string, ProviderSettings>;
  };
  const all = Object.values(providers);
  const { runCli } = await fromDist<{ runCli: RunCli }>("cli/run.js");
  const locateResult = (number: number) => join(work, "results", `${number}.json`);
  const waiting = all
    .map((settings, index) => ({ settings, number: index + 1 }))
    .filter(({ number }) =>
      only.length > 0 ? only.includes(number) : !existsSync(locateResult(number)),
    );
  // Commands of one process share its listeners for signals.
  process.setMaxListeners(4 * AT_ONCE + 20);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { settings, number } = next;
        const result = await examine(settings, number, work, runCli);
        writeFileSync(locateResult(number), `${JSON.stringify(result, undefined, 2)}\n`);
        process.stderr.write(`${number}: ${result.failure?.code ?? result.unsaid ?? "ok"}\n`);
      }
    }),
  );
  const results = all.flatMap((_, index) =>
    existsSync(locateResult(index + 1))
      ? [JSON.parse(readFileSync(locateResult(index + 1), "utf8")) as ProviderResult]
      : [],
  );
  console.log(printResults(results, all.length));
  return results.filter(({ failure }) => failure !== undefined).length;
}

async function examine(
  settings: ProviderSettings,
  number: number,
  work: string,
  runCli: RunCli,
): Promise<ProviderResult> {
  const described = describeProvider(settings);
  if (typeof described === "string") return { number, unsaid: described };
  const failure = await tryProvider(settings, described, {
    runCli,
    folder: join(work, `pack-${number}`),
    index: number,
  });
  return failure === undefined ? { number } : { number, failure };
}
