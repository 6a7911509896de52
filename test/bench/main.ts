import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type PageSection, printSection, updatePage } from "./performance-page.ts";
import { measureRunPath } from "./run-path.ts";
import { SECTIONS } from "./sections.ts";
import { serveBareRows } from "./service.ts";
import { serveBareSql } from "./service-process.ts";
import { measureValidation } from "./validate-many.ts";

// The bench starts itself where a process of its own is measured.
const [first, second] = process.argv.slice(2);
if (first === "validate-many") console.log(await measureValidation(Number(second)));
else if (first === "bare-rows") await serveBareRows(second ?? "");
else if (first === "bare-sql") await serveBareSql(second ?? "");
else if (first === "run-path-measurements") console.log(JSON.stringify(await measureRunPath()));
else await main(process.argv.slice(2));

/** Runs the sections that are named, or all of them; `--write FILE` puts the results into a file. */
async function main(args: readonly string[]): Promise<void> {
  const option = args.indexOf("--write");
  const file = option < 0 ? undefined : args[option + 1];
  if (option >= 0 && file === undefined) throw new Error("--write needs the name of a file");
  const names = args.filter(
    (_arg, index) => option < 0 || (index !== option && index !== option + 1),
  );
  const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown.length > 0)
    throw new Error(
      `no section ${unknown.join(", ")}; there are ${SECTIONS.map(({ name }) => name).join(", ")}`,
    );
  const work = mkdtempSync(join(tmpdir(), "packsmith-bench-"));
  try {
    for (const { name, title, load } of SECTIONS) {
      if (names.length > 0 && !names.includes(name)) continue;
      const skipped: string[] = [];
      const runs = Number(process.env["BENCH_RUNS"] ?? 15);
      const began = circumstances();
      const measurements = await (await load())({
        work,
        runs,
        skip: (reason) => void skipped.push(reason),
      });
      const section: PageSection = { title, circumstances: began(), measurements, skipped };
      console.log(printSection(section));
      // At once: a later section may fail.
      if (file !== undefined) write(file, section);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function write(file: string, section: PageSection): void {
  const titles = SECTIONS.map(({ title }) => title);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  writeFileSync(file, updatePage(before, titles, [section]));
}

/** When, with what and on which machine; how busy it was before and after. */
function circumstances(): () => string {
  const [loadBefore = 0] = loadavg();
  const versions = [
    `packsmith ${readVersion("package.json")}`,
    `Node ${process.version}`,
    `esbuild ${readVersion("node_modules/esbuild/package.json")}`,
  ];
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`;
  return () => {
    const [loadAfter = 0] = loadavg();
    const load = `load ${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after`;
    return `Measured ${new Date().toISOString().slice(0, 10)} with ${versions.join(", ")} on ${machine}; ${load}.`;
  };
}

function readVersion(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
