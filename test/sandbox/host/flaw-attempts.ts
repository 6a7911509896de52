/** What an attacker knows about the machine: the test has made all of it. */
export interface FlawTargets {
  /** A file with mode 0600, in a folder with mode 0700. */
  file: string;
  folder: string;
  port: number;
  socketPath: string;
  abstractSocket: string;
  /** Id and file of the process that has started the sandbox. */
  pid: number;
  program: string;
  hostname: string;
}

/**
 * Functions of a program that has all of Node: each returns what it has reached, or throws. They
 * become text, so they use nothing but their argument and Node's own names.
 */
export const FLAW_ATTEMPTS: Readonly<Record<string, (targets: FlawTargets) => unknown>> = {
  "reads a private file": ({ file }) => use("fs").readFileSync(file, "utf8"),
  "reads the accounts of the system": () => use("fs").readFileSync("/etc/passwd", "utf8"),
  "lists a folder": ({ folder }) => use("fs").readdirSync(folder),
  "lists more of the root than Node needs": () =>
    use("fs")
      .readdirSync("/")
      .filter((name) => /^(?:etc|proc|dev|sys)$/.test(name))[0],
  "reads its own environment in /proc": () => use("fs").readFileSync("/proc/self/environ"),
  "reads the environment of the program that started it": ({ pid }) =>
    use("fs").readFileSync(`/proc/${pid}/environ`),
  "reads the memory of the program that started it": ({ pid }) =>
    use("fs").openSync(`/proc/${pid}/mem`, "r"),
  "reads the command line of the program that started it": ({ pid }) =>
    use("fs").readFileSync(`/proc/${pid}/cmdline`),
  "goes through the root of another process": ({ pid }) =>
    use("fs").readFileSync(`/proc/${pid}/root/etc/passwd`),
  "leaves its folder": () => {
    process.chdir("/../../etc");
    return process.cwd();
  },
  "lists devices": () => use("fs").readdirSync("/dev"),
  "opens a device": () => use("fs").openSync("/dev/null", "w"),
  "lists shared memory": () => use("fs").readdirSync("/dev/shm"),
  "lists control groups": () => use("fs").readdirSync("/sys/fs/cgroup"),
  "writes a file next to a private one": ({ file }) => {
    use("fs").writeFileSync(`${file}.written`, "");
    return "written";
  },
  "writes a file into a folder for all": () => {
    const path = `/tmp/escaped-${process.pid}`;
    use("fs").writeFileSync(path, "");
    use("fs").unlinkSync(path);
    return "written";
  },
  "makes a folder where its files are": ({ folder }) => {
    const path = process.platform === "linux" && use("fs").existsSync("/etc") ? folder : "";
    use("fs").mkdirSync(`${path}/made`);
    return "made";
  },
  "removes a private file": ({ file }) => {
    use("fs").unlinkSync(`${file}.victim`);
    return "removed";
  },
  "makes a link to a private file": ({ file, folder }) => {
    use("fs").symlinkSync(file, `${folder}/link`);
    return use("fs").readFileSync(`${folder}/link`, "utf8");
  },
  "has a variable of the environment": () =>
    Object.keys(process.env).find((name) => !/^(?:TZ|PWD|OLDPWD|SHLVL|_)$/.test(name)),
  "has an open file, folder or socket": () => {
    for (let descriptor = 3; descriptor < 64; descriptor++) {
      let stats: import("node:fs").Stats;
      try {
        stats = use("fs").fstatSync(descriptor);
      } catch {
        continue;
      }
      if (stats.isFile() || stats.isDirectory() || stats.isSocket()) return `${descriptor}`;
    }
    return undefined;
  },
  "connects to a server by TCP": ({ port }) => connectTo({ port, host: "127.0.0.1" }),
  "sends a request by HTTP": async ({ port }) =>
    (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(3000) })).status,
  "sends a packet by UDP": ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = use("dgram").createSocket("udp4").on("error", reject);
      socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve("sent")));
    }),
  "has an address of the network": () =>
    Object.values(use("os").networkInterfaces()).flat()[0]?.address,
  "connects to a socket that is a file": ({ socketPath }) => connectTo({ path: socketPath }),
  "connects to a socket that has only a name": ({ abstractSocket }) =>
    connectTo({ path: abstractSocket }),
  "finds the program that started it": ({ pid }) => process.kill(pid, 0),
  "finds any other process": () => process.kill(-1, 0),
  "knows the id of the program that started it": ({ pid }) =>
    [process.ppid].find((id) => id === pid),
  "sees the priority of the program that started it": ({ pid }) =>
    `priority ${use("os").getPriority(pid)}`,
  "starts a shell": () => use("child_process").execFileSync("/bin/sh", ["-c", "echo started"]),
  "starts the program that tells the time": () => use("child_process").execFileSync("/bin/date"),
  "starts a program of the project": ({ program }) =>
    use("child_process").execFileSync(program, ["--version"]),
  "becomes another user": () => {
    process.setuid?.(0);
    return process.getuid?.() === 0 ? "root" : undefined;
  },
  "knows who it runs for": () => use("os").userInfo().username,
};

/** The attempts that only a filter of system calls stops. */
export const FILTERED_ATTEMPTS: typeof FLAW_ATTEMPTS = {
  "starts itself again": () =>
    use("child_process").execFileSync(process.execPath, ["--version"], { encoding: "utf8" }),
  "listens on a port": () =>
    new Promise((resolve, reject) => {
      use("net")
        .createServer()
        .on("error", reject)
        .listen(0, () => resolve("listening"));
    }),
  "makes a socket for packets": () =>
    new Promise((resolve, reject) => {
      const socket = use("dgram").createSocket("udp4").on("error", reject);
      socket.bind(0, () => resolve("bound"));
    }),
  "knows the name of the machine": ({ hostname }) =>
    [use("os").hostname()].find((name) => name === hostname),
};

declare function use<Name extends keyof Modules>(name: Name): Modules[Name];
declare function connectTo(address: import("node:net").NetConnectOpts): Promise<string>;

interface Modules {
  fs: typeof import("node:fs");
  os: typeof import("node:os");
  net: typeof import("node:net");
  dgram: typeof import("node:dgram");
  child_process: typeof import("node:child_process");
}

/** @returns a program that tries all of them, and prints which have reached something */
export function writeFlawProgram(attempts: typeof FLAW_ATTEMPTS, targets: FlawTargets): string {
  const list = Object.entries(attempts).map(([name, run]) => `[${JSON.stringify(name)}, ${run}]`);
  return `
const use = (name) => require(name);
const connectTo = (address) => new Promise((resolve, reject) => {
  const socket = require("net").connect({ timeout: 3000, ...address });
  socket.on("connect", () => resolve("connected")).on("error", reject);
  socket.on("timeout", () => reject(new Error("timeout")));
});
(async () => {
  const reached = {};
  for (const [name, run] of [${list.join(",\n")}]) {
    try {
      const result = await run(${JSON.stringify(targets)});
      if (result !== undefined) reached[name] = String(result).slice(0, 80);
    } catch {}
  }
  require("fs").writeSync(1, JSON.stringify(reached));
  process.reallyExit(0);
})();`;
}
