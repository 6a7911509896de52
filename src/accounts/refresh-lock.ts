import { setTimeout as wait } from "node:timers/promises";
import { PackError } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import type { Storage } from "../storage/storage.ts";
import { type AccountKey, accountId, accountLabel } from "./account.ts";
import { createProcessName, hasEnded } from "./process-name.ts";
import type { VaultSchema } from "./vault-schema.ts";

const debug = createDebugLog("oauth");

export interface RefreshLockOptions {
  now: () => number;
  /**
   * How long a lease stays after its owner has crashed on another machine, in milliseconds. It is
   * extended while the work runs. An owner on
   * this machine that has ended loses its lease at once. @default 15_000
   */
  leaseMs?: number | undefined;
  /** How long to wait for another process, in milliseconds. @default 120_000 */
  waitMs?: number | undefined;
  /** How often to check the lease while waiting, in milliseconds. @default 25 */
  pollMs?: number | undefined;
}

/**
 * While this process holds the lock: the version of the account's tokens when it took the lock, or
 * when it last stored them.
 */
export interface Fence {
  readonly owner: string;
  version: number;
}

/**
 * One renewal per account at a time, in this process, across processes and across machines: a lease
 * in the database.
 */
export interface RefreshLock {
  /**
   * @throws {PackError} ACCOUNT_BUSY when another process or machine holds the lease longer than
   *   `waitMs`
   */
  run<Result>(key: AccountKey, work: () => Promise<Result>): Promise<Result>;
  findFence(key: AccountKey): Fence | undefined;
  /** Resolves when no work of this process runs or waits. */
  idle(): Promise<void>;
}

/** Creates the lock over a vault's storage. */
export function createRefreshLock(
  storage: Storage<VaultSchema>,
  options: RefreshLockOptions,
): RefreshLock {
  const { now, leaseMs = 15_000, waitMs = 120_000, pollMs = 25 } = options;
  // Machines whose clocks disagree still agree on the database server's.
  const clock = storage.sharedClock ?? (async () => now());
  const queues = new Map<string, Promise<unknown>>();
  const fences = new Map<string, Fence>();

  // The insert is one statement, which the row's lock makes atomic: if two processes find a lease
  // to take over, only one gets it.
  const acquire = async (key: AccountKey, owner: string): Promise<Fence | undefined> => {
    const id = accountId(key);
    const nowMs = await clock();
    const lease = { owner, expires_at_ms: nowMs + leaseMs };
    return storage.transaction(async (transaction) => {
      const holder = await transaction
        .selectFrom("refresh_locks")
        .select("owner")
        .where("id", "=", id)
        .executeTakeFirst();
      const ended = holder !== undefined && hasEnded(holder.owner) ? holder.owner : undefined;
      const taken = await transaction
        .insertInto("refresh_locks")
        .values({ id, ...lease })
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet(lease)
            .where(({ or, eb }) =>
              or([
                eb("refresh_locks.expires_at_ms", "<=", nowMs),
                ...(ended === undefined ? [] : [eb("refresh_locks.owner", "=", ended)]),
              ]),
            ),
        )
        .returning("owner")
        .executeTakeFirst();
      if (taken === undefined) return undefined;
      const account = await transaction
        .selectFrom("accounts")
        .select("version")
        .where("id", "=", id)
        .executeTakeFirst();
      return { owner, version: account?.version ?? 0 };
    });
  };

  const extend = async (key: AccountKey, owner: string) => {
    const expiresAtMs = (await clock()) + leaseMs;
    await storage.transaction(async (transaction) => {
      await transaction
        .updateTable("refresh_locks")
        .set({ expires_at_ms: expiresAtMs })
        .where("id", "=", accountId(key))
        .where("owner", "=", owner)
        .execute();
    });
  };

  const release = (key: AccountKey, owner: string) =>
    storage.transaction(async (transaction) => {
      await transaction
        .deleteFrom("refresh_locks")
        .where("id", "=", accountId(key))
        .where("owner", "=", owner)
        .execute();
    });

  const runAlone = async <Result>(
    key: AccountKey,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const owner = createProcessName();
    let fence = await acquire(key, owner);
    if (fence === undefined)
      debug(() => `refresh lock: ${accountLabel(key)} waits for another process`);
    // Waiting takes real time. The injected clock only decides whether a lease has expired.
    for (let waitedMs = 0; fence === undefined; waitedMs += pollMs) {
      if (waitedMs >= waitMs) throw busy(key);
      await wait(pollMs);
      fence = await acquire(key, owner);
    }
    debug(() => `refresh lock: ${accountLabel(key)} taken`);
    fences.set(accountId(key), fence);
    const heartbeat = setInterval(
      () => void extend(key, owner).catch(() => undefined),
      leaseMs / 3,
    );
    heartbeat.unref();
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      fences.delete(accountId(key));
      // A lease that cannot be released expires anyway; an error here would lose the result of the
      // work.
      await release(key, owner).catch(() => undefined);
      debug(() => `refresh lock: ${accountLabel(key)} released`);
    }
  };

  return {
    findFence: (key) => fences.get(accountId(key)),
    async idle() {
      while (queues.size > 0) await Promise.allSettled(queues.values());
    },
    run(key, work) {
      const id = accountId(key);
      const before = queues.get(id) ?? Promise.resolve();
      const turn = before.then(
        () => runAlone(key, work),
        () => runAlone(key, work),
      );
      queues.set(id, turn);
      const forget = () => {
        if (queues.get(id) === turn) queues.delete(id);
      };
      turn.then(forget, forget);
      return turn;
    },
  };
}

function busy(key: AccountKey): PackError<"ACCOUNT_BUSY"> {
  return new PackError(
    "ACCOUNT_BUSY",
    `Another process is refreshing the tokens of the account "${accountLabel(key)}".`,
    {
      details: { account: accountLabel(key) },
      hint: "Wait until the other process has finished, then run the command again.",
    },
  );
}
