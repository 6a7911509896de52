import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { measureClient } from "./client.ts";
import { measureDev } from "./dev.ts";
import { measureOAuth } from "./oauth.ts";
import { measureProviderSettings } from "./provider-settings.ts";
import { measureRunPath } from "./run-path.ts";
import { measureService, serveBareRows } from "./service.ts";
import { measureTypeCheck } from "./type-check.ts";
import { measureManyFormulas, measureValidation } from "./validate-many.ts";
import { measureWatch } from "./watch.ts";

const cli = join(process.cwd(), "dist/bin/packsmith.js");
const runs = Number(process.env["BENCH_RUNS"] ?? 15);
const work = mkdtempSync(join(tmpdir(), "packsmith-bench-"));

const [, , what, count] = process.argv;
try {
  if (what === "validate-many") console.log(await measureValidation(Number(count)));
  else if (what === "run-path") for (const line of await measureRunPath(count === undefined ? undefined : Number(count))) console.log(line);
  else if (what === "bare-rows") await serveBareRows(count ?? "");
  else if (what === "service") await reportService();
  else if (what === "client") await reportClient();
  else if (what === "watch") await reportWatch();
  else if (what === "dev") await reportDev();
  else await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const pack = join(work, "hello.ts");
  writeFileSync(pack, readFileSync("templates/blank/pack.ts", "utf8"));
  const bare = join(process.cwd(), "node_modules/.cache/bare-esbuild.mjs");
  writeFileSync(
    bare,
    `import { build } from "esbuild";
await build({ entryPoints: [${JSON.stringify(pack)}], bundle: true, minify: true, format: "cjs", sourcemap: true, outfile: ${JSON.stringify(join(work, "bare.js"))}, alias: { packsmith: ${JSON.stringify(join(process.cwd(), "dist/index.js"))} } });`,
  );
  console.log(
    `packsmith ${version()} · Node ${process.version} · ${cpus().length} × ${cpus()[0]?.model ?? "CPU"} · ${Math.round(totalmem() / 2 ** 30)} GiB · median of ${runs} runs, interleaved\n`,
  );

  const commands: Record<string, string[]> = {
    "node -e 0": ["-e", "0"],
    "bare esbuild": [bare],
    "packsmith --version": [cli, "--version"],
    "packsmith validate": [cli, "validate", pack, "--json"],
    "packsmith build": [cli, "build", pack, "--out-dir", join(work, "out"), "--json"],
    "packsmith execute": [cli, "execute", pack, "Hello", "World", "--json"],
  };
  const medians = measure(commands);
  const node = medians["node -e 0"] ?? 1;
  const esbuild = medians["bare esbuild"] ?? 1;
  row("whole process", "median", "× node -e 0", "× bare esbuild");
  for (const [name, ms] of Object.entries(medians)) row(name, `${ms.toFixed(0)} ms`, (ms / node).toFixed(2), (ms / esbuild).toFixed(2));

  const bundle = statSync(join(work, "out/hello/bundle.js")).size;
  console.log(`\nHello World bundle       ${bundle} bytes   (expected ≤ 5,000)`);
  console.log(`1,000 formulas validated ${measureManyFormulas(1000).toFixed(0)} ms more than one formula   (expected ≤ 60)`);
  for (const { compiler, ours, theirs } of measureTypeCheck(work)) {
    const ratio = (ours / theirs).toFixed(2);
    console.log(
      `200 formulas, ${compiler.padEnd(15)} ${ours.toFixed(0)} ms = ${ratio} × the older package's ${theirs.toFixed(0)} ms   (expected ≤ 0.5)`,
    );
  }
  console.log(execFileSync(process.execPath, [process.argv[1] ?? "", "run-path"], { encoding: "utf8" }).trimEnd());
  await reportWatch();
  await reportOAuth();
  await reportService();
  await reportDev();
  const { bytes, packages } = installSize();
  console.log(`install                  ${(bytes / 1e6).toFixed(1)} MB in ${packages} packages   (expected ≤ 60 MB)`);
}

async function reportWatch(): Promise<void> {
  const { median, slowest, bare } = await measureWatch(work);
  console.log(
    `watch, save to bundle    ${median.toFixed(1)} ms, the slowest ${slowest.toFixed(1)} ms; esbuild alone ${bare.toFixed(1)} ms   (expected ≤ 50)`,
  );
}

async function reportClient(): Promise<void> {
  const { rows, insert, paging, heapMb } = await measureClient(work);
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  console.log(
    `client insert of ${rows}  ${ms(insert.ours)}, SQLite alone ${ms(insert.bare)}: ${(insert.ours / insert.bare).toFixed(2)} x   (expected ≤ 2); with the service's own members and indexes ${ms(insert.indexed)}: ${(insert.ours / insert.indexed).toFixed(2)} x`,
  );
  console.log(
    `client paging of ${rows}  ${ms(paging.ours)}, bare fetch and JSON.parse ${ms(paging.bare)}: ${(paging.bare / paging.ours).toFixed(2)}   (expected ≥ 0.9)`,
  );
  console.log(
    `client heap              ${heapMb.tenth.toFixed(1)} MB after a tenth, ${heapMb.all.toFixed(1)} MB after all   (expected: the same)`,
  );
}

