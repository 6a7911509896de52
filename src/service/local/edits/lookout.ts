export interface LookoutOptions {
  intervalMs: number;
  /** How often it looks while there is nothing to look for; without, it ends. */
  idleMs?: number | undefined;
  look(): Promise<void>;
  /** Whether there is something to look for. */
  isNeeded(): Promise<boolean>;
}

/** Looks for something again and again while it is needed, one look at a time. */
export interface Lookout {
  /** There may be something to look for from now on. */
  watch(): void;
  lookNow(): void;
  close(): void;
}

export function createLookout({ intervalMs, idleMs, look, isNeeded }: LookoutOptions): Lookout {
  const timer: { ms: number | undefined; interval: NodeJS.Timeout | undefined } = {
    ms: undefined,
    interval: undefined,
  };
  let watches = 0;
  let isLooking = false;
  let isClosed = false;

  function lookEvery(ms: number | undefined): void {
    if (ms === timer.ms || isClosed) return;
    clearInterval(timer.interval);
    timer.ms = ms;
    timer.interval = ms === undefined ? undefined : setInterval(lookNow, ms).unref();
  }

  async function lookOnce(): Promise<void> {
    const before = watches;
    await look();
    lookEvery((await isNeeded()) || watches !== before ? intervalMs : idleMs);
  }

  function lookNow(): void {
    if (isLooking) return;
    isLooking = true;
    // What does not succeed now is done next time.
    lookOnce()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }

  lookEvery(idleMs);
  return {
    watch() {
      watches++;
      lookEvery(intervalMs);
    },
    lookNow,
    close() {
      lookEvery(undefined);
      isClosed = true;
    },
  };
}
