import { useEffect, useState } from "preact/hooks";
import { Pill } from "../parts/pill.tsx";

const SOON_MS = 5 * 60_000;

/** How long a token still lives, second by second. */
export function Countdown({ expiresAtMs, aheadMs, isRenewable }: { expiresAtMs: number; aheadMs: number; isRenewable: boolean }) {
  const [nowMs, setNowMs] = useState(() => Date.now() + aheadMs);
  useEffect(() => {
    const tick = () => setNowMs(Date.now() + aheadMs);
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [aheadMs]);
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return <Pill tone={isRenewable ? "neutral" : "bad"}>{isRenewable ? "expired, renews when it is used" : "expired"}</Pill>;
  return <Pill tone={leftMs < SOON_MS && !isRenewable ? "warn" : "neutral"}>expires in {spell(leftMs)}</Pill>;
}

/** The two largest units of a time: `1 h 02 min`, `4 min 09 s`. */
export function spell(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (count: number) => String(count).padStart(2, "0");
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${two(Math.floor((seconds % 3_600) / 60))} min`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${seconds} s`;
}
