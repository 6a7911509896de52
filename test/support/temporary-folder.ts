import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder that is removed at the end of the test. */
export function makeTemporaryFolder(): Disposable & { path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "packsmith-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
