import { PackError } from "../errors.ts";

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
