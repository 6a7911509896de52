import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromiumPath } from "../find-chromium.ts";
import { findProgram } from "../find-program.ts";
import { hasOAuthLib } from "../oauthlib-server.ts";
import { postgresPrograms } from "../postgres-cluster.ts";
import { canBecomeOther } from "../second-user/become-other.ts";

/** The suite `long` needs what the e2e suite needs, too. */
type Suite = "integration" | "e2e" | "long";

/** A program that others wrote, which some tests need. */
interface Oracle {
  /** What is missing, and how to get it. */
  name: string;
  suite: Suite;
  isThere: boolean;
}

const ORACLES: readonly Oracle[] = [
  { name: "PostgreSQL", suite: "integration", isThere: postgresPrograms !== undefined },
  { name: "PostgreSQL", suite: "e2e", isThere: postgresPrograms !== undefined },
  { name: "Chromium (PACKSMITH_CHROMIUM)", suite: "e2e", isThere: chromiumPath !== undefined },
  installed("PACKSMITH_ORACLE", "@codahq/packs-sdk"),
  installed("PACKSMITH_CONFORMANCE", "@modelcontextprotocol/conformance"),
  installed("PACKSMITH_CLIENTS", "coda-js"),
  installed("PACKSMITH_CLIENTS", "@node-oauth/oauth2-server"),
  { name: "python3-oauthlib of Debian", suite: "e2e", isThere: hasOAuthLib },
  { ...installed("PACKSMITH_TURBO_CACHE", "turborepo-remote-cache"), suite: "long" },
  { ...installed("PACKSMITH_VERDACCIO", "verdaccio"), suite: "long" },
  { ...installed("PACKSMITH_INSPECTOR", "@modelcontextprotocol/inspector"), suite: "long" },
  installed("PACKSMITH_RUNTIMES", "deno"),
  ...["zsh", "fish", "openssl", "caddy"].map(program),
  // These run only on Linux.
  ...(process.platform === "linux"
    ? ["strace", "secret-tool", "gnome-keyring-daemon", "dbus-daemon"].map(program)
    : []),
];

/** A package in a folder that a variable names, as `.ci/run` installs it. */
function installed(variable: string, name: string): Oracle {
  const folder = process.env[variable];
  const isThere = folder !== undefined && existsSync(join(folder, "node_modules", name));
  return { name: `${name} (${variable})`, suite: "e2e", isThere };
}

function program(name: string): Oracle {
  return { name, suite: "e2e", isThere: findProgram(name) !== undefined };
}

/**
 * Says in one line which tests of a suite are skipped on this machine.
 * @throws in CI, where everything must be tested
 */
export function reportMissing(suite: Suite): void {
  // A runner of CI is often not root.
  if (suite !== "integration" && !canBecomeOther)
    process.stderr.write(
      "Skipped, because only root on Linux can do it: tests as a second user.\n",
    );
  const suites = suite === "long" ? ["e2e", "long"] : [suite];
  const missing = ORACLES.filter((oracle) => suites.includes(oracle.suite) && !oracle.isThere);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  if (process.env["CI"] !== undefined) throw new Error(`CI must have what tests need: ${names}.`);
  process.stderr.write(`Skipped, because it is not on this machine: tests with ${names}.\n`);
}
