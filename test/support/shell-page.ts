import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/bin/packsmith.cjs");

/** Commands of a page, and what it says that they print. */
export interface ShellBlock {
  commands: string[];
  /** Undefined if the page does not show it. */
  printed: string[] | undefined;
}

/** The command blocks of a page, each with the block of output that follows it. */
export function shellBlocks(page: string): ShellBlock[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\s*^```text\n([\s\S]*?)^```$)?/gm)].map(
    ([, commands = "", printed]) => ({
      commands: commands
        .trimEnd()
        .replace(/\\\n\s*/g, "")
        .split("\n"),
      printed: printed?.trimEnd().split("\n"),
    }),
  );
}

/** A file that a page tells its reader to write. */
export interface FileBlock {
  name: string;
  text: string;
  /** Whether the file keeps what it has, and the text is added to its end. */
  isAddition: boolean;
}

/**
 * The command blocks and the files of a page, in its order. A fence is a file if its first line is
 * a comment with the name: `// pack.ts`, or `// pack.ts, at the end`.
 */
export function pageSteps(page: string): (ShellBlock | FileBlock)[] {
  const fence = /^```sh\n[\s\S]*?^```\n(?:\s*^```text\n[\s\S]*?^```$)?|^```ts\n[\s\S]*?^```$/gm;
  return [...page.matchAll(fence)].flatMap(([text]): (ShellBlock | FileBlock)[] => {
    if (text.startsWith("```sh")) return shellBlocks(text);
    const file = readFileBlock(text.replace(/^```ts\n|^```$/gm, ""));
    return file === undefined ? [] : [file];
  });
}

/** @returns undefined if a code block is not a file */
export function readFileBlock(text: string): FileBlock | undefined {
  const [, name, addition] = /^\/\/ ([\w.-]+\.ts)(, at the end)?\n/.exec(text) ?? [];
  return name === undefined ? undefined : { name, text, isAddition: addition !== undefined };
}

/**
 * What servers print under which name, and the variable that a page puts it into with
 * `export NAME=…`.
 */
const FACTS: Readonly<Record<string, string>> = {
  PACKSMITH_CLIENT_SECRET: "clientSecret",
  PACKSMITH_INTROSPECTION_SECRET: "introspectionSecret",
  PACKSMITH_SECRET_TOKEN: "token",
  PACKSMITH_REGISTRY_TOKEN: "token",
};
/** Ports in pages; a run takes free ones in their place. */
const PAGE_PORT = /\b400[1-9]\b/g;
const SERVER = /^packsmith (?:provider|service(?! import))\b/;
const READY = "ready; stop it with Ctrl+C\n";
const LIMIT_MS = 240_000;

/** A copy of a folder in which the commands of its page run, with a home of their own. */
export interface ShellSession extends AsyncDisposable {
  /**
   * Runs one line as the shell does; both output streams come in the order in which they were
   * written.
   */
  run(line: string): Promise<{ code: number | null; printed: string }>;
  /** Writes a file as the reader does, in the folder of the next command. */
  write(file: FileBlock): void;
}

/**
 * @param folder what the commands run in; an empty one when undefined
 * @param packages names of installed packages that the page's project has, besides packsmith
 */
