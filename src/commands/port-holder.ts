import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

/** The program that listens on a port. */
export interface PortHolder {
  pid: number;
  /** Such as `node`. */
  name: string;
}

/** How long the system's own tool may take, in milliseconds. */
const TOOL_MS = 1_000;
/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";

/** Who listens on a port of this machine; undefined when the system does not tell. Never rejects. */
export async function portHolder(port: number, platform: string = process.platform): Promise<PortHolder | undefined> {
  try {
    if (platform === "linux") return await holderInProc(port);
    return platform === "darwin" ? await holderByTool(port) : undefined;
  } catch {
    return undefined;
  }
}

async function holderInProc(port: number): Promise<PortHolder | undefined> {
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")));
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const lines = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  const inodes = lines.filter(([, local = "", , state]) => state === LISTENING && local.endsWith(`:${hex}`)).map((fields) => fields[9]);
  if (inodes.length === 0) return undefined;
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // The files of others' processes cannot be looked at; those are passed over.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")));
    if (links.some((link) => sockets.has(link))) return { pid: Number(pid), name: (await readFile(`/proc/${pid}/comm`, "utf8")).trim() };
  }
  return undefined;
}

async function holderByTool(port: number): Promise<PortHolder | undefined> {
  const { stdout } = await promisify(execFile)("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { timeout: TOOL_MS });
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const name = /^c(.+)$/m.exec(stdout)?.[1];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}
