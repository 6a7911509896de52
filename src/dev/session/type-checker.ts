import { checkTypes } from "../../build/type-check.ts";
import type { Issue } from "../../validate/issue.ts";

/** Who types without end is not followed by a compiler at every letter. */
const SETTLE_MS = 400;

export interface TypeChecker extends Disposable {
  /** Begins anew: the Pack was built. */
  restart(): void;
  /** What is under way counts for nothing any more. */
  stop(): void;
}

/**
 * Checks the types of a Pack in the background, one check after the other.
 * @param onIssues gets what was found, unless the Pack has changed meanwhile
 */
export function createTypeChecker(file: string, cwd: string, onIssues: (issues: readonly Issue[]) => void): TypeChecker {
  let wanted = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const check = async (turn: number): Promise<void> => {
    if (turn !== wanted) return;
    const { issues } = await checkTypes([file], { cwd });
    if (turn === wanted && issues.length > 0) onIssues(issues);
  };
  const stop = (): void => {
    wanted += 1;
    clearTimeout(timer);
  };
  return {
    restart() {
      stop();
      const turn = wanted;
      timer = setTimeout(() => {
        running = running.then(() => check(turn));
      }, SETTLE_MS);
      timer.unref();
    },
    stop,
    [Symbol.dispose]: stop,
  };
}
