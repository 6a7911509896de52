import type { Readable } from "node:stream";
import { PackError } from "../../errors.ts";
import { residentBytes } from "../../shared/process-tree.ts";
import { encodeFrame, encodeHeader, HEADER_BYTES, readHeader } from "../frame.ts";
import type { ProcessReport, RawBody, SandboxOutput } from "../protocol.ts";
import { isFilled, startTimeLimit, type TimeLimit, watchMemory } from "./process-limits.ts";
import { endProcess, refProcess, type SandboxProcess, unrefProcess } from "./sandbox-process.ts";

export interface ExchangeLimits {
  time: TimeLimit;
  signal?: AbortSignal | undefined;
}

/** Characters of the standard error that are looked at. */
const MAX_STDERR = 16 * 1024;
/** What V8 writes when it ends a process for its memory. */
const V8_OUT_OF_MEMORY = /out of memory|allocation failed|invalid size error|invalid array length/i;

interface Settle<Result> {
  resolve(result: Result): void;
  reject(error: PackError): void;
}

/**
 * The text channel to one sandbox: one exchange at a time, each with a time limit, and an error
 * code for every failure.
 */
export interface SandboxChannel {
  /** Whether the sandbox has ended; every exchange fails then. */
  readonly isSpent: boolean;
  /** Whether earlier runs have left so much in its memory that the next one needs a new sandbox. */
  readonly isFilled: boolean;
  /**
   * Sends a message and passes every answer to `receive` until that settles. `hasTags` means that a
   * value in the answer may need
   * to be revived. The `rows` of a sync follow the answer, under the same limits; the next exchange
   * may start before them.
   * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED, INTERRUPTED; each of them ends
   *   the sandbox
   */
  exchange<Result>(
    message: string,
    limits: ExchangeLimits,
    receive: (
      output: SandboxOutput | ProcessReport,
      settle: Settle<Result>,
      hasTags: boolean,
      rows: Promise<string> | undefined,
    ) => void,
  ): Promise<Result>;
  /**
   * Sends another message during an exchange.
   * @param body bytes of a server, which are only read inside the sandbox
   * @returns when the sandbox has taken it, or has ended
   */
  post(message: string, body?: RawBody): Promise<void>;
  close(): Promise<void>;
}

/** @param process the channel becomes its owner */
export function createSandboxChannel(process: SandboxProcess): SandboxChannel {
  const { child, memoryLimitMb, isInspected } = process;
  // A process that was started in advance may have ended already.
  let end =
    child.exitCode === null && child.signalCode === null && !child.killed
      ? undefined
      : createGoneError();
  let current:
    | {
        receive(
          output: SandboxOutput | ProcessReport,
          hasTags: boolean,
          rows: Promise<string> | undefined,
        ): void;
        fail(error: PackError): void;
      }
    | undefined;
  /** Rows that are being written. */
  let rows:
    | { promise: Promise<string>; resolve(text: string): void; fail(error: PackError): void }
    | undefined;
  let exchanges = 0;
  /** What the process used when the first exchange, which loads the Pack, was over. */
  let loadedBytes: number | undefined;

  const finish = (error: PackError): void => {
    end ??= error;
    current?.fail(end);
    rows?.fail(end);
  };

  const awaitRows = (): Promise<string> => {
    if (rows !== undefined)
      throw new TypeError("The sandbox sent rows before the previous rows were processed.");
    const settlers = {} as { resolve(text: string): void; fail(error: PackError): void };
    const promise = new Promise<string>((resolve, fail) =>
      Object.assign(settlers, { resolve, fail }),
    );
    // The caller may drop a page, so a rejection must not stay unhandled.
    promise.catch(() => undefined);
    rows = { promise, ...settlers };
    return promise;
  };

  const fail = (error: PackError): void => {
    finish(error);
    void endProcess(child);
  };

  const outOfMemory = (): void =>
    fail(
      new PackError("RUN_OUT_OF_MEMORY", `The Pack used more than ${memoryLimitMb} MB of memory.`, {
        details: { limitMb: memoryLimitMb },
        hint: "Process data page by page instead of collecting it.",
      }),
    );

  const timedOut = (limitMs: number): void =>
    fail(
      new PackError("RUN_TIMEOUT", `The run did not end within ${limitMs / 1000} s.`, {
        details: { limitMs },
        hint: "Look for an endless loop, a promise that never settles, or a slow server.",
      }),
    );

  /** @param texts a JSON array of messages; or the text of rows, with an empty text after it */
  const take = ([text = "", ...more]: readonly string[]): void => {
    if (end !== undefined) return;
    try {
      if (more.length > 0) {
        rows?.resolve(text);
        rows = undefined;
        return;
      }
      const hasTags = mayHaveTags(text);
      for (const output of JSON.parse(text) as (SandboxOutput | ProcessReport)[]) {
        if (output.k === "outOfMemory") outOfMemory();
        else
          current?.receive(
            output,
            hasTags,
            output.k === "done" && output.rows !== undefined ? awaitRows() : undefined,
          );
      }
    } catch (error) {
      // A sandbox that sends invalid text must not run another call. Thrown from here, the error
      // would end this process.
      fail(createGoneError(error));
    }
  };

  readMessages(child.stdout, take, () => fail(createGoneError()));
  const lastWords = collectText(child.stderr, MAX_STDERR);
  child.on("error", (error) => finish(createGoneError(error)));
  child.on("close", () => {
    if (V8_OUT_OF_MEMORY.test(lastWords())) outOfMemory();
    else finish(createGoneError());
  });

  return {
    get isSpent() {
      return end !== undefined;
    },
    get isFilled() {
      return (
        !isInspected &&
        end === undefined &&
        exchanges === 0 &&
        loadedBytes !== undefined &&
        isFilled(child.pid as number, memoryLimitMb, loadedBytes)
      );
    },
    async exchange(message, { time, signal }, receive) {
      if (end !== undefined) throw end;
      // Nothing has started, so the sandbox can still be used.
      if (signal?.aborted) throw createInterruption();
      exchanges += 1;
      if (exchanges === 1) refProcess(child);
      const pid = child.pid as number;
      const onAbort = (): void => fail(createInterruption());
      signal?.addEventListener("abort", onAbort, { once: true });
      const endWatch = isInspected ? allowUnlimited : watchMemory(pid, memoryLimitMb, outOfMemory);
      const endLimit = isInspected
        ? allowUnlimited
        : startTimeLimit(pid, time, () => timedOut(time.ms));
      const release = (): void => {
        endLimit();
        signal?.removeEventListener("abort", onAbort);
        endWatch();
        exchanges -= 1;
        loadedBytes ??= residentBytes(pid);
        if (exchanges === 0) unrefProcess(child);
      };
      try {
        return await new Promise((resolve, reject) => {
          const settle = { resolve, reject };
          current = {
            receive: (output, hasTags, rows) => receive(output, settle, hasTags, rows),
            fail: reject,
          };
          void send(message);
        });
      } finally {
        current = undefined;
        if (rows === undefined) release();
        else void rows.promise.then(release, release);
      }
    },
    async post(message, body) {
      if (end === undefined) await send(message, body);
    },
    async close() {
      const isIdle = end === undefined && exchanges === 0;
      finish(createGoneError());
      await (isIdle ? process[Symbol.asyncDispose]() : endProcess(child));
    },
  };

  function send(message: string, body?: RawBody): Promise<void> {
    const parts: Uint8Array[] = [encodeFrame(message, body !== undefined)];
    // The body is not copied: it may be the largest value in this process.
    if (body !== undefined) {
      const encoding = body.form === "bytes" ? "latin1" : "utf8";
      parts.push(encodeHeader(body.bytes.byteLength, encoding), body.bytes);
    }
    return new Promise((taken) => {
      for (const [index, part] of parts.entries())
        child.stdin.write(part, () => index === parts.length - 1 && taken());
    });
  }
}

