import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Confinement,
  NO_CONFINEMENT,
  tryConfinement,
} from "../../../src/sandbox/host/confinement.ts";
import {
  KERNEL_LIMITS,
  processFlags,
  spawnLaunch,
} from "../../../src/sandbox/host/sandbox-process.ts";
import { chooseCases } from "../../support/breadth.ts";
import {
  FILTERED_ATTEMPTS,
  FLAW_ATTEMPTS,
  type FlawTargets,
  writeFlawProgram,
} from "./flaw-attempts.ts";

// A flaw of V8 would run code in the realm of the sandbox's process, with everything that Node has.
// Here Node starts without its permission model, so that only the kernel is in the way.

const names = ["bwrap", "unshare"] as const;
const working = names.flatMap((name) => tryConfinement(name) ?? []);
const isRequired = process.platform === "linux" && process.env["CI"] !== undefined;
/** A container may forbid what both need, whatever is installed. */
const isAllowed = spawnSync("/usr/bin/unshare", ["--user", "--map-root-user", "true"]).status === 0;

it.runIf(isRequired)(
  "this machine has bwrap, and shows both kinds of confinement if the kernel allows them",
  () => {
    expect(existsSync("/usr/bin/bwrap")).toBe(true);
    const shown = working.map(({ name }) => name);
    expect(isAllowed ? shown : names).toEqual(names);
  },
);

let targets: FlawTargets;
let servers: Server[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-flaw-"));
  const file = join(folder, "secret");
  for (const path of [file, `${file}.victim`]) writeFileSync(path, "secret", { mode: 0o600 });
  const program = join(folder, "program");
  copyFileSync("/bin/echo", program);
  chmodSync(program, 0o700);
  const socketPath = join(folder, "socket");
  const abstractSocket = `\0packsmith-${randomUUID()}`;
  servers = await Promise.all(
    [{ port: 0, host: "127.0.0.1" }, { path: socketPath }, { path: abstractSocket }].map(listen),
  );
  const { port } = (servers[0] as Server).address() as { port: number };
  targets = {
    file,
    folder,
    port,
    socketPath,
    abstractSocket,
    program,
    pid: process.pid,
    hostname: hostname(),
  };
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(targets.folder, { recursive: true, force: true });
});

async function listen(address: { port?: number; host?: string; path?: string }): Promise<Server> {
  const server = createServer((_, response) => response.end());
  await once(server.listen(address), "listening");
  return server;
}

