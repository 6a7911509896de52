import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Every suite: a folder for what the test files of this run share. */
export default function prepare(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-run-"));
  process.env["PACKSMITH_TEST_RUN"] = folder;
  // Commands of the tests must neither read nor fill the cache of the user.
  process.env["PACKSMITH_CACHE"] = join(folder, "cache");
  return async () => {
    await endPostgres(join(folder, "postgres.json"));
    rmSync(folder, { recursive: true, force: true });
  };
}

/** @param file what `makeOnce` wrote when a test started the server */
async function endPostgres(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const { removeCluster } = await import("../postgres-cluster.ts");
  const { facts } = JSON.parse(readFileSync(file, "utf8"));
  if (facts !== undefined) await removeCluster(facts);
}
