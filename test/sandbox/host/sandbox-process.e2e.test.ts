import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Confinement, tryConfinement } from "../../../src/sandbox/host/confinement.ts";
import { processFlags, startSandboxProcess } from "../../../src/sandbox/host/sandbox-process.ts";
import { listChildren, processorMs } from "../../../src/shared/process-tree.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";

const root = new URL("../../../", import.meta.url).pathname;

// The script of the sandbox keeps none of these functions. If it did, Node would refuse them.
describe("a process with the flags of the sandbox", () => {
  it.each([
    ["reads no file", `require("fs").readFileSync("/etc/hostname")`],
    ["reads nothing of itself", `require("fs").readFileSync("/proc/self/environ")`],
    ["lists no folder", `require("fs").readdirSync("/")`],
    ["writes no file", `require("fs").writeFileSync("escaped.txt", "x")`],
    ["makes no link", `require("fs").symlinkSync("/etc", "escaped")`],
    ["starts no program", `require("child_process").execFileSync("/bin/true")`],
    ["starts no thread", `new (require("worker_threads").Worker)("0", { eval: true })`],
    ["loads no native code", `process.dlopen({ exports: {} }, "/escaped.node")`],
    ["reads no environment from a file", `process.loadEnvFile("/etc/environment")`],
    ["writes no report", `process.report.writeReport("escaped.json")`],
    ["opens no inspector", `require("inspector").open(0)`],
    ["loads no module from a file", `require("/etc/hostname")`],
    ["starts no program of WASI", `new (require("wasi").WASI)({ version: "preview1" })`],
    ["opens no database", `new (require("node:sqlite").DatabaseSync)("/escaped.db")`],
    ["makes no code from text", `new Function("return 1")()`],
    ["makes no code with eval", `(0, eval)("1")`],
  ])("%s", (_, code) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...processFlags(128), "-e", `${code}; console.log("escaped")`],
      {
        encoding: "utf8",
        env: {},
      },
    );
    expect(stdout).toBe("");
    expect(status).not.toBe(0);
    expect(stderr).toMatch(
      /ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EvalError/,
    );
  });

  it("warns of nothing", () => {
    const { stderr, status } = spawnSync(
      process.execPath,
      [...processFlags(128), "-e", "require('internal/test/binding')"],
      {
        encoding: "utf8",
        env: {},
      },
    );
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  });
});

const confinements = (["none", "bwrap", "unshare"] as const).flatMap(
  (name) => tryConfinement(name) ?? [],
);