/** Who stands at a breakpoint takes any time. */
function allowUnlimited(): void {}

/** Plain values are ready after `JSON.parse`; only tagged values need a second pass. */
export function mayHaveTags(text: string): boolean {
  return text.includes('"$"');
}

/**
 * @returns the beginning of what was written; it is not for output, because the Pack may have
 * written a part of it
 */
function collectText(pipe: Readable, maxLength: number): () => string {
  let text = "";
  pipe.on("data", (chunk: Buffer) => {
    if (text.length < maxLength) text += chunk.toString("latin1", 0, maxLength - text.length);
  });
  return () => text;
}

function createInterruption(): PackError {
  return new PackError("INTERRUPTED", "The run was interrupted.", {
    details: undefined,
    hint: undefined,
  });
}

function createGoneError(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended before the run was complete.", {
    details: undefined,
    hint: "Run the formula again. If the sandbox ends again, report the problem together with the Pack.",
    cause,
  });
}

/** A result is limited inside; whatever claims to be longer was not written by the sandbox. */
const MAX_LENGTH = 256 * 1024 * 1024;
const MAX_TEXTS = 2;

/**
 * Reads messages from the pipe of a process that is not trusted.
 * @param onMessage receives the texts of one message
 * @param onInvalid called once, for what cannot be a message; nothing is read after it
 */
export function readMessages(
  pipe: Readable,
  onMessage: (texts: readonly string[]) => void,
  onInvalid: () => void,
): void {
  let chunks: Buffer[] = [];
  let received = 0;
  let needed = HEADER_BYTES;
  let texts: string[] = [];
  pipe.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (received < needed) return;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (;;) {
      if (bytes.length < HEADER_BYTES) break;
      const { length, isContinued } = readHeader(bytes);
      if (length > MAX_LENGTH || texts.length === MAX_TEXTS) {
        pipe.removeAllListeners("data");
        onInvalid();
        return;
      }
      needed = HEADER_BYTES + length;
      if (bytes.length < needed) break;
      texts.push(bytes.toString("utf8", HEADER_BYTES, needed));
      bytes = bytes.subarray(needed);
      needed = HEADER_BYTES;
      if (isContinued) continue;
      const message = texts;
      texts = [];
      onMessage(message);
    }
    chunks = [bytes];
    received = bytes.length;
  });
}
