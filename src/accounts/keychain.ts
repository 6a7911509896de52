import { PackError } from "../errors.ts";
import { findProgram } from "../shared/find-program.ts";
import { runTool } from "../shared/run-tool.ts";

/** The operating system's store for secrets, used through the system's own command-line tool. */
export interface Keychain {
  /** Its name in messages. */
  readonly name: string;
  /**
   * @returns undefined if it has no entry under this name
   * @throws {PackError} KEYCHAIN_UNAVAILABLE when it is locked, or access is denied
   */
  load(id: string): Promise<string | undefined>;
  /**
   * @returns false if the tool finds no keychain
   * @throws {PackError} KEYCHAIN_UNAVAILABLE when it is locked, or access is denied
   */
  save(id: string, secret: string): Promise<boolean>;
  /** Removes the entry under this name. Never fails. */
  forget(id: string): Promise<void>;
}

/** The error for a keychain that cannot be opened. */
export function keychainUnavailable(
  keychain: string,
  reason: string,
): PackError<"KEYCHAIN_UNAVAILABLE"> {
  return new PackError(
    "KEYCHAIN_UNAVAILABLE",
    `packsmith cannot read the key of the vault from the ${keychain}: ${reason}.`,
    {
      details: { keychain, reason },
      hint: "Unlock the keychain, and allow packsmith to use it. Then run the command again. If you have no vault yet, you can keep its key in a file instead: set PACKSMITH_KEY_STORE=file.",
    },
  );
}

export interface KeychainSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /**
   * Limit for one call of the tool, in milliseconds. @default 60_000, because the user may have to
   * answer a dialog
   */
  timeoutMs?: number | undefined;
}

/**
 * The keychain of this machine; undefined where the system has no tool for one: on Windows, servers
 * and in containers.
 */
export function findKeychain({
  env,
  platform,
  timeoutMs,
}: KeychainSurroundings): Keychain | undefined {
  if (platform === "darwin") {
    const program = findProgram("security", env);
    return program === undefined ? undefined : createMacosKeychain(program, env, timeoutMs);
  }
  if (platform !== "linux" || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const program = findProgram("secret-tool", env);
  return program === undefined ? undefined : createSecretService(program, env, timeoutMs);
}

const MACOS_NAME = "macOS keychain";
const MACOS_SERVICE = "packsmith";
/** errSecItemNotFound, as the tool's exit code. */
const NOT_FOUND = 44;

/**
 * The login keychain of macOS, through the tool `security`. A secret is stored in its interactive
 * mode, because every
 * program can read arguments.
 */
function createMacosKeychain(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs?: number | undefined,
): Keychain {
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout } = await runTool(
      program,
      ["find-generic-password", "-a", id, "-s", MACOS_SERVICE, "-w"],
      { env, timeoutMs },
    );
    if (code === 0) return stdout.trim();
    if (code === NOT_FOUND) return undefined;
    throw keychainUnavailable(
      MACOS_NAME,
      code === undefined ? "it did not answer" : "it is locked, or access was denied",
    );
  };
  return {
    name: MACOS_NAME,
    load,
    async save(id, secret) {
      // Both consist of letters, digits, "-" and "_", which need no quotes.
      if (!/^[\w-]+$/.test(id) || !/^[\w-]+$/.test(secret))
        throw new TypeError('The keychain accepts only letters, digits, "-" and "_".');
      await runTool(program, ["-i"], {
        env,
        timeoutMs,
        input: `add-generic-password -U -a ${id} -s ${MACOS_SERVICE} -w ${secret}\n`,
      });
      // The exit code of the interactive mode does not show a failure.
      if ((await load(id)) !== secret)
        throw keychainUnavailable(MACOS_NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["delete-generic-password", "-a", id, "-s", MACOS_SERVICE], {
        env,
        timeoutMs,
      });
    },
  };
}

const SECRET_SERVICE_NAME = "desktop's keyring (Secret Service)";
const SECRET_SERVICE_LABEL = "packsmith: key of the accounts";
/** What the tool prints when no program answers on the session bus. */
const NO_SERVICE =
  /could not connect|was not provided by any|serviceunknown|cannot autolaunch|not activatable/i;

/**
 * The Secret Service of a Linux desktop, through libsecret's `secret-tool`, which reads secrets
 * from stdin and writes them to stdout.
 */
function createSecretService(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs?: number | undefined,
): Keychain {
  const attributes = (id: string): string[] => ["service", "packsmith", "vault", id];
  const load = async (id: string): Promise<string | undefined> => {
    const { code, stdout, stderr } = await runTool(program, ["lookup", ...attributes(id)], {
      env,
      timeoutMs,
    });
    if (code === 0 && stdout !== "") return stdout.trim();
    // Nothing on stderr: either there is no entry, or it is locked. A locked entry can still be
    // found by its attributes.
    if (code === 1 && stderr.trim() === "") {
      const found = await runTool(program, ["search", "--all", ...attributes(id)], {
        env,
        timeoutMs,
      });
      if (!found.stdout.startsWith("[")) return undefined;
      throw keychainUnavailable(SECRET_SERVICE_NAME, "it is locked");
    }
    throw keychainUnavailable(SECRET_SERVICE_NAME, explainFailure(code, stderr));
  };
  return {
    name: SECRET_SERVICE_NAME,
    load,
    async save(id, secret) {
      const { code, stderr } = await runTool(
        program,
        ["store", `--label=${SECRET_SERVICE_LABEL}`, ...attributes(id)],
        {
          env,
          timeoutMs,
          input: secret,
        },
      );
      if (code !== 0 && NO_SERVICE.test(stderr)) return false;
      if (code !== 0) throw keychainUnavailable(SECRET_SERVICE_NAME, explainFailure(code, stderr));
      if ((await load(id)) !== secret)
        throw keychainUnavailable(SECRET_SERVICE_NAME, "it did not keep the key");
      return true;
    },
    async forget(id) {
      await runTool(program, ["clear", ...attributes(id)], { env, timeoutMs });
    },
  };
}

/** The reason, from the tool's last line. The tool never repeats the secret that it read. */
function explainFailure(code: number | undefined, stderr: string): string {
  if (code === undefined) return "it did not answer";
  const line = stderr.trim().split("\n").at(-1) ?? "";
  return /locked/i.test(line)
    ? "it is locked"
    : NO_SERVICE.test(line)
      ? "no program answers on the session bus"
      : "access was denied";
}
