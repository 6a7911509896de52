// `process` in a Pack: the members that libraries read when they are loaded. It has no timers,
// because the runtime has none, and no facts about the machine.
type Listener = (...args: unknown[]) => void;

export const title = "browser";
export const browser = true;
export const platform = "browser";
export const arch = "";
export const pid = 1;
export const env: Record<string, string | undefined> = {};
export const argv: string[] = [];
export const execArgv: string[] = [];
export const version = "";
export const versions: Record<string, string> = {};
export const release: Record<string, string> = {};

export const cwd = (): string => "/";
export const umask = (): number => 0;
export const uptime = (): number => 0;
export const memoryUsage = (): Record<string, number> => ({
  rss: 0,
  heapTotal: 0,
  heapUsed: 0,
  external: 0,
});
export const hrtime = (): [seconds: number, nanoseconds: number] => [
  Math.floor(Date.now() / 1_000),
  (Date.now() % 1_000) * 1_000_000,
];
export const nextTick = (callback: Listener, ...args: unknown[]): void =>
  void Promise.resolve().then(() => callback(...args));
export const emitWarning = (warning: unknown): void => console.warn(String(warning));
export const emit = (): boolean => false;
export const listeners = (): Listener[] => [];

const chain = (): typeof process => process;

export {
  chain as addListener,
  chain as off,
  chain as on,
  chain as once,
  chain as removeAllListeners,
  chain as removeListener,
};

const process = {
  title,
  browser,
  platform,
  arch,
  pid,
  env,
  argv,
  execArgv,
  version,
  versions,
  release,
  cwd,
  umask,
  uptime,
  memoryUsage,
  hrtime,
  nextTick,
  emitWarning,
  emit,
  listeners,
  addListener: chain,
  off: chain,
  on: chain,
  once: chain,
  removeAllListeners: chain,
  removeListener: chain,
} as Record<string, unknown>;

export default process;
