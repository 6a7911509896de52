import { getHeapStatistics, setFlagsFromString } from "node:v8";
import vm from "node:vm";

/**
 * Creates the exact look at the memory that a Pack keeps, for the moments when its code does not run. V8 counts garbage
 * too, so what seems too much is collected first and counted again.
 * @param limitBytes what the Pack may keep: objects and buffers
 * @returns a function that reports when the limit is passed, and tells whether it did
 */
export function createMemoryReport(limitBytes: number, reportExceeded: () => void): () => boolean {
  const start = keptBytes();
  let collectGarbage: (() => void) | undefined;
  return () => {
    if (keptBytes() - start <= limitBytes) return false;
    collectGarbage ??= exposeCollector();
    collectGarbage();
    if (keptBytes() - start <= limitBytes) return false;
    reportExceeded();
    return true;
  };
}

function keptBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Only a context that is made while the flag is set has the function; no sandbox is made meanwhile in this thread. */
function exposeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
