import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeOnce } from "./make-once.ts";
import { plainEnv } from "./plain-env.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Unpacks the package file of this package into `node_modules`, as an installation would: what is
 * not in that file is not there. Its dependencies are those of this repository.
 * @param name the name in `node_modules`, which is another one for an alias
 */
export async function unpackPackage(folder: string, name = "packsmith"): Promise<void> {
  const file = await makeOnce("packed-package", async (target) => {
    const words = ["pack", "--ignore-scripts", "--pack-destination", target];
    await run("npm", words, { cwd: root, env: plainEnv() });
    return join(target, readdirSync(target).find((each) => each.endsWith(".tgz")) ?? "");
  });
  const installed = join(folder, "node_modules", name);
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", file, "-C", installed, "--strip-components=1"]);
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"), "junction");
}
