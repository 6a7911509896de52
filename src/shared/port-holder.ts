import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isPackError } from "../errors.ts";
import { portInUse } from "./loopback-server.ts";
import { runTool } from "./run-tool.ts";

export interface PortHolder {
  pid: number;
  /** The program's name; never its arguments, which may hold secrets. */
  name: string;
}

export interface PortHolderOptions {
  env: NodeJS.ProcessEnv;
  /** @default this machine's */
  platform?: NodeJS.Platform | undefined;
  /** Limit for the tool that is asked, in milliseconds. @default 900 */
  timeoutMs?: number | undefined;
}

/**
 * Which process listens on a port of this machine; undefined where that cannot be known, such as
 * for other users' processes.
 */
export async function findPortHolder(
  port: number,
  options: PortHolderOptions,
): Promise<PortHolder | undefined> {
  const { env, platform = process.platform, timeoutMs = 900 } = options;
  if (platform === "linux") return findInProc(port);
  if (platform !== "darwin") return undefined;
  const { stdout } = await runTool(
    "/usr/sbin/lsof",
    ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"],
    { env, timeoutMs },
  );
  const [, pid, name] = /^p(\d+)\n(?:[^c].*\n)*c(.*)$/m.exec(stdout) ?? [];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}

const LISTENING = "0A";

function findInProc(port: number): PortHolder | undefined {
  try {
    const sockets = new Set(
      ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listListeners(table, port)),
    );
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (!listDescriptors(pid).some((target) => sockets.has(target))) continue;
      return { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, "utf8").trim() };
    }
  } catch {
    // This user may not read it.
  }
  return undefined;
}

/**
 * The sockets that listen on a port: the columns are the slot, local address:port, remote, state,
 * …, and the inode as the tenth.
 */
function listListeners(table: string, port: number): string[] {
  return readFileSync(table, "utf8")
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const columns = line.trim().split(/\s+/);
      const isHere =
        Number.parseInt(columns[1]?.split(":").at(-1) ?? "", 16) === port &&
        columns[3] === LISTENING;
      return isHere ? [`socket:[${columns[9]}]`] : [];
    });
}

function listDescriptors(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((name) => readLink(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function readLink(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

/**
 * An error about a port that is taken, with the program that has it, where that can be known; any
 * other error as it is.
 */
export async function namePortHolder(error: unknown, env: NodeJS.ProcessEnv): Promise<unknown> {
  if (!isPackError(error, "PORT_IN_USE")) return error;
  const holder = await findPortHolder(error.details.port, { env });
  if (holder === undefined) return error;
  return portInUse(
    { ...error.details, holder: `${holder.name} (process ${holder.pid})`, hint: error.hint },
    error.cause,
  );
}
