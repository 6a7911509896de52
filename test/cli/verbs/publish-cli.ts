import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ServiceOptions } from "../../../src/service/local/service.ts";
import { git, startGit } from "../../publish/registry/git.ts";
import { hello, packSource } from "../../publish/registry/registry.ts";
import { type ServiceUnderTest, startTestService } from "../../service/support.ts";
import { runCli } from "../../support/cli-in-process.ts";
import type { CliRun } from "../../support/cli-run.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** Command lines in a project, next to a local registry. */
export interface PublishCli extends AsyncDisposable {
  cwd: string;
  test: ServiceUnderTest;
  write(path: string, text: string): void;
  commit(message: string): void;
  run(...words: string[]): Promise<CliRun>;
  json<Document>(...words: string[]): Promise<{ code: number | null; document: Document }>;
}

export const versioned = (version: string, ...formulas: string[]): string =>
  packSource(formulas.join("\n"), `newPack({ version: "${version}" })`);

/** @param packs their names; each gets a folder */
export async function startPublishCli(
  packs: readonly string[],
  service: ServiceOptions = {},
): Promise<PublishCli> {
  const test = await startTestService(service);
  const folder = makeTemporaryFolder();
  const cwd = folder.path;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  write("package.json", '{ "name": "packs", "private": true }\n');
  write(".gitignore", "/home\n");
  for (const name of packs) {
    write(`packs/${name}/package.json`, `{ "name": "${name}" }\n`);
    write(`packs/${name}/pack.ts`, versioned("1.0.0", hello()));
    write(
      `packs/${name}/packsmith.config.json`,
      `{ "shortDescription": "${name} in documents." }\n`,
    );
  }
  startGit({ cwd });
  const commit = (message: string) => {
    git(cwd, "add", ".");
    git(cwd, "commit", "--quiet", "-m", message);
  };
  const env = {
    PACKSMITH_REGISTRY: new URL(test.service.url).origin,
    PACKSMITH_REGISTRY_TOKEN: test.service.token,
    PACKSMITH_HOME: join(cwd, "home"),
    PACKSMITH_KEY_STORE: "file",
  };
  const run = (...words: string[]) => runCli(words, { cwd, env });
  return {
    cwd,
    test,
    write,
    commit,
    run,
    async json(...words) {
      const done = await run(...words, "--json");
      return { code: done.code, document: done.json() as never };
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
