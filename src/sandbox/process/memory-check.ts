import { getHeapStatistics, setFlagsFromString } from "node:v8";
import vm from "node:vm";

/**
 * Creates the exact check of the memory in use by a Pack, for moments when its code does not run. V8 also counts garbage, so
 * memory over the limit is collected and counted again.
 * @param limitBytes limit of objects and buffers together
 * @returns a function that says whether the limit is exceeded
 */
export function createMemoryCheck(limitBytes: number): () => boolean {
  const start = usedBytes();
  let collectGarbage: (() => void) | undefined;
  return () => {
    if (usedBytes() - start <= limitBytes) return false;
    collectGarbage ??= exposeCollector();
    collectGarbage();
    return usedBytes() - start > limitBytes;
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
