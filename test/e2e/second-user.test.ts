import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../src/shared/crypto.ts";
import { startCliServer } from "../support/cli.ts";
import { createHeadlessClient } from "../support/headless-client.ts";
import { plainEnv } from "../support/plain-env.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { asOther, canBecomeOther } from "../support/second-user/become-other.ts";

// Everything that listens runs as one user, and another user of the machine reads and tries what
// it can find. The folder of the project can be read by everyone, as a home directory often can.

interface ProviderFacts {
  issuer: string;
  authorizationUrl: string;
  tokenUrl: string;
  controlUrl: string;
  clientId: string;
  clientSecret: string;
}

interface ServiceFacts {
  url: string;
  controlUrl: string;
  token: string;
}

/** What an attacker is given. */
interface Targets {
  pids: number[];
  ports: Record<string, string>;
  folders: Record<"visible" | "private", string[]>;
  /** Keys that were used before. */
  known: string[];
  redirectPath: string;
  state: string;
}

interface Attack {
  /** Names of the attempts that worked. */
  worked: string[];
  /** Everything that could be read. */
  found: string;
}

const main = fileURLToPath(new URL("../../dist/bin/packsmith.cjs", import.meta.url));
const attacker = readFileSync(
  new URL("../support/second-user/attacker.mjs", import.meta.url),
  "utf8",
);

const writePack = ({ authorizationUrl, tokenUrl, issuer }: ProviderFacts): string => `
import { AuthenticationType, newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: ${JSON.stringify(authorizationUrl)},
  tokenUrl: ${JSON.stringify(tokenUrl)},
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  getConnectionName: async (context) =>
    (await context.fetcher.fetch({ method: "GET", url: ${JSON.stringify(`${issuer}/me`)} })).body.name,
});
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [],
  resultType: ValueType.String,
  execute: async () => "Hello!",
});
`;

/**
 * A browser that says what it opens. Its arguments are in the list of processes until its folder is
 * removed.
 */
const BROWSER = `#!/bin/sh
printf '%s' "$1" > "$0.part" && mv "$0.part" "$0.opened"
while [ -e "$0" ]; do sleep 1; done
`;

/** A command that runs in a terminal and opens the browser. */
interface BrowserCommand extends AsyncDisposable {
  pid: number;
  /** The link that it printed, for the user. */
  link: string;
  /** What the browser opened, and the link in it, which works for half a minute. */
  file: string;
  fileLink: string;
  /** The exit code, at the end. */
  ended: Promise<number | null>;
}

