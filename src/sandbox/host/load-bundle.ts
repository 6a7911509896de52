import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { definitionForm } from "../../define/definition-form.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { readableDefinition } from "../../define/readable-definition.ts";
import { decodeSnapshot, type LostPart } from "../../define/snapshot.ts";
import { PackError } from "../../errors.ts";
import { builtFile } from "../../shared/own-package.ts";
import {
  type LoadRequest,
  type PackSnapshots,
  type ProcessReport,
  RESET,
  type SandboxError,
  type SandboxOutput,
} from "../protocol.ts";
import { checkError, notOfSandbox } from "./isolate-errors.ts";
import { createSandboxChannel, type SandboxChannel } from "./sandbox-channel.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { createStackMapper, type StackMapper } from "./stack-trace.ts";

/** Time limit for the top level of a Pack, which should only hold definitions. */
const LOAD_TIMEOUT_MS = 10_000;

/**
 * What an error lists of the names that a file exports: it may have any number of them, of any
 * length.
 */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

/** A bundle as the sandbox takes it. */
export interface IsolateScript {
  /** The bundle: one script that assigns `module.exports`. */
  code: string;
  /** The name under which the bundle runs, for stack traces. */
  fileName: string;
  /** Limit for loading, in milliseconds of processor time. @default 10_000 */
  timeoutMs?: number | undefined;
}

/** What a bundle exports. */
export interface LoadedDefinition {
  /** The Pack's definition as inert data. Its lists are lists even if it has errors. */
  readonly definition: PackVersionDefinition;
  /** The definition as it was loaded, for the rules. */
  readonly loaded: unknown;
  /** The same Pack in the form that the service loads, as inert data. */
  readonly compiled: Readonly<Record<string, unknown>>;
  /** Parts of the definition that could not be read. */
  readonly lostParts: readonly LostPart[];
}

/**
 * Loads a bundle into a new sandbox.
 * @returns the snapshots of its definition
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY,
 *   RUN_CRASHED
 */
export async function loadBundle(
  channel: SandboxChannel,
  options: IsolateScript,
  mapper: StackMapper,
): Promise<PackSnapshots> {
  const limitMs = options.timeoutMs ?? LOAD_TIMEOUT_MS;
  try {
    return await load(channel, options, limitMs, mapper);
  } catch (error) {
    if (!(error instanceof PackError) || error.code !== "RUN_TIMEOUT") throw error;
    throw new PackError(
      "RUN_TIMEOUT",
      `The Pack did not finish loading within ${limitMs / 1000} s.`,
      {
        details: { limitMs },
        hint: "Look for a loop at the top level of the Pack file. Write only definitions at the top level.",
        cause: error,
      },
    );
  }
}

/** @returns the seed of the random numbers of one context */
export function newSeed(): string {
  return randomBytes(32).toString("hex");
}

let urls: string | undefined;

/** Most Packs do without it, and it is larger than most Packs. */
function urlScript(): string {
  urls ??= readFileSync(builtFile("bin/sandbox-urls.js"), "utf8");
  return urls;
}

function load(
  channel: SandboxChannel,
  options: IsolateScript,
  limitMs: number,
  mapper: StackMapper,
): Promise<PackSnapshots> {
  const { code, fileName } = options;
  const request: LoadRequest = {
    code,
    fileName,
    seed: newSeed(),
    urls: /\bURL(?:SearchParams)?\b/.test(code) ? urlScript() : undefined,
  };
  return channel.exchange<PackSnapshots>(
    JSON.stringify(request),
    { time: { ms: limitMs, of: "processor" } },
    (output, settle) => {
      if (output.k === "loaded")
        settle.resolve({ written: output.written, compiled: output.compiled });
      else if (output.k !== "log") settle.reject(createLoadError(output, fileName, mapper));
    },
  );
}

