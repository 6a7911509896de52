export interface RefreshLockOptions {
  now: () => number;
  /** How long a lease outlives a crashed owner, in milliseconds. It is extended while the work runs. @default 15_000 */
  leaseMs?: number | undefined;
  /** How long to wait for another process, in milliseconds. @default 120_000 */
  waitMs?: number | undefined;
  /** How often to look, in milliseconds. @default 25 */
  pollMs?: number | undefined;
}
