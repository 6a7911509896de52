import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bubblewrapCommand, unshareCommand } from "../../../src/sandbox/host/confine-linux.ts";
import {
  type Confinement,
  FILTER_FD,
  type Launch,
  NO_CONFINEMENT,
  tryConfinement,
} from "../../../src/sandbox/host/confinement.ts";
import { readProgramFiles, readRootEntries } from "../../../src/sandbox/host/root-entries.ts";
import { KERNEL_LIMITS, spawnLaunch } from "../../../src/sandbox/host/sandbox-process.ts";
import { builtFile } from "../../../src/shared/own-package.ts";
import {
  CALLS_OF_AN_ATTACKER,
  CALLS_TO_THE_HOST,
  type CallTargets,
  writeCallProgram,
} from "./kernel-attempts.ts";

// A flaw of V8 can give an attacker more than all of Node: its own machine code, so each system
// call. Perl can make them, and takes the place of Node here.

const PERL = "/usr/bin/perl";
const isAble = process.platform === "linux" && process.arch === "x64" && existsSync(PERL);
const working = isAble
  ? (["bwrap", "unshare"] as const).flatMap((n) => tryConfinement(n) ?? [])
  : [];

/** `errno.h`. */
const OPERATION_NOT_PERMITTED = 1;

/** What an empty network, no rights and a root without files do not deny: only the filter does. */
const UNFILTERED: readonly string[] = [
  ...["clone of a process", "clone3 of a process", "fork"],
  ...["socket of the network", "socket that is a file", "socketpair"],
  ...["socket of the kernel", "socket to the host of a virtual machine", "socket for audits"],
  ...["socket for ciphers", "keyctl of the session", "add_key", "request_key"],
  ...["shmget", "semget", "msgget", "mq_open", "memfd_secret", "io_uring_setup", "userfaultfd"],
  ...["fanotify_init", "listmount", "name_to_handle_at of a folder", "perf_event_open"],
  ...["personality", "modify_ldt"],
];

let targets: CallTargets;
let servers: Server[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-calls-"));
  const file = join(folder, "secret");
  writeFileSync(file, "secret", { mode: 0o600 });
  const socketPath = join(folder, "socket");
  const abstractName = `packsmith-${randomUUID()}`;
  servers = await Promise.all(
    [{ port: 0, host: "127.0.0.1" }, { path: socketPath }, { path: `\0${abstractName}` }].map(
      async (address) => {
        const server = createServer((socket) => socket.destroy());
        await once(server.listen(address), "listening");
        return server;
      },
    ),
  );
  const { port } = (servers[0] as Server).address() as { port: number };
  targets = { file, folder, port, socketPath, abstractName, pid: process.pid };
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(targets.folder, { recursive: true, force: true });
});

/** As `Confinement.launch`, with Perl in the root in place of Node. */
function launchPerl(name: Confinement["name"]): Launch {
  const entries = readRootEntries(readProgramFiles(PERL));
  if (name === "bwrap") {
    const options = { program: "/usr/bin/bwrap", entries, sharesNetwork: false };
    const command = bubblewrapCommand({ ...options, filterFd: FILTER_FD });
    const filter = builtFile("bin/system-calls.x64.bpf");
    return { limits: KERNEL_LIMITS, command: [...command, PERL], filter };
  }
  if (name === "none")
    return NO_CONFINEMENT.launch([PERL], { limits: KERNEL_LIMITS, isInspected: false });
  const programs = Object.fromEntries(
    ["unshare", "setpriv", "mount", "mkdir", "ln"].map((each) => [each, `/usr/bin/${each}`]),
  ) as Parameters<typeof unshareCommand>[0]["programs"];
  const command = unshareCommand({
    programs,
    entries,
    sharesNetwork: false,
    limits: KERNEL_LIMITS,
  });
  return { limits: ":", command: [...command, PERL], filter: undefined };
}

/** @returns the kernel's answer to each call: 0 or the number of an error */
async function tryCalls(
  name: Confinement["name"],
  calls: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const child = spawnLaunch(launchPerl(name));
  child.stdin.end(writeCallProgram(calls, targets));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  const answers = output
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(answers.map(([call]) => call)).toEqual(Object.keys(calls));
  return Object.fromEntries(answers.map(([call, error]) => [call, Number(error)]));
}

const listReached = (answers: Record<string, number>): string[] =>
  Object.keys(answers).filter((call) => answers[call] === 0);

const ALL = { ...CALLS_TO_THE_HOST, ...CALLS_OF_AN_ATTACKER };

describe.skipIf(working.length === 0)("a program with system calls of its own", () => {
  it.runIf(working.some(({ name }) => name === "bwrap"))(
    "reaches nothing with bwrap, whose filter refuses what the namespaces allow",
    async () => {
      const answers = await tryCalls("bwrap", ALL);
      expect(listReached(answers)).toEqual([]);
      const refused = UNFILTERED.filter((call) => call !== "clone3 of a process");
      const others = refused.filter((call) => answers[call] !== OPERATION_NOT_PERMITTED);
      expect(others).toEqual([]);
    },
  );

  it.runIf(working.some(({ name }) => name === "unshare"))(
    "reaches nothing of the host with unshare",
    async () => {
      const reached = listReached(await tryCalls("unshare", ALL));
      expect(reached.filter((call) => !UNFILTERED.includes(call))).toEqual([]);
    },
  );

  it("reaches the host without the kernel, so each of these calls is a real one", async () => {
    const answers = await tryCalls("none", CALLS_TO_THE_HOST);
    const missed = Object.keys(answers).filter((call) => answers[call] !== 0);
    expect(missed.filter((call) => !call.includes("only a"))).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(1);
  });
});
