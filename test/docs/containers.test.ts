import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startCliServer } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const text = readFileSync(join(root, "docs/examples/provider.Containerfile"), "utf8");
const instructions = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(/ (.*)/s).slice(0, 2) as [name: string, rest: string]);

function only(name: string): string {
  const found = instructions.filter((instruction) => instruction[0] === name);
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

it("the container file of the provider installs this package on a supported Node, and does not run as root", () => {
  const { name, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    engines: { node: string };
  };
  expect(instructions.map(([instruction]) => instruction)).toEqual([
    "FROM",
    "RUN",
    "USER",
    "ENTRYPOINT",
    "CMD",
  ]);
  const major = Number(/^node:(\d+)-slim$/.exec(only("FROM"))?.[1]);
  expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  expect(only("RUN")).toBe(`npm install --global ${name}`);
  expect(only("USER")).not.toBe("root");
  // The comment's command names the file as it is called.
  expect(text).toContain("docker build -f provider.Containerfile");
});

it("its command starts a provider", async () => {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  const [program = "", ...args] = [
    ...(JSON.parse(only("ENTRYPOINT")) as string[]),
    ...(JSON.parse(only("CMD")) as string[]),
  ];
  expect(Object.keys(bin)).toContain(program);
  // The port of the file may be taken on this machine.
  const free = args.map((arg) => (/^\d+$/.test(arg) ? "0" : arg));
  expect(free).not.toEqual(args);
  using folder = makeTemporaryFolder();
  await using provider = await startCliServer<{ issuer: string }>(free, { cwd: folder.path });
  const metadata = await fetch(`${provider.facts.issuer}/.well-known/oauth-authorization-server`);
  expect(await metadata.json()).toMatchObject({ issuer: provider.facts.issuer });
});
