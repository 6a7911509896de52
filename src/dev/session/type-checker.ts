import { keepCompiler } from "../../build/resident-compiler.ts";
import { checkTypes } from "../../build/type-check.ts";
import type { Issue } from "../../validate/issue.ts";

/** How long to wait after a save, so that quick saves in a row start the compiler once. */
const SETTLE_MS = 400;

export interface TypeChecker extends Disposable {
  /** Starts a new check, after a build. */
  restart(): void;
  /** Ignores the result of the current check. */
  stop(): void;
}

/**
 * Checks the types of a Pack in the background, one check after the other, with one compiler.
 * @param onIssues gets the issues, unless the Pack has changed in the meantime
 */
export function createTypeChecker(
  file: string,
  cwd: string,
  onIssues: (issues: readonly Issue[]) => void,
): TypeChecker {
  const resident = keepCompiler();
  let wanted = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const check = async (turn: number): Promise<void> => {
    if (turn !== wanted) return;
    const { issues } = await checkTypes([file], { cwd, resident });
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
    [Symbol.dispose]() {
      stop();
      resident[Symbol.dispose]();
    },
  };
}
