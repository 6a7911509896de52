import { once } from "node:events";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * Moves what a SQLite file has in its write-ahead log into the file, in another thread: waiting for
 * the disk holds up nothing here.
 */
export interface Checkpoints {
  /** Waits only while the log is much too long. */
  beforeWrite(): Promise<void>;
  /** Begins to move what is in the log, when there is enough. */
  afterWrite(): void;
  /** Waits while what is in the log is moved. Long work does so, and others need not wait. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export interface CheckpointLimits {
  /** How much the log grows until it is moved again. */
  beginBytes: number;
  /** How long the log is when every writer waits: others keep it from being emptied. */
  maxBytes: number;
}

const LIMITS: CheckpointLimits = { beginBytes: 8 * 1_024 * 1_024, maxBytes: 128 * 1_024 * 1_024 };

/** How long writers can have to wait for a reader of an old snapshot, in milliseconds. */
const READER_PATIENCE_MS = 20;

// A text, because the same code runs as a module, as a part of the bundled command line and from
// its source.
// A passive checkpoint holds up no writer, and moves what the log had when it began. Only when
// nothing was written meanwhile does it wait for the disk to have the file: the second one, which
// is short, almost always does. What was written since is little, and is moved while no other
// writer begins: the log is empty then (SQLite, "sqlite3_wal_checkpoint_v2").
const THREAD = `const { parentPort, workerData } = require("node:worker_threads");
const Sqlite = require(workerData.libsql);
const sqlite = new Sqlite(workerData.url);
sqlite.exec("PRAGMA busy_timeout = ${READER_PATIENCE_MS}");
const move = () => {
  for (const mode of ["PASSIVE", "PASSIVE", "TRUNCATE"])
    sqlite.exec("PRAGMA wal_checkpoint(" + mode + ")");
};
parentPort.on("message", (isLast) => {
  if (isLast) {
    sqlite.close();
    parentPort.close();
    return;
  }
  // What is not moved stays in the log, which is as good.
  try {
    move();
  } catch {}
  parentPort.postMessage(undefined);
});`;

/**
 * @param file a database whose connections have `wal_autocheckpoint = 0` and
 * `journal_size_limit = 0`
 */
export function createCheckpoints(file: string, { beginBytes, maxBytes } = LIMITS): Checkpoints {
  let thread: Worker | undefined;
  let running: Promise<void> | undefined;
  let end = () => {};
  /** How long the log was when it was last moved. */
  let movedBytes = 0;

  // With a limit of 0, SQLite shortens the log when it begins it again, so that its size is what it
  // holds.
  const logBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  const startThread = (): Worker => {
    const libsql = createRequire(import.meta.url).resolve("libsql");
    const started = new Worker(THREAD, {
      eval: true,
      workerData: { url: file, libsql },
      env: {},
      execArgv: [],
    });
    started.on("message", () => end());
    // The next move starts another one.
    started.on("error", () => {});
    started.once("exit", () => {
      thread = undefined;
      end();
    });
    return started;
  };

  const move = (): Promise<void> => {
    movedBytes = logBytes();
    running ??= new Promise((resolve) => {
      thread ??= startThread();
      thread.ref();
      thread.postMessage(false);
      end = () => {
        running = undefined;
        // It does not keep the process alive while it has nothing to do.
        thread?.unref();
        resolve();
      };
    });
    return running;
  };

  return {
    async beforeWrite() {
      if (logBytes() <= maxBytes) return;
      await running;
      // Nothing of this process is written meanwhile.
      await move();
    },
    afterWrite() {
      const bytes = logBytes();
      movedBytes = Math.min(movedBytes, bytes);
      if (running === undefined && bytes - movedBytes > beginBytes) void move();
    },
    async caughtUp() {
      await running;
    },
    async close() {
      await running;
      if (thread === undefined) return;
      thread.ref();
      const exited = once(thread, "exit");
      thread.postMessage(true);
      await exited;
    },
  };
}
