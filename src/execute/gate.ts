/** Lets a limited number of tasks run at a time; the others wait in line. */
export type Gate = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