export async function openShellSession(
  folder: string | undefined,
  packages: readonly string[],
): Promise<ShellSession> {
  const temporary = makeTemporaryFolder();
  let cwd = join(temporary.path, basename(folder ?? "work"));
  if (folder === undefined) mkdirSync(cwd);
  else cpSync(folder, cwd, { recursive: true });
  if (!existsSync(join(cwd, "package.json")))
    writeFileSync(join(cwd, "package.json"), '{ "type": "module" }\n');
  // On a busy machine a test of the page takes longer than it does for a reader.
  writeFileSync(
    join(cwd, "vitest.config.mjs"),
    "export default { test: { testTimeout: 120_000 } };\n",
  );
  linkPackages(cwd, packages);
  const programs = join(temporary.path, "bin");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "packsmith"),
    `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`,
  );
  chmodSync(join(programs, "packsmith"), 0o755);
  const env: Record<string, string> = {
    PATH: `${programs}:${dirname(process.execPath)}:${process.env["PATH"]}`,
    HOME: temporary.path,
    PACKSMITH_HOME: join(temporary.path, "home"),
    PACKSMITH_KEY_STORE: "file",
    NO_COLOR: "1",
    CI: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@users.example",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@users.example",
  };
  const ports = new Map<string, string>();
  const stops: (() => Promise<void>)[] = [];
  let facts: Record<string, string> = {};

  const run: ShellSession["run"] = async (line) => {
    for (const [port] of line.matchAll(PAGE_PORT))
      if (!ports.has(port)) ports.set(port, await freePort());
    // The program is found by its name, and its packages lie above: nothing is fetched.
    const command = line
      .replaceAll("npx packsmith ", "packsmith ")
      .replace(PAGE_PORT, (port) => ports.get(port) ?? port);
    if (command === "npm install") return { code: 0, printed: "" };
    if (command.startsWith("cd ")) {
      cwd = join(cwd, command.slice("cd ".length));
      return { code: 0, printed: "" };
    }
    if (command.startsWith("export ")) {
      for (const [, name = "", value = ""] of command.matchAll(/(\w+)=(\S+)/g))
        env[name] = value === "…" ? (facts[FACTS[name] ?? ""] ?? "") : value;
      return { code: 0, printed: "" };
    }
    const child = spawn(
      "bash",
      ["-c", SERVER.test(command) ? `exec ${command} 2>&1` : `{ ${command}\n} 2>&1`],
      {
        cwd,
        env,
        stdio: ["ignore", "pipe", "inherit"],
        timeout: LIMIT_MS,
      },
    );
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    let printed = "";
    const ready = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk) => {
        printed += String(chunk);
        if (printed.endsWith(READY)) resolve();
      });
    });
    const isServer = SERVER.test(command);
    if (isServer) {
      stops.push(async () => {
        child.kill("SIGINT");
        await ended;
      });
    }
    const code = await (isServer ? Promise.race([ready.then(() => 0), ended]) : ended);
    if (isServer)
      facts = Object.fromEntries(
        [...printed.matchAll(/^(\w+) +(\S+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
      );
    return {
      code,
      printed: [...ports].reduce(
        (text, [port, taken]) => text.replaceAll(`:${taken}`, `:${port}`),
        printed,
      ),
    };
  };
  return {
    run,
    write({ name, text, isAddition }) {
      const path = join(cwd, name);
      if (isAddition) appendFileSync(path, `\n${text}`);
      else writeFileSync(path, text);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      temporary[Symbol.dispose]();
    },
  };
}

/** The code that a page announces at the end of a command: `# exit code 1`. */
export function announcedCode(line: string): number {
  return Number(/# exit code (\d+)$/.exec(line)?.[1] ?? 0);
}

/**
 * Whether this is what the page says: `…` stands for whatever differs from run to run, a line of
 * nothing else for any number of
 * lines, and times and sizes are not compared.
 */
export function isOnPage(printed: string, page: readonly string[]): boolean {
  const pattern = page.map((line) => {
    if (line.trim() === "…") return "(?:.*\n)*?";
    const parts = withoutMeasures(line).split("…");
    return `${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}\n`;
  });
  return new RegExp(`^${pattern.join("")}$`).test(
    `${printed.trimEnd().split("\n").map(withoutMeasures).join("\n")}\n`,
  );
}

function withoutMeasures(line: string): string {
  return line.replace(/\b\d+(?:\.\d+)? ?(ms|s|kB)\b/g, "N $1").trimEnd();
}

function linkPackages(cwd: string, packages: readonly string[]): void {
  const modules = join(cwd, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(root, join(modules, "packsmith"), "junction");
  for (const name of packages)
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  for (const name of packages.filter((each) => existsSync(join(root, "node_modules/.bin", each))))
    symlinkSync(join(root, "node_modules/.bin", name), join(modules, ".bin", name));
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(String(port)));
    });
  });
}
