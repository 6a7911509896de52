import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Keychain } from "./keychain.ts";
import { createMacosKeychain } from "./macos-keychain.ts";
import { createSecretService } from "./secret-service.ts";

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
