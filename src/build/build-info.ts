import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../shared/files.ts";
import { readRecordText, saveRecord } from "./cache-records.ts";
import { makeOwnFolder, type TypeConfiguration } from "./type-config.ts";

/**
 * What the compiler remembers of a check, to check only what has changed since. It reads and writes
 * a file in a folder of this user; between two checks, that is a record in the cache.
 */
export interface BuildInfo extends Disposable {
  /** The file of the compiler. */
  path: string;
  /** Whether an earlier check left something. */
  isKnown: boolean;
  /** Lets the compiler check everything. */
  forget(): void;
  /** Keeps what the compiler has written. */
  keep(): void;
}

/** @param record a path in the cache */
export function openBuildInfo(record: string): BuildInfo {
  const folder = makeOwnFolder();
  const path = join(folder.path, "check.tsbuildinfo");
  const known = readRecordText(record);
  if (known !== undefined) writeFileSync(path, known, { mode: 0o600 });
  return {
    path,
    isKnown: known !== undefined,
    forget: () => rmSync(path, { force: true }),
    keep() {
      const text = readText(path);
      if (text !== undefined) saveRecord(record, text);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** A configuration with which the compiler uses the information. */
export function withBuildInfo(
  configuration: TypeConfiguration,
  info: BuildInfo | undefined,
): TypeConfiguration {
  if (info === undefined) return configuration;
  const { compilerOptions, ...rest } = configuration;
  return {
    ...rest,
    compilerOptions: { ...compilerOptions, incremental: true, tsBuildInfoFile: info.path },
  };
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch {
    return undefined;
  }
}
