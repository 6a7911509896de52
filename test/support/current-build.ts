import { currentBuild } from "../../.ci/current-build.mjs";

/**
 * Call it before a child process is started from `dist`: in watch mode, sources change after the
 * set-up.
 * @throws when `dist` is stale
 */
export function assertCurrentBuild(root: string): void {
  const problem = currentBuild(root);
  if (problem !== undefined) throw new Error(`${problem} Run npm test again: it builds first.`);
}
