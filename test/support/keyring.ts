import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { findProgram } from "./find-program.ts";

const BUS = "dbus-daemon";
const ASK_BUS = "dbus-send";
const KEYRING = "gnome-keyring-daemon";
const isInstalled = [BUS, ASK_BUS, KEYRING, "secret-tool"].every(
  (program) => findProgram(program) !== undefined,
);

/** Tests with a real desktop keyring; skipped where none is installed. */
export const describeKeyring = describe.runIf(process.platform === "linux" && isInstalled);

/** A session bus and a keyring of their own, in a temporary folder. */
export interface Keyring extends AsyncDisposable {
  /** What a program of this session has in its environment. */
  env: Record<string, string>;
  /** Ends the keyring and starts it again, locked until its password is given. */
  restart(state: "locked" | "unlocked"): Promise<void>;
}

export async function startKeyring(): Promise<Keyring> {
  const home = mkdtempSync(join(tmpdir(), "packsmith-keyring-"));
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_DATA_HOME: join(home, "data"),
  };
  const bus = spawn(BUS, ["--session", "--nofork", "--nosyslog", "--print-address=1"], {
    env: base,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    bus.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
    bus.once("close", () => reject(new Error("dbus-daemon ended.")));
  });
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: address };
  let daemon: ChildProcess | undefined;
  const start = async (unlocked: boolean): Promise<void> => {
    // --unlock reads the password of the login keyring, and makes that keyring when it is new.
    const child = spawn(
      KEYRING,
      ["--foreground", "--components=secrets", ...(unlocked ? ["--unlock"] : [])],
      {
        env,
        stdio: ["pipe", "ignore", "ignore"],
      },
    );
    child.stdin.end("a password\n");
    daemon = child;
    for (let tries = 0; tries < 100; tries++) {
      const owner = spawnSync(
        ASK_BUS,
        [
          "--session",
          "--print-reply",
          "--dest=org.freedesktop.DBus",
          "/",
          "org.freedesktop.DBus.NameHasOwner",
          "string:org.freedesktop.secrets",
        ],
        { env },
      );
      if (String(owner.stdout).includes("boolean true")) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The keyring did not appear on the bus.");
  };
  await start(true);
  return {
    env,
    async restart(state) {
      await ended(daemon);
      await start(state === "unlocked");
    },
    async [Symbol.asyncDispose]() {
      await ended(daemon);
      await ended(bus);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await closed;
}
