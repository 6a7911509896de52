import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";
import { afterAll } from "vitest";
import { useBuiltFolder } from "../../../src/shared/own-package.ts";

// Unit tests run from the sources and need nothing else: they answer in a second. What needs more
// is an integration test (NAME.integration.test.ts) or an e2e test (NAME.e2e.test.ts).

const refusals: string[] = [];

function refuse(what: string): never {
  const message = `A unit test ${what}. Rename the file: see "Run the tests" in CONTRIBUTING.md.`;
  refusals.push(message);
  throw new Error(message);
}

const STARTERS = [
  "exec",
  "execFile",
  "execFileSync",
  "execSync",
  "fork",
  "spawn",
  "spawnSync",
] as const;
const refuseToStart = (command: unknown) => refuse(`started ${command} as a child process`);
Object.assign(childProcess, Object.fromEntries(STARTERS.map((name) => [name, refuseToStart])));
syncBuiltinESMExports();

Server.prototype.listen = () => refuse("listened on a socket");

useBuiltFolder("/a unit test has no built files");

// The code under test may have caught the error.
afterAll(() => {
  if (refusals.length > 0) throw new Error(refusals[0]);
});
