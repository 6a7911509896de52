import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PackError } from "../errors.ts";
import { runTool } from "../shared/run-tool.ts";

/** The operating system's own place for secrets. It is spoken to through the system's own tool. */
export interface Keychain {
  /** How people know it. */
  readonly name: string;
  /**
   * @returns undefined when it holds nothing under this name
   * @throws {PackError} KEYCHAIN_UNAVAILABLE when it is locked, or access is denied
   */
  load(id: string): Promise<string | undefined>;
  /**
   * @returns false when there is no keychain behind the tool
   * @throws {PackError} KEYCHAIN_UNAVAILABLE when it is locked, or access is denied
   */
  save(id: string, secret: string): Promise<boolean>;
  /** Removes what is there under this name. Never fails. */
  forget(id: string): Promise<void>;
}

/** The error of a keychain that does not open. */
export function keychainUnavailable(keychain: string, reason: string): PackError<"KEYCHAIN_UNAVAILABLE"> {
  return new PackError("KEYCHAIN_UNAVAILABLE", `The vault's key is kept in the ${keychain}, which cannot be used now: ${reason}.`, {
    details: { keychain, reason },
    hint: "Unlock it and allow packsmith to use it, then run again. A new vault keeps its key in a file with PACKSMITH_KEY_STORE=file.",
  });
}

export interface KeychainSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** How long one question to it may take, in milliseconds. @default 60_000: a person may have to answer a dialog */
  timeoutMs?: number | undefined;
}

/** The keychain of this machine, or undefined where there is none that a tool of the system reaches: Windows, servers, containers. */
export function findKeychain({ env, platform, timeoutMs }: KeychainSurroundings): Keychain | undefined {
  if (platform === "darwin") {
    const program = findProgram("security", env);
    return program === undefined ? undefined : createMacosKeychain(program, env, timeoutMs);
  }
  if (platform !== "linux" || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const program = findProgram("secret-tool", env);
  return program === undefined ? undefined : createSecretService(program, env, timeoutMs);
}

/** A program of the system, by its name. */
export function findProgram(name: string, env: KeychainSurroundings["env"]): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const MACOS_NAME = "macOS keychain";
const MACOS_SERVICE = "packsmith";
/** errSecItemNotFound, as the tool's exit code. */
const NOT_FOUND = 44;

/**
 * The login keychain, through the system's `security`. Storing goes through its interactive mode, because a secret in its
 * arguments would be visible to every program.
 */
function createMacosKeychain(program: string, env: Readonly<Record<string, string | undefined>>, timeoutMs?: number | undefined): Keychain {
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout } = await runTool(program, ["find-generic-password", "-a", id, "-s", MACOS_SERVICE, "-w"], { env, timeoutMs });
    if (code === 0) return stdout.trim();
    if (code === NOT_FOUND) return undefined;
    throw keychainUnavailable(MACOS_NAME, code === undefined ? "it did not answer" : "it is locked, or access was denied");
  };
  return {
    name: MACOS_NAME,
    load,
    async save(id, secret) {
      // Words of letters, digits, "-" and "_" need no quotes; both are of that kind.
      if (!/^[\w-]+$/.test(id) || !/^[\w-]+$/.test(secret)) throw new TypeError("Only plain words go to the keychain.");
      await runTool(program, ["-i"], { env, timeoutMs, input: `add-generic-password -U -a ${id} -s ${MACOS_SERVICE} -w ${secret}\n` });
      // The interactive mode tells no failure by its exit code.
      if ((await load(id)) !== secret) throw keychainUnavailable(MACOS_NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["delete-generic-password", "-a", id, "-s", MACOS_SERVICE], { env, timeoutMs });
    },
  };
}

const SECRET_SERVICE_NAME = "desktop's keyring (Secret Service)";
const SECRET_SERVICE_LABEL = "packsmith: key of the accounts";
/** What the tool says when nobody answers on the session bus. */
const NOBODY = /could not connect|was not provided by any|serviceunknown|cannot autolaunch|not activatable/i;

/** The Secret Service of a Linux desktop, through libsecret's `secret-tool`. It reads a secret from stdin and writes one to stdout. */
function createSecretService(program: string, env: Readonly<Record<string, string | undefined>>, timeoutMs?: number | undefined): Keychain {
  const attributes = (id: string): string[] => ["service", "packsmith", "vault", id];
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout, stderr } = await runTool(program, ["lookup", ...attributes(id)], { env, timeoutMs });
    if (code === 0 && stdout !== "") return stdout.trim();
    // Without a word on stderr there is no such entry, or it is locked: then its attributes are found all the same.
    if (code === 1 && stderr.trim() === "") {
      const found = await runTool(program, ["search", "--all", ...attributes(id)], { env, timeoutMs });
      if (!found.stdout.startsWith("[")) return undefined;
      throw keychainUnavailable(SECRET_SERVICE_NAME, "it is locked");
    }
    throw keychainUnavailable(SECRET_SERVICE_NAME, reasonOf(code, stderr));
  };
  return {
    name: SECRET_SERVICE_NAME,
    load,
    async save(id, secret) {
      const { code, stderr } = await runTool(program, ["store", `--label=${SECRET_SERVICE_LABEL}`, ...attributes(id)], {
        env,
        timeoutMs,
        input: secret,
      });
      if (code !== 0 && NOBODY.test(stderr)) return false;
      if (code !== 0) throw keychainUnavailable(SECRET_SERVICE_NAME, reasonOf(code, stderr));
      if ((await load(id)) !== secret) throw keychainUnavailable(SECRET_SERVICE_NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["clear", ...attributes(id)], { env, timeoutMs });
    },
  };
}

/** The tool's last words, which hold no secret: it never repeats what it read. */
function reasonOf(code: number | undefined, stderr: string): string {
  if (code === undefined) return "it did not answer";
  const line = stderr.trim().split("\n").at(-1) ?? "";
  return /locked/i.test(line) ? "it is locked" : NOBODY.test(line) ? "nothing answers on the session bus" : "access was denied";
}