function createLoadError(
  output: SandboxOutput | ProcessReport,
  fileName: string,
  mapper: StackMapper,
): PackError {
  switch (output.k) {
    case "noPack": {
      const exports = output.exports.slice(0, MAX_NAMES);
      return new PackError(
        "PACK_EXPORT_MISSING",
        "The Pack file exports neither `pack` nor `manifest`.",
        {
          details: { exports: exports.map((name) => name.slice(0, MAX_NAME_LENGTH)) },
          hint: "Write `export const pack = newPack();` in the entry file.",
        },
      );
    }
    case "loadFailed":
      checkError(output.error);
      return createThrownError(output.error, mapper);
    case "syntax":
      return new PackError("PACK_LOAD_FAILED", `The bundle does not compile: ${output.message}`, {
        details: {
          stack: output.line === undefined ? undefined : `at ${fileName}:${output.line}`,
        },
        hint: "Build the Pack again. The runtime supports ES2020.",
      });
    case "dynamicImport":
      return new PackError(
        "PACK_LOAD_FAILED",
        "The bundle contains an `import()` expression. The Pack runtime does not support dynamic imports.",
        {
          details: { stack: undefined },
          hint: "Import the module at the top of the file instead.",
        },
      );
    default:
      throw notOfSandbox("message");
  }
}

function createThrownError({ name, message, stack }: SandboxError, mapper: StackMapper): PackError {
  const place = mapper.place(stack);
  return new PackError("PACK_LOAD_FAILED", `The Pack throws while it loads: ${message}`, {
    details: { thrown: name, stack: mapper.map(stack), thrownAt: mapper.innermost(stack) },
    hint:
      place === undefined
        ? "Only definitions belong at the top level of a Pack file."
        : "Fix the error on this line. The line runs each time the Pack loads.",
    place,
  });
}

/**
 * @throws {PackError} PACK_LOAD_FAILED when the export is not an object, or the Pack changed what
 * writes the snapshots
 */
export function readSnapshots({ written, compiled }: PackSnapshots): LoadedDefinition {
  const lostParts: LostPart[] = [];
  try {
    const loaded = definitionForm(decodeSnapshot(written, lostParts));
    const data = decodeSnapshot(compiled);
    if (typeof loaded !== "object" || loaded === null)
      throw new TypeError("The definition is not an object.");
    return {
      definition: readableDefinition({ ...loaded }),
      loaded,
      compiled: data as LoadedDefinition["compiled"],
      lostParts,
    };
  } catch (cause) {
    throw new PackError("PACK_LOAD_FAILED", "The definition of the Pack cannot be read.", {
      details: { stack: undefined },
      hint: "Export the result of newPack(). Do not change the built-in objects of JavaScript.",
      cause,
    });
  }
}

/** Loads the bundles of many Packs one after another, each in its own context. */
export interface DefinitionReader extends AsyncDisposable {
  /** Starts a sandbox for the next bundle, so that it is ready when the bundle is. */
  prepare(): void;
  /** @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY,
   *   RUN_CRASHED
   */
  read(bundle: IsolateScript & { sourceMap: string | undefined }): Promise<LoadedDefinition>;
}

/** Old contexts are garbage-collected late, so a process is replaced after this many bundles. */
const BUNDLES_PER_PROCESS = 100;

interface Sandbox {
  channel: SandboxChannel;
  /** Number of loaded bundles. */
  count: number;
}

/**
 * Processes are reused, because starting one takes most of the time of a small Pack. Each Pack gets
 * a new context.
 * @param count number of bundles; the process is ended after the last one
 */
export function createDefinitionReader(count: number): DefinitionReader {
  const idle: Sandbox[] = [];
  const closing: Promise<void>[] = [];
  let left = count;
  const start = (): Sandbox => ({ channel: createSandboxChannel(startSandboxProcess()), count: 0 });
  const release = (sandbox: Sandbox): void => {
    sandbox.count += 1;
    left -= 1;
    // A sandbox that was ended, by a timeout or the memory limit, cannot be used again.
    if (sandbox.channel.isSpent || sandbox.count >= BUNDLES_PER_PROCESS || left <= 0)
      closing.push(sandbox.channel.close());
    else {
      void sandbox.channel.post(RESET);
      idle.push(sandbox);
    }
  };
  return {
    prepare() {
      if (idle.length === 0) idle.push(start());
    },
    async read({ sourceMap, ...source }) {
      const sandbox = idle.pop() ?? start();
      try {
        const mapper = createStackMapper(source.fileName, sourceMap);
        return readSnapshots(await loadBundle(sandbox.channel, source, mapper));
      } finally {
        release(sandbox);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...closing, ...idle.splice(0).map(({ channel }) => channel.close())]);
    },
  };
}
