import { expect, it } from "vitest";
import { connectAccount } from "../../../src/connect/connect-account.ts";
import { startProvider } from "../../../src/provider/provider.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

const ISSUER = "https://login.tasks.example";

const writePack = (members: string) => `import { AuthenticationType, newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: AuthenticationType.OAuth2, issuer: "${ISSUER}", ${members} });
`;

it.each([
  ["", []],
  [
    `authorizationUrl: "${ISSUER}/authorize", tokenUrl: "${ISSUER}/token"`,
    ["authorizationUrl", "tokenUrl"],
  ],
])("auth doctor names what only repeats the metadata: %s", async (members, repeated) => {
  await using provider = await startProvider({ issuer: ISSUER });
  using project = makeProject({ "package.json": "{}", "pack.ts": writePack(members) });
  const home = `${project.path}/home`;
  const lines: string[] = [];
  await connectAccount({
    file: "pack.ts",
    cwd: project.path,
    home,
    client: { clientId: provider.clientId, clientSecret: provider.clientSecret },
    routes: [`${ISSUER}=${provider.origin}`],
    browser: "headless",
    redactor: createRedactor(),
    onProgress: (line) => lines.push(line),
  });
  const notes = lines.filter((line) => line.includes("the metadata of"));
  expect(notes).toHaveLength(repeated.length === 0 ? 0 : 1);
  const run = (...words: string[]) =>
    runCli(["auth", "doctor", ...words], { cwd: project.path, env: { PACKSMITH_HOME: home } });
  expect((await run("--json")).json()).toMatchObject({ repeated });
  const { stdout } = await run();
  for (const member of repeated) expect(stdout).toContain(`repeats  ${member} is also`);
});
