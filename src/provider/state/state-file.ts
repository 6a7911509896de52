import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { NextFunction, Request, Response } from "express";
import { usageError } from "../../errors.ts";
import { systemReason } from "../../shared/failures.ts";
import { MAX_FILE_BYTES, readRegularFile } from "../../shared/files.ts";
import { isRecord } from "../../shared/values.ts";
import type { ProviderClient } from "../options.ts";
import type { KeptTokens } from "./token-store.ts";

/** What a provider keeps between two runs. Of tokens, only digests. */
export interface KeptState {
  kind: "packsmith-provider-state";
  version: 1;
  /** Secrets of the clients that every provider has, by client ID. */
  clientSecrets: Record<string, string>;
  /** The private key of ID Tokens and JWT access tokens (PEM), once it was used. */
  signingKey: string | undefined;
  /** How far tests have moved the clock, in milliseconds. */
  clockAheadMs: number;
  registeredClients: ProviderClient[];
  tokens: KeptTokens;
}

/**
 * Reads the state of an earlier run.
 * @returns undefined without such a file
 * @throws {PackError} USAGE_INVALID for a file of another kind, which is never replaced
 */
export function readState(path: string): KeptState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readRegularFile(path).toString("utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw createUnusableError(path);
  }
  if (!isRecord(value) || value["kind"] !== "packsmith-provider-state" || value["version"] !== 1)
    throw createUnusableError(path);
  return value as typeof value & KeptState;
}

function createUnusableError(path: string): Error {
  return usageError(
    `${path} does not contain the state of a provider.`,
    "Choose another file for the state, or remove this file.",
  );
}

export interface StateFile {
  /**
   * Writes the state if it has changed since the last time.
   * @throws {Error} the system's, and with the code `EFBIG` for a state of more than 64 MiB
   */
  save(): void;
}

/**
 * Keeps a state in a file that only the user can read. No one ever reads half of it. @throws
 * {PackError} USAGE_INVALID
 */
export function openStateFile(path: string, current: () => KeptState): StateFile {
  let written: string | undefined;
  const save = (): void => {
    const text = JSON.stringify(current());
    if (text === written) return;
    // The next run could not read it.
    if (Buffer.byteLength(text) > MAX_FILE_BYTES)
      throw Object.assign(new Error("The state is larger than 64 MiB."), { code: "EFBIG" });
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
    written = text;
  };
  try {
    save();
  } catch (cause) {
    const reason = systemReason(cause) ?? "the system refused it";
    throw usageError(
      `The state cannot be written to ${path}: ${reason}.`,
      "Choose a file in an existing folder that you can write to.",
    );
  }
  return { save };
}

/**
 * Saves what a request changed before its response begins: what a client has received survives the
 * end of the process.
 */
export function saveBeforeResponse(file: StateFile) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const writeHead = response.writeHead;
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      try {
        file.save();
      } catch {
        // A token that is not kept must not be received.
        response.destroy();
        return response;
      }
      return writeHead.apply(response, args);
    }) as typeof writeHead;
    next();
  };
}
