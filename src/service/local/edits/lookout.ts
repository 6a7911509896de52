export interface LookoutOptions {
  intervalMs: number;
  /** Goes on when there is nothing to look for. */
  isPermanent: boolean;
  /** @param looks how many looks came before */
  look(looks: number): Promise<void>;
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

export function createLookout(options: LookoutOptions): Lookout {
  const { intervalMs, isPermanent, look, isNeeded } = options;
  let timer: NodeJS.Timeout | undefined;
  let watches = 0;
  let looks = 0;
  let isLooking = false;

  async function lookOnce(): Promise<void> {
    const before = watches;
    await look(looks++);
    if (isPermanent || (await isNeeded()) || watches !== before) return;
    clearInterval(timer);
    timer = undefined;
  }

  const lookNow = () => {
    if (isLooking) return;
    isLooking = true;
    // What does not succeed now is done next time.
    lookOnce()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  };
  const watch = () => {
    watches++;
    timer ??= setInterval(lookNow, intervalMs).unref();
  };
  if (isPermanent) watch();
  return { watch, lookNow, close: () => clearInterval(timer) };
}
