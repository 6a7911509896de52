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
  /** Whether the compiler finds what an earlier check left. */
  readonly isKnown: boolean;
  /** What was given to `keep`. */
  mark: string;
  /** Lets the compiler check everything. */
  forget(): void;
  /** Keeps what the compiler has written, with a line about the check. */
  keep(mark: string): void;
}

/** @param record a path in the cache */
export function openBuildInfo(record: string): BuildInfo {
  const folder = makeOwnFolder();
  const path = join(folder.path, "check.tsbuildinfo");
  const [, mark = "", known] = /^([^\n]*)\n(.*)$/s.exec(readRecordText(record) ?? "") ?? [];
  if (known !== undefined) writeFileSync(path, known, { mode: 0o600 });
  let isKnown = known !== undefined;
  return {
    path,
    mark,
    get isKnown() {
      return isKnown;
    },
    forget() {
      rmSync(path, { force: true });
      isKnown = false;
    },
    keep(newMark) {
      const text = readText(path);
      if (text !== undefined) saveRecord(record, `${newMark}\n${text}`);
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
