import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTemporaryFolder } from "./temporary-folder.ts";

export interface LoopbackRegistry extends AsyncDisposable {
  url: string;
  /** What makes npm use this registry, with the tarballs that this machine has already. */
  env: Record<string, string>;
}

/**
 * Serves what is published to it, and dependencies from the registry of this machine. Prints its
 * port.
 */
const SERVER = `
const [folder, uplink, home] = process.argv.slice(1);
const { runServer } = require(folder + "/node_modules/verdaccio");
const everyone = { access: "$all", publish: "$all" };
runServer({
  configPath: home + "/config.yaml",
  self_path: home,
  storage: home + "/storage",
  auth: {},
  web: { enable: false },
  max_body_size: "50mb",
  log: { type: "stderr", format: "pretty", level: "error" },
  uplinks: { machine: { url: uplink, maxage: "60m", cache: false } },
  packages: { "{packsmith,create-packsmith}": everyone, "**": { access: "$all", proxy: "machine" } },
}).then((server) => server.listen(0, "127.0.0.1", () => console.log(server.address().port)));
`;

/**
 * Starts verdaccio.
 * @param folder in which it is installed
 * @param upstream the registry and the cache that npm uses on this machine
 */
export async function startLoopbackRegistry(
  folder: string,
  upstream: { registry: string; cache: string },
): Promise<LoopbackRegistry> {
  const home = makeTemporaryFolder();
  const server = spawn(process.execPath, ["--eval", SERVER, folder, upstream.registry, home.path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const dispose = async () => {
    server.kill("SIGKILL");
    await ended;
    home[Symbol.dispose]();
  };
  const line = once(createInterface(server.stdout), "line");
  const first = await Promise.race([line, ended.then(() => undefined)]);
  if (first === undefined) {
    await dispose();
    throw new Error("verdaccio ended before it listened.");
  }
  const host = `127.0.0.1:${first[0]}`;
  // A cache of its own, so that npx starts from nothing. What was downloaded is found by its hash.
  const cache = join(home.path, "cache");
  mkdirSync(cache);
  symlinkSync(join(upstream.cache, "_cacache"), join(cache, "_cacache"));
  const config = join(home.path, "npmrc");
  // npm publishes only with a token, even where everyone may.
  writeFileSync(
    config,
    `registry=http://${host}/\n//${host}/:_authToken=anyone\ncache=${cache}\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  return {
    url: `http://${host}/`,
    env: { npm_config_userconfig: config },
    [Symbol.asyncDispose]: dispose,
  };
}
