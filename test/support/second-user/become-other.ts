import { spawnSync } from "node:child_process";

/** The user `nobody`. */
export const OTHER_USER = 65_534;

/** Options of a child process that belongs to another user. Only root can start one. */
export const asOther = { uid: OTHER_USER, gid: OTHER_USER, cwd: "/" };

export const canBecomeOther: boolean =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", ""], asOther).status === 0;
