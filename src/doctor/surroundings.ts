/** The surroundings as the checks see them. */
export interface Surroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
  ports: readonly number[];
  platform: NodeJS.Platform;
  nodeVersion: string;
  now: () => number;
  /** Limit for whatever waits for somebody else, in milliseconds. */
  timeoutMs: number;
}