async function startInBrowser(
  { path, write }: ProjectFolder,
  args: readonly string[],
  extraEnv: Readonly<Record<string, string>>,
): Promise<BrowserCommand> {
  const browser = `browser-of-${args[0]}`;
  write(browser, BROWSER);
  chmodSync(join(path, browser), 0o755);
  const { CI: _ci, ...env } = plainEnv();
  const child = spawn(process.execPath, [main, ...args], {
    cwd: path,
    env: { ...env, ...extraEnv, BROWSER: join(path, browser) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const opened = join(path, `${browser}.opened`);
  await vi.waitUntil(() => existsSync(opened) || child.exitCode !== null, { timeout: 60_000 });
  expect({ output, code: child.exitCode }).toMatchObject({ code: null });
  const file = readFileSync(opened, "utf8");
  return {
    pid: child.pid ?? 0,
    link: /http:\S+launch=[\w-]+/.exec(output)?.[0] ?? "",
    file,
    fileLink: readLink(file),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function attack(targets: Targets, user: object): Promise<Attack> {
  const running = promisify(execFile)(process.execPath, ["--input-type=module", "-e", attacker], {
    ...user,
    maxBuffer: 100_000_000,
  });
  running.child.stdin?.end(JSON.stringify(targets));
  return JSON.parse((await running).stdout) as Attack;
}

/** The process and everything that it has started. */
function listTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number).flatMap(listTree))];
}

const readLink = (file: string): string =>
  /url=(http[^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
const readKey = (link: string): string => new URL(link).searchParams.get("launch") ?? "";
const readBody = async (url: string): Promise<string> => (await fetch(url)).text();

/** All servers of one user, who has opened the page of dev and is in the middle of a login. */
async function startServers(project: ProjectFolder) {
  const home = join(project.path, "home");
  const cwd = project.path;
  const env = { PACKSMITH_HOME: home };
  const provider = await startCliServer<ProviderFacts>(["provider", "--port", "0"], { cwd, env });
  project.write("pack.ts", writePack(provider.facts));
  const service = await startCliServer<ServiceFacts>(["service", "--port", "0"], { cwd, env });
  const dev = await startInBrowser(project, ["dev", "--port", "0"], env);
  const { issuer, clientId, clientSecret, controlUrl } = provider.facts;
  const login = await startInBrowser(
    project,
    [
      "auth",
      "connect",
      "pack.ts",
      "--browser",
      "system",
      "--route",
      issuer,
      "--client-id",
      clientId,
    ],
    { ...env, PACKSMITH_CLIENT_SECRET: clientSecret },
  );
  const user = createHeadlessClient();
  expect((await user.request(dev.link)).status).toBe(303);
  const authorizationUrl = (await user.request(login.link)).headers.get("location") ?? "";
  const { searchParams: asked } = new URL(authorizationUrl);
  const parts = [provider, service, dev, login];
  const targets: Targets = {
    pids: parts.flatMap(({ pid }) => listTree(pid)),
    ports: {
      dev: new URL(dev.link).port,
      callback: new URL(login.link).port,
      provider: new URL(issuer).port,
      service: new URL(service.facts.url).port,
    },
    folders: { visible: [project.path], private: [home] },
    known: [readKey(dev.link), readKey(login.link), clientId],
    redirectPath: new URL(asked.get("redirect_uri") ?? "").pathname,
    state: asked.get("state") ?? "",
  };
  return {
    dev,
    login,
    user,
    authorizationUrl,
    home,
    targets,
    secrets: {
      "the link of dev": readKey(dev.fileLink),
      "the link of the login": readKey(login.fileLink),
      "the control key of the provider": controlUrl.split("/").at(-1) ?? "",
      "the control key of the service": service.facts.controlUrl.split("/").at(-1) ?? "",
      "the token of the service": service.facts.token,
      "the client secret": clientSecret,
      "the key of the vault": readFileSync(join(home, "vault.key"), "utf8").trim(),
    },
    /** What an attacker could have changed. */
    async readState() {
      const clocks = [controlUrl, service.facts.controlUrl].map(async (url) => {
        const { nowMs } = JSON.parse(await readBody(`${url}/clock`)) as { nowMs: number };
        return Math.abs(nowMs - Date.now()) < 3_600_000;
      });
      return {
        clocksAreRight: await Promise.all(clocks),
        documents: sha256(await readBody(`${service.facts.controlUrl}/state`), "hex"),
      };
    },
    async [Symbol.asyncDispose]() {
      // The browsers end with the folder.
      project[Symbol.dispose]();
      for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
    },
  };
}

describe.runIf(canBecomeOther)("another user of the machine", () => {
  let servers: Awaited<ReturnType<typeof startServers>>;
  beforeAll(async () => {
    const project = makeProject({ "package.json": '{ "name": "greet", "type": "module" }' });
    chmodSync(project.path, 0o755);
    servers = await startServers(project);
  });
  afterAll(() => servers?.[Symbol.asyncDispose]());

  const listFound = ({ found }: Attack): string[] =>
    Object.entries(servers.secrets).flatMap(([name, key]) => (found.includes(key) ? [name] : []));

  it("finds no key, opens no page, finishes no login and changes no server", async () => {
    const { dev, login, user, authorizationUrl, targets, readState } = servers;
    const before = await readState();
    const result = await attack(targets, asOther);
    expect(result.found).toContain(dev.file);
    expect(result.found).toContain(login.file);
    expect({ worked: result.worked, found: listFound(result) }).toEqual({ worked: [], found: [] });
    expect(await readState()).toEqual(before);

    // Both work as if nothing had happened.
    expect((await user.request(new URL("/", dev.link).href)).status).toBe(200);
    const callback = await user.authorize(authorizationUrl);
    await (await user.request(callback.href)).body?.cancel();
    expect(await login.ended).toBe(0);
  });

  it("would find and change everything as the same user, so each attempt is a real one", async () => {
    const { targets, secrets } = servers;
    const { callback: _closed, ...ports } = targets.ports;
    const pids = targets.pids.filter((pid) => existsSync(`/proc/${pid}`));
    const result = await attack({ ...targets, ports, pids }, {});
    expect(result.worked).toEqual(
      expect.arrayContaining([
        ...["dev: instance", "dev: instance reads", "service: control", "service: state"],
        ...["home: list", "home: read", "home: create", "home: overwrite", "home: rename"],
        ...["process: environ", "process: fd", "process: memory", "process: output"],
      ]),
    );
    // The files with the links are removed after some seconds.
    const temporary = ["the link of dev", "the link of the login"];
    const inMemory = ["the control key of the provider", "the token of the service"];
    const kept = Object.keys(secrets).filter((name) => ![...temporary, ...inMemory].includes(name));
    expect(listFound(result)).toEqual(expect.arrayContaining(kept));
  });
});
