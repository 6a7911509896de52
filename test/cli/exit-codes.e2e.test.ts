import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseCases } from "../support/breadth.ts";
import { startCli } from "../support/cli-in-process.ts";
import { startLongCli } from "../support/long-cli.ts";
import { makeProject } from "../support/project.ts";

const PACK = `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token", useProofKeyForCodeExchange: true });
pack.addFormula({ name: "A", description: "One.", resultType: "string", parameters: [], connectionRequirement: "none", execute: () => "a" });
`;

/** Each command that reads a file, with one that is missing. */
const MISSING = [
  "validate none.ts",
  "validate --fix none.ts",
  "build none.ts --no-types",
  "build pack.ts none.ts --no-types",
  "build pack.ts --no-types --compare none.json",
  "execute none.ts A",
  "execute pack.ts A --replay none",
  "docs none.ts",
  "diff none.ts",
  "release none.ts",
  "dev none.ts --no-open --port 0",
  "init project --from none.yaml",
  "provider --public-key none.pem",
  "service --seed none.json",
  "service --pack none.ts",
  "auth list none.ts",
  "auth none.ts",
  "auth connect none.ts",
  "auth connect pack.ts --client-id a --client-key-file none.pem",
  "auth refresh none.ts",
  "auth revoke none.ts",
  "auth test none.ts",
];

describe("the exit code", () => {
  it.each(chooseCases(MISSING, 2))("of a missing file is 2: packsmith %s", async (line) => {
    using project = makeProject({ "package.json": '{"name":"codes"}', "pack.ts": PACK });
    const env = { PACKSMITH_HOME: join(project.path, "home") };
    const cli = startCli(line.split(" "), { cwd: project.path, env });
    expect([await cli.ended, cli.stdout() + cli.stderr()]).toEqual([
      2,
      expect.stringMatching(/none(?:\.[a-z]+)?\b/),
    ]);
  });

  it.each([
    { line: "service --port 0", ready: /ready/ },
    { line: "provider", ready: /ready/ },
    { line: "dev pack.ts --no-open --port 0", ready: /dev {2}http/ },
    {
      line: "auth connect pack.ts --client-id a --no-browser --port 0",
      ready: /open .*http:/,
      env: { PACKSMITH_CLIENT_SECRET: "a-secret" },
    },
  ])("after Ctrl+C is 130: packsmith $line", async ({ line, ready, env }) => {
    using project = makeProject({ "package.json": '{"name":"codes"}', "pack.ts": PACK });
    await using cli = startLongCli(line.split(" "), {
      cwd: project.path,
      env: { ...env, PACKSMITH_HOME: join(project.path, "home") },
    });
    await cli.seen(ready);
    expect(await cli.stop("SIGINT"), cli.text()).toBe(130);
    expect(cli.text()).not.toMatch(/error (?!INTERRUPTED)/);
  });
});
