import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * Moves what a SQLite file has in its write-ahead log into the file, in another thread: waiting for
 * the disk holds up nothing here.
 */
export interface Checkpoints {
  /** Waits while the log is much too long. */
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
  /**
   * How long the log is when writers wait: SQLite begins it again only when all of it has been
   * moved.
   */
  maxBytes: number;
}

const LIMITS: CheckpointLimits = { beginBytes: 8 * 1_024 * 1_024, maxBytes: 32 * 1_024 * 1_024 };

// A text, because the same code runs as a module, as a part of the bundled command line and from
// its source.
const THREAD = `const { workerData } = require("node:worker_threads");
const Sqlite = require(workerData.libsql);
const sqlite = new Sqlite(workerData.url);
try {
  sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
} finally {
  sqlite.close();
}`;

/**
 * @param file a database whose connections have `wal_autocheckpoint = 0` and
 * `journal_size_limit = 0`
 */
export function createCheckpoints(file: string, { beginBytes, maxBytes } = LIMITS): Checkpoints {
  let running: Promise<void> | undefined;
  /** How long the log was when it was last moved. */
  let movedBytes = 0;

  // With a limit of 0, SQLite shortens the log when it begins it again, so that its size is what it
  // holds.
  const logBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  const move = (): Promise<void> => {
    movedBytes = logBytes();
    running ??= moveInThread(file).finally(() => {
      running = undefined;
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
    },
  };
}

function moveInThread(url: string): Promise<void> {
  const libsql = createRequire(import.meta.url).resolve("libsql");
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { url, libsql },
    env: {},
    execArgv: [],
  });
  // What was not moved stays in the log, which is as good.
  thread.on("error", () => {});
  return new Promise((resolve) => thread.once("exit", () => resolve()));
}
