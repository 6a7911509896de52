import { receiveMessageOnPort } from "node:worker_threads";
import { PackError } from "../../errors.ts";
import type { SandboxOutput, WorkerReport } from "../protocol.ts";
import { watchMemory } from "./memory-watch.ts";
import type { SandboxWorker } from "./sandbox-worker.ts";

export interface ExchangeLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface Settle<Result> {
  resolve(result: Result): void;
  reject(error: PackError): void;
}

/** A JSON array of messages, or the text of rows. */
type Received = string | readonly [rows: string];

/** The text channel to one sandbox: one exchange at a time, each with a time limit, and an error code for every failure. */
export interface SandboxChannel {
  /** Whether the sandbox has ended; every exchange fails then. */
  readonly isSpent: boolean;
  /**
   * Sends a message and passes every answer to `receive` until that settles. `hasTags` means that a value in the answer may need
   * to be revived. The `rows` of a sync follow the answer, under the same limits; the next exchange may start before them.
   * @throws {PackError} RUN_TIMEOUT, RUN_OUT_OF_MEMORY, RUN_CRASHED, INTERRUPTED; each of them ends the sandbox
   */
  exchange<Result>(
    message: string,
    limits: ExchangeLimits,
    receive: (output: SandboxOutput | WorkerReport, settle: Settle<Result>, hasTags: boolean, rows: Promise<string> | undefined) => void,
  ): Promise<Result>;
  /**
   * Sends another message during an exchange.
   * @param body text of a server, which is only parsed inside the sandbox
   */
  post(message: string, body?: string): void;
  close(): Promise<void>;
}

export function createSandboxChannel({ worker, port, memoryLimitMb }: SandboxWorker): SandboxChannel {
  // A worker that was started in advance may have ended already.
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
    if (rows !== undefined) throw new TypeError("The sandbox sent rows while others are pending.");
    const settlers = {} as { resolve(text: string): void; fail(error: PackError): void };
    const promise = new Promise<string>((resolve, fail) => Object.assign(settlers, { resolve, fail }));
    // The caller may drop a page, so a rejection must not stay unhandled.
    promise.catch(() => undefined);
    rows = { promise, ...settlers };
    return promise;
  };

  const outOfMemory = (): void => {
    finish(
      new PackError("RUN_OUT_OF_MEMORY", `The Pack used more than ${memoryLimitMb} MB of memory.`, {
        details: { limitMb: memoryLimitMb },
        hint: "Process data page by page instead of collecting it.",
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
      // A sandbox that sends invalid text must not run another call. Thrown from here, the error would end the process.
      finish(gone(error));
      void worker.terminate();
    }
  };

  port.on("message", take);
  port.unref();
  worker.on("error", (error: NodeJS.ErrnoException) => (error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory() : finish(gone(error))));
  worker.on("exit", () => {
    // Its last messages are still in the port.
    for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port)) take(last.message as Received);
    finish(gone());
  });

  return {
    get isSpent() {
      return end !== undefined;
    },
    async exchange(message, { timeoutMs, signal }, receive) {
      if (end !== undefined) throw end;
      // Nothing has started, so the sandbox can still be used.
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
                hint: "Look for an endless loop, a promise that never settles, or a slow server.",
              }),
            );
            void worker.terminate();
          }, timeoutMs);
          port.postMessage(message);
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

/** Plain values are ready after `JSON.parse`; only tagged values need a second pass. */
export function mayHaveTags(text: string): boolean {
  return text.includes('"$"');
}

function interrupted(): PackError {
  return new PackError("INTERRUPTED", "The run was interrupted.", { details: undefined, hint: undefined });
}

function gone(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended before the run did.", {
    details: undefined,
    hint: "Run it again. If it happens again, report it with the Pack.",
    cause,
  });
}
