/**
 * How to replace timers: `none` does not replace them, with `error` they throw when they are
 * called, with `fake` they do not wait.
 */
export const TIMER_STRATEGIES = ["none", "error", "fake"] as const;
export type TimerStrategy = (typeof TIMER_STRATEGIES)[number];
