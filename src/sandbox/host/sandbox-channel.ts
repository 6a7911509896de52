import { receiveMessageOnPort } from "node:worker_threads";
import { PackError } from "../../errors.ts";
import { uptimeMs } from "../../shared/uptime.ts";
import type { SandboxOutput, WorkerReport } from "../protocol.ts";
import { watchMemory } from "./memory-watch.ts";
import type { SandboxWorker } from "./sandbox-worker.ts";

export interface ExchangeLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** So long it waits awake for the first answer, in milliseconds: to be woken up takes longer than many a call. @default 0 */
  awakeMs?: number | undefined;
}

interface Settle<Result> {
  resolve(result: Result): void;
  reject(error: PackError): void;
}

/** Messages as JSON, or rows. */
type Received = string | readonly [rows: string];

/** The text line to one sandbox: one exchange at a time, each with a wall-clock limit, every end typed. */
export interface SandboxChannel {
  /** The sandbox is gone, and every exchange fails. */
  readonly isSpent: boolean;
  /**
   * Sends a message and hands every answer to `receive` until it settles; `hasTags` tells that a value in it may have to be
   * revived. The `rows` of a sync come after the answer, under the same limits; the next exchange may begin meanwhile.
   * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED, INTERRUPTED; the sandbox is gone after each of them
   */
  exchange<Result>(
    message: string,
    limits: ExchangeLimits,
    receive: (output: SandboxOutput | WorkerReport, settle: Settle<Result>, hasTags: boolean, rows: Promise<string> | undefined) => void,
  ): Promise<Result>;
  /**
   * Sends one more message during an exchange.
   * @param body text beside the message: of a server, and not looked at before it is inside
   */
  post(message: string, body?: string): void;
  close(): Promise<void>;
}

export function createSandboxChannel({ worker, port, memoryLimitMb }: SandboxWorker): SandboxChannel {
  // One that was started ahead may have ended already.
  let end = worker.threadId === -1 ? gone() : undefined;
  let current:
    | {
        receive(output: SandboxOutput | WorkerReport, hasTags: boolean, rows: Promise<string> | undefined): void;
        fail(error: PackError): void;
      }
    | undefined;
  /** Rows that are being written. */
  let rows: { promise: Promise<string>; resolve(text: string): void; fail(error: PackError): void } | undefined;
  let exchanges = 0;

  const finish = (error: PackError): void => {
    end ??= error;
    current?.fail(end);
    rows?.fail(end);
  };

  const awaitRows = (): Promise<string> => {
    if (rows !== undefined) throw new TypeError("Rows before the ones that are awaited.");
    const settlers = {} as { resolve(text: string): void; fail(error: PackError): void };
    const promise = new Promise<string>((resolve, fail) => Object.assign(settlers, { resolve, fail }));
    // Whoever gives a page up does not look at what became of it.
    promise.catch(() => undefined);
    rows = { promise, ...settlers };
    return promise;
  };

  const outOfMemory = (): void => {
    finish(
      new PackError("RUN_OUT_OF_MEMORY", `The Pack used more than ${memoryLimitMb} MB of memory.`, {
        details: { limitMb: memoryLimitMb },
        hint: "Work on smaller pieces: page through data instead of collecting it.",
      }),
    );
    void worker.terminate();
  };

  const take = (received: Received): void => {
    try {
      if (typeof received !== "string") {
        rows?.resolve(received[0]);
        rows = undefined;
        return;
      }
      const hasTags = mayHaveTags(received);
      for (const output of JSON.parse(received) as (SandboxOutput | WorkerReport)[]) {
        if (output.k === "outOfMemory") outOfMemory();
        else current?.receive(output, hasTags, output.k === "done" && output.rows !== undefined ? awaitRows() : undefined);
      }
    } catch (error) {
      // A Pack that got its own text onto the line is not to be trusted with another one; thrown here it would end the process.
      finish(gone(error));
      void worker.terminate();
    }
  };
  const takeNext = (): boolean => {
    const next = receiveMessageOnPort(port) as { message: Received } | undefined;
    if (next !== undefined) take(next.message);
    return next !== undefined;
  };

  port.on("message", take);
  port.unref();
  worker.on("error", (error: NodeJS.ErrnoException) => (error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory() : finish(gone(error))));
  worker.on("exit", () => {
    // What it said at last is still on the line.
    while (takeNext());
    finish(gone());
  });

  return {
    get isSpent() {
      return end !== undefined;
    },
    async exchange(message, { timeoutMs, signal, awakeMs = 0 }, receive) {
      if (end !== undefined) throw end;
      // Nothing has begun: the sandbox is as good as before.
      if (signal?.aborted) throw interrupted();
      exchanges += 1;
      worker.ref();
      let timer: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        finish(interrupted());
        void worker.terminate();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const endWatch = watchMemory(memoryLimitMb, outOfMemory);
      const release = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        endWatch();
        exchanges -= 1;
        if (exchanges === 0) worker.unref();
      };
      try {
        return await new Promise((resolve, reject) => {
          const settle = { resolve, reject };
          current = { receive: (output, hasTags, rows) => receive(output, settle, hasTags, rows), fail: reject };
          timer = setTimeout(() => {
            finish(
              new PackError("RUN_TIMEOUT", `The run did not end within ${timeoutMs / 1000} s.`, {
                details: { limitMs: timeoutMs },
                hint: "Look for an endless loop, a promise that never settles or a slow server.",
              }),
            );
            void worker.terminate();
          }, timeoutMs);
          port.postMessage(message);
          const untilMs = uptimeMs() + awakeMs;
          while (uptimeMs() < untilMs && !takeNext());
        });
      } finally {
        current = undefined;
        if (rows === undefined) release();
        else void rows.promise.then(release, release);
      }
    },
    post(message, body) {
      if (end === undefined) port.postMessage(body === undefined ? message : [message, body]);
    },
    async close() {
      finish(gone());
      await worker.terminate();
    },
  };
}

/** Pages of plain rows are as `JSON.parse` made them; only tagged values need a second pass. */
export function mayHaveTags(text: string): boolean {
  return text.includes('"$"');
}

function interrupted(): PackError {
  return new PackError("INTERRUPTED", "The run was interrupted.", { details: undefined, hint: undefined });
}

function gone(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended before the run did.", {
    details: undefined,
    hint: "Start the run again.",
    cause,
  });
}
