import { getHeapStatistics, setFlagsFromString } from "node:v8";
import vm from "node:vm";

/**
 * Creates the exact check of the memory in use by a Pack, for moments when its code does not run. V8 also counts garbage, so
 * memory over the limit is collected and counted again.
 * @param limitBytes limit of objects and buffers together
 * @returns a function that reports memory over the limit; it returns whether it did
 */
export function createMemoryReport(limitBytes: number, reportExceeded: () => void): () => boolean {
  const start = usedBytes();
  let collectGarbage: (() => void) | undefined;
  return () => {
    if (usedBytes() - start <= limitBytes) return false;
    collectGarbage ??= exposeCollector();
    collectGarbage();
    if (usedBytes() - start <= limitBytes) return false;
    reportExceeded();
    return true;
  };
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Only contexts that are created while the flag is set have the function; no sandbox is created in between. */
function exposeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
