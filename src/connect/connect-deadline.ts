import { PackError } from "../errors.ts";
import { formatSeconds } from "../shared/time.ts";
import type { FlowOptions } from "./connect-options.ts";

/** How long a flow lasts at most, unless its caller says otherwise. */
export const CONNECT_TIMEOUT_MS = 300_000;

/** A signal that ends a flow: when its time is over, or when the caller's signal says so. */
export function startConnectDeadline({
  timeoutMs = CONNECT_TIMEOUT_MS,
  signal,
}: Pick<FlowOptions, "timeoutMs" | "signal">): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new PackError(
        "OAUTH_CONNECT_TIMEOUT",
        `No one finished the login within ${formatSeconds(timeoutMs)}.`,
        {
          details: { limitMs: timeoutMs },
          hint: "Run packsmith auth connect again, and finish the login in the browser. To allow more time, pass --timeout.",
        },
      ),
    );
  }, timeoutMs);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