describe.each(chooseCases(confinements, 3))(
  "the process of a sandbox with $name",
  (confinement) => {
    it.runIf(process.platform === "linux")(
      "has no variable of this process, and its own limits",
      async () => {
        await using sandbox = startSandboxProcess({ confinement });
        const pid = await waitForNode(sandbox.child.pid);
        const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
        expect(read("limits")).toMatch(/Max file size\s+0\s+0/);
        expect(read("limits")).toMatch(/Max core file size\s+0\s+0/);
        expect(
          read("environ")
            .split("\0")
            .filter((entry) => !/^(TZ|PWD|OLDPWD|SHLVL|_)=|^$/.test(entry)),
        ).toEqual([]);
      },
    );

    it("ends when it is told to, whatever it does", async () => {
      const sandbox = startSandboxProcess({ confinement });
      await sandbox[Symbol.asyncDispose]();
      expect(sandbox.child.signalCode).toBe("SIGKILL");
      await sandbox[Symbol.asyncDispose]();
    });

    const findParent = (ending: string) => `
    import { tryConfinement } from ${JSON.stringify(join(root, "dist/sandbox/host/confinement.js"))};
    import { createIsolate } from ${JSON.stringify(join(root, "dist/sandbox/host/isolate.js"))};
    import { startSandboxProcess } from ${JSON.stringify(join(root, "dist/sandbox/host/sandbox-process.js"))};
    const sandbox = startSandboxProcess({ confinement: tryConfinement("${confinement.name}") });
    const code = 'module.exports.pack = { formulas: [{ name: "Run", execute: () => { for (;;); } }] };';
    const isolate = await createIsolate({ code, fileName: "bundle.js", process: sandbox });
    console.log(sandbox.child.pid);
    ${ending}`;
    const invoked = `void isolate.invoke({ kind: "formula", name: "Run", args: [] }, { context: {}, fetch: () => {} });`;

    it.runIf(process.platform !== "win32")(
      "ends soon when that program is killed during a loop, which notices nothing",
      async () => {
        const ending = `${invoked} setInterval(() => {}, 1000);`;
        const parent = spawn(process.execPath, ["--input-type=module", "-e", findParent(ending)], {
          stdio: ["ignore", "pipe", "ignore"],
        });
        const pid = Number(((await once(parent.stdout, "data")) as [Buffer])[0]);
        // More than it takes to start: the loop is running.
        await expect.poll(() => processorMs(pid)).toBeGreaterThan(1000);
        const all = listTree(pid);
        parent.kill("SIGKILL");
        await expect.poll(() => all.filter(isRunning)).toEqual([]);
      },
    );

    it.runIf(process.platform === "linux")("leaves no process behind when it ends", async () => {
      const sandbox = startSandboxProcess({ confinement });
      await waitForNode(sandbox.child.pid);
      const all = listTree(sandbox.child.pid as number);
      // Itself, and the one that waits for the end of this program.
      expect(all.length).toBeGreaterThanOrEqual(2);
      expect(all.filter(isRunning)).toEqual(all);
      await sandbox[Symbol.asyncDispose]();
      await expect.poll(() => all.filter(isRunning)).toEqual([]);
    });

    it.runIf(process.platform === "linux")(
      "leaves no process behind when it ends at any moment of its start",
      async () => {
        const seen = new Set<number>();
        for (const milestone of MILESTONES[confinement.name] ?? [])
          for (let attempt = 0; attempt < (isLong ? 20 : 4); attempt++) {
            const sandbox = startSandboxProcess({ confinement });
            const pid = sandbox.child.pid as number;
            for (const each of waitForMilestone(pid, milestone)) seen.add(each);
            await sandbox[Symbol.asyncDispose]();
            for (const each of listGroup(pid)) seen.add(each);
          }
        await expect.poll(() => [...seen].filter(isRunning)).toEqual([]);
      },
    );

    it.runIf(process.platform === "linux")(
      "leaves no process behind when only its first one is killed",
      async () => {
        const sandbox = startSandboxProcess({ confinement });
        const pid = sandbox.child.pid as number;
        await waitForNode(pid);
        process.kill(pid, "SIGKILL");
        await expect.poll(() => listGroup(pid)).toEqual([]);
      },
    );

    it.each([
      ["exits during a run", `${invoked} setTimeout(() => process.exit(), 100);`, undefined],
      [
        "fails during a run",
        `${invoked} setTimeout(() => { throw new Error("failed"); }, 100);`,
        undefined,
      ],
      ["is killed", "setInterval(() => {}, 1000);", "SIGKILL"],
      ["has nothing left to do", "setTimeout(() => {}, 500);", undefined],
    ] as const)("ends when the program that started it %s", async (_, ending, signal) => {
      const parent = spawn(process.execPath, ["--input-type=module", "-e", findParent(ending)], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const [first] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(first);
      expect(pid).toBeGreaterThan(0);
      const all = process.platform === "linux" ? listTree(pid) : [pid];
      if (signal !== undefined) parent.kill(signal);
      if (parent.exitCode === null && parent.signalCode === null) await once(parent, "exit");
      await expect.poll(() => all.filter(isRunning)).toEqual([]);
    });
  },
);

it.runIf(process.platform === "linux")(
  "a sandbox ends what its first process has started, which may not notice its end",
  async () => {
    const deaf = `${process.execPath} -e "setInterval(() => {}, 1000)"`;
    await using sandbox = startSandboxProcess({
      confinement: {
        name: "none",
        filtersCalls: false,
        launch: () => ({
          limits: ":",
          command: ["/bin/sh", "-c", `${deaf} & echo $!; wait`],
          filter: undefined,
        }),
      },
    });
    const pid = Number(((await once(sandbox.child.stdout, "data")) as [Buffer])[0]);
    expect(isRunning(pid)).toBe(true);
    await sandbox[Symbol.asyncDispose]();
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

it.runIf(process.platform === "linux")(
  "the Ctrl+C of a terminal does not reach a sandbox, only the program that started it",
  async () => {
    await using sandbox = startSandboxProcess();
    const pid = sandbox.child.pid as number;
    expect(readStat(pid)).toMatchObject({ group: pid, session: pid });
  },
);

/** Moments of a start, by the number of processes that it has; the last one is when Node runs. */
const MILESTONES: Readonly<Partial<Record<Confinement["name"], readonly (number | "node")[]>>> = {
  none: [1, 2, "node"],
  bwrap: [1, 2, 3, 4, "node"],
  unshare: [1, 2, 3, "node"],
};

/**
 * Looks without a pause, to get to a moment that passes in less than a millisecond.
 * @returns the processes that were seen
 */
function waitForMilestone(pid: number, milestone: number | "node"): number[] {
  const endMs = performance.now() + 5000;
  for (;;) {
    const tree = listTree(pid);
    const isReached =
      milestone === "node" ? tree.some((each) => isNode(each)) : tree.length >= milestone;
    if (isReached || performance.now() > endMs) return tree;
  }
}

function isNode(pid: number): boolean {
  try {
    const [program] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return program === process.execPath;
  } catch {
    return false;
  }
}

/** The processes of a group, wherever they are in the tree: one whose parent ended moves. */
function listGroup(group: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readStat(pid)?.group === group && isRunning(pid));
}

function readStat(pid: number): { group: number; session: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name, which may contain anything.
    const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { group: Number(group), session: Number(session) };
  } catch {
    return undefined;
  }
}

/** A process and all below it. */
function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)];
}

/** @returns the process that runs Node, which may be below those that confine it */
async function waitForNode(pid: number | undefined): Promise<number> {
  const find = () => listTree(pid as number).find(isNode);
  await expect.poll(find).toBeDefined();
  return find() as number;
}

function isRunning(pid: number): boolean {
  try {
    // Without a parent that asks for its exit code, a process that ended stays in the list.
    if (process.platform === "linux")
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