async function reportService(): Promise<void> {
  const { list, page, upsert, startMs, resetMs, residentMb } = await measureService(work);
  const ratio = (one: number, other: number) => (one / other).toFixed(2);
  console.log(
    `25-row list              ${list.ours.toFixed(0)} a second = ${ratio(list.ours, list.bare)} × bare express and the same query (${list.bare.toFixed(0)})   (expected ≥ 0.8 and ≥ 1,500)`,
  );
  console.log(`page of 1,000,000 rows   ${page.large.toFixed(2)} ms = ${ratio(page.large, page.small)} × that of 1,000   (expected ≤ 1.3)`);
  console.log(
    `keyed upsert             ${upsert.large.toFixed(2)} ms = ${ratio(upsert.large, upsert.small)} × in 1,000 rows   (expected ≤ 1.3)`,
  );
  console.log(`service start            ${startMs.toFixed(0)} ms, whole process   (expected ≤ 500)`);
  console.log(`service reset            ${resetMs.toFixed(1)} ms   (expected ≤ 5)`);
  console.log(`service resident         ${residentMb.toFixed(0)} MB after the lists   (expected ≤ 120)`);
}

async function reportDev(): Promise<void> {
  const { readyMs, bareMs, save, scriptBytes, styleBytes, firstPaintMs, scroll } = await measureDev(work);
  console.log(
    `dev ready                ${readyMs.toFixed(0)} ms, whole process = ${(readyMs / bareMs).toFixed(1)} × node -e 0   (expected ≤ 1,000)`,
  );
  console.log(
    `save → new result        ${save.medianMs.toFixed(0)} ms on the page, the slowest ${save.slowestMs.toFixed(0)} ms   (expected ≤ 300)`,
  );
  console.log(
    `page's scripts           ${(scriptBytes / 1e3).toFixed(1)} kB gzip, and ${(styleBytes / 1e3).toFixed(1)} kB of styles   (expected ≤ 60)`,
  );
  console.log(`first contentful paint   ${firstPaintMs.toFixed(0)} ms on loopback   (expected ≤ 200)`);
  console.log(
    `100,000 rows scrolled    ${scroll.framesPerSecond.toFixed(0)} frames a second, ${scroll.longestMs.toFixed(0)} ms at most between two   (expected ≥ 30)`,
  );
}

async function reportOAuth(): Promise<void> {
  const { connects, cachedTokenUs, renewals } = await measureOAuth(work);
  const ratio = (connects.ours / connects.bare).toFixed(2);
  console.log(
    `connections              ${connects.ours.toFixed(0)} a second = ${ratio} × openid-client alone (${connects.bare.toFixed(0)})   (expected ≥ 0.8); ${connects.whole.toFixed(0)} with our own pages and the vault`,
  );
  console.log(`access token from cache  ${cachedTokenUs.toFixed(1)} µs   (expected ≤ 20)`);
  console.log(`expired account          ${renewals.callers} callers, ${renewals.requests} token request   (expected 1)`);
  // The catalogue is not part of the project.
  const settings = process.env["PACKSMITH_PROVIDER_SETTINGS"];
  if (settings === undefined) return console.log("provider settings        skipped: PACKSMITH_PROVIDER_SETTINGS names no file");
  const { total, expressible, completed } = await measureProviderSettings(settings);
  const share = ((completed / total) * 100).toFixed(1);
  console.log(
    `provider settings        ${completed} of ${total} = ${share} % connect, call and refresh; ${expressible} can be written   (expected ≥ 92 %)`,
  );
}

/** Runs the commands in turn, so that a noisy moment of the machine falls on all of them. */
function measure(commands: Record<string, string[]>): Record<string, number> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let run = -1; run < runs; run++) {
    for (const [name, args] of Object.entries(commands)) {
      const started = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: work,
        encoding: "utf8",
        env: { ...process.env, PACKSMITH_HOME: join(work, "home") },
      });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      // The first round fills the file cache and is not counted.
      if (run >= 0) times[name]?.push(performance.now() - started);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN]),
  );
}

function installSize(): { bytes: number; packages: number } {
  const folder = join(work, "install");
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", work], { stdio: "ignore" });
  const tarball = readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", join(work, tarball)], { stdio: "ignore" });
  const entries = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  // A file that is linked under two names takes its space once.
  const sizes = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)))
      .map(({ dev, ino, size }) => [`${dev}:${ino}`, size]),
  );
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")) as { packages: Record<string, unknown> };
  return { bytes, packages: Object.keys(lock.packages).length };
}

function version(): string {
  return (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
}

function row(...cells: string[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(14))).join(" "));
}
