import { expect, it } from "vitest";
import { runCli } from "../../support/cli.ts";

it("rule 29: no option of any command takes a secret as its value", async () => {
  const { stdout } = await runCli(["--help"]);
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)].map(([, name]) => name ?? "").filter((name) => name !== "help");
  const auth = await runCli(["auth", "--help"]);
  const nested = [...auth.stdout.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)].map(([, name]) => ["auth", name ?? ""]);
  expect(verbs).toEqual(expect.arrayContaining(["auth", "execute", "provider", "service"]));
  const help = await Promise.all([...verbs.map((verb) => [verb]), ...nested].map((words) => runCli([...words, "--help"])));
  const options = help.flatMap(({ stdout: text }) => [
    ...text.matchAll(/--([a-z-]*(?:secret|token|password|key)[a-z-]*)(?: <([a-z=]+)>)?/g),
  ]);
  const withValue = options.filter(([, , value]) => value !== undefined).map(([, name, value]) => `${name} <${value}>`);
  // The name of an environment variable, a lifetime, and members of a made-up response.
  expect([...new Set(withValue)].sort()).toEqual(["client-secret-env <name>", "token-response <json>", "token-ttl <seconds>"]);
}, 60_000);