async function findReached(
  confinement: Confinement,
  attempts: typeof FLAW_ATTEMPTS,
  { flags = ["--no-warnings"], isInspected = false } = {},
): Promise<Record<string, string>> {
  const program = writeFlawProgram(attempts, targets);
  const node = [process.execPath, ...flags, "-e", program];
  const child = spawnLaunch(confinement.launch(node, { limits: KERNEL_LIMITS, isInspected }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  return JSON.parse(output) as Record<string, string>;
}

describe.skipIf(working.length === 0)("code in the realm of the process", () => {
  it.each(working.map((confinement) => [confinement.name, confinement] as const))(
    "reaches nothing with %s",
    async (_, confinement) => {
      expect(await findReached(confinement, FLAW_ATTEMPTS)).toEqual({});
    },
  );

  it.each(working.filter(({ filtersCalls }) => filtersCalls).map((c) => [c.name, c] as const))(
    "starts no process and opens no socket with %s",
    async (_, confinement) => {
      expect(await findReached(confinement, FILTERED_ATTEMPTS)).toEqual({});
    },
  );

  it("reaches everything without the kernel, so each attempt is a real one", async () => {
    const attempts = { ...FLAW_ATTEMPTS, ...FILTERED_ATTEMPTS };
    const reached = await findReached(NO_CONFINEMENT, attempts);
    const missed = Object.keys(attempts).filter((name) => !(name in reached));
    // No sandbox gets the environment, and only root becomes another user.
    const isRoot = process.getuid?.() === 0;
    const never = [
      "has a variable of the environment",
      ...(isRoot ? [] : ["becomes another user"]),
    ];
    expect(missed).toEqual(never);
  });
});

it
  .skipIf(process.platform === "win32")
  .each(
    [...working, NO_CONFINEMENT].map((confinement) => [confinement.name, confinement] as const),
  )("a signal to its group does not reach this process with %s", async (_, confinement) => {
  let signals = 0;
  const count = (): void => {
    signals += 1;
  };
  // It does nothing to those that do not listen, and user namespaces do not stop it.
  process.on("SIGWINCH", count);
  const program = 'process.kill(0, "SIGWINCH"); console.log("sent")';
  const node = [process.execPath, "-e", program];
  const child = spawnLaunch(
    confinement.launch(node, { limits: KERNEL_LIMITS, isInspected: false }),
  );
  expect(await text(child.stdout)).toBe("sent\n");
  // A signal that was sent later, so the other one would have arrived.
  const later = once(process, "SIGCONT");
  process.kill(process.pid, "SIGCONT");
  await later;
  process.off("SIGWINCH", count);
  expect(signals).toBe(0);
});

/** Handles what it can handle, sends it to its group, and goes on. */
const SIGNALLING = `const [only] = process.argv.slice(1);
const names = Object.keys(require("os").constants.signals);
const sent = names.filter((name) => {
  if (only !== undefined && name !== only) return false;
  if (/^SIG(?:KILL|STOP|TSTP|TTIN|TTOU|CONT|CHLD)$/.test(name)) return false;
  try { process.on(name, () => {}); } catch { return false; }
  return true;
});
setTimeout(() => {
  for (const name of sent) process.kill(0, name);
  require("fs").writeSync(1, "sent");
  setInterval(() => {}, 1000);
}, 100);`;

it.skipIf(process.platform === "win32").each(
  [...working, NO_CONFINEMENT].flatMap((confinement) =>
    // Some programs that confine it ignore this signal.
    ["all signals", "SIGTERM"].map((signals) => [signals, confinement.name, confinement] as const),
  ),
)(
  "the process ends with this one after %s to its group with %s",
  async (signals, _, confinement) => {
    const only = signals === "all signals" ? [] : [signals];
    const node = [process.execPath, "-e", SIGNALLING, ...only];
    const child = spawnLaunch(
      confinement.launch(node, { limits: KERNEL_LIMITS, isInspected: false }),
    );
    // One of the signals may end it. The pipe then stays open until it is closed here.
    const exited = once(child, "exit");
    const closed = once(child, "close");
    await Promise.race([once(child.stdout, "data"), exited]);
    (child.stdio[3] as unknown as Duplex).destroy();
    // Without the process that waits for this, it would run until the test ends it.
    await closed;
    expect(child.signalCode).not.toBeNull();
  },
);

/** Rows of the table in docs/security.md, by attempts that are enough to show them. */
const ROWS = {
  files: ["reads a private file", "lists devices", "writes a file next to a private one"],
  programs: ["starts a shell", "starts a program of the project"],
  "the network": ["connects to a server by TCP", "connects to a socket that has only a name"],
  "sockets of its own": ["listens on a port"],
  "signals to other processes": ["finds the program that started it"],
  "the environment": ["has a variable of the environment"],
} as const;
const INSPECTED_ROWS = {
  "with a debugger: files, programs, signals": [
    ...[...ROWS.files, ...ROWS.programs, ...ROWS["signals to other processes"]],
  ],
  "with a debugger: the network": ["connects to a server by TCP"],
};

function readTable(column: number): Record<string, boolean> {
  const page = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("| | Linux, `bwrap` |");
  const rows = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return Object.fromEntries(
    rows.map((row) => {
      const cells = row.split("|").map((cell) => cell.trim());
      return [cells[1], /reachable|only in/.test(cells[column + 1] as string)];
    }),
  );
}

describe.skipIf(process.platform !== "linux")("the table of docs/security.md", () => {
  const columns = ["bwrap", "unshare", "none"] as const;
  const confinements = [...working, NO_CONFINEMENT];

  it.each(
    chooseCases(
      confinements.map((c) => [c.name, c] as const),
      3,
    ),
  )("is true for this Node with %s", async (name, confinement) => {
    const attempts = { ...FLAW_ATTEMPTS, ...FILTERED_ATTEMPTS };
    const [usual, inspected] = await Promise.all([
      findReached(confinement, attempts, { flags: processFlags(128) }),
      findReached(confinement, attempts, { isInspected: true }),
    ]);
    const judge = (rows: Record<string, readonly string[]>, reached: Record<string, string>) =>
      Object.entries(rows).map(([row, names]) => [row, names.some((each) => each in reached)]);
    const seen = [...judge(ROWS, usual), ...judge(INSPECTED_ROWS, inspected)];
    const column = columns.indexOf(name as (typeof columns)[number]) + 1;
    expect(Object.fromEntries(seen)).toEqual(readTable(column));
  });
});
