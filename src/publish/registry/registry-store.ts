import { setTimeout as wait } from "node:timers/promises";
import { PackError } from "../../errors.ts";
import { isUnsent } from "../../service/client/retry-policy.ts";
import type { Timer, Transport } from "../../service/client/transport.ts";
import { createDebugLog, showAddress } from "../../shared/debug-log.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { putBytes } from "./put-bytes.ts";
import { isLoopback, type RegistryAddress } from "./registry-address.ts";
import { describeUnreachable } from "./registry-failures.ts";

const debug = createDebugLog("publish");

/** Where a registry keeps files: it gets no token. */
export interface RegistryStore {
  /**
   * Sends bytes to an upload URL, without the token, and again when the store fails.
   * @param onProgress receives how many bytes have left, and in which attempt, from 1
   * @throws {PackError} REGISTRY_UNREACHABLE, REGISTRY_FAILED
   */
  put(
    target: { uploadUrl: string; headers: Record<string, string> },
    bytes: Buffer,
    onProgress?: (sentBytes: number, attempt: number) => void,
  ): Promise<void>;
  /** Gets a file by its address, without the token. */
  download(url: string): Promise<Uint8Array>;
}

interface StoreOptions {
  registry: RegistryAddress;
  transport: Transport;
  signal: AbortSignal | undefined;
  timer: Timer | undefined;
  attempts: number;
  /** How long it may take no bytes, in milliseconds. */
  hungMs: number;
  /** How long to wait before bytes are sent again that have not left, in milliseconds. */
  unsentDelayMs: number;
}

const FIRST_DELAY_MS = 1_000;

export function createRegistryStore(options: StoreOptions): RegistryStore {
  const { registry, transport, signal, timer, attempts, hungMs } = options;

  const put = async (
    target: Parameters<RegistryStore["put"]>[0],
    bytes: Buffer,
    onProgress: (sentBytes: number) => void,
  ): Promise<PutOutcome> => {
    const progress = { signal, idleMs: hungMs, onProgress };
    try {
      return await putBytes(target, bytes, progress);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return error as Error;
    }
  };
  return {
    async put(target, bytes, onProgress) {
      assertStore(registry, target.uploadUrl);
      for (let attempt = 1; ; attempt++) {
        const outcome = await put(target, bytes, (sent) => onProgress?.(sent, attempt));
        debug(
          () =>
            `upload: PUT ${showAddress(target.uploadUrl)} ${bytes.byteLength} bytes, attempt ${attempt}: ${outcome instanceof Error ? outcome.message : outcome.status}`,
        );
        if (isStored(outcome)) return;
        if (!mayRepeat(outcome) || attempt === attempts) throw describeOutcome(registry, outcome);
        const delayMs = isUnsent(outcome)
          ? options.unsentDelayMs
          : FIRST_DELAY_MS * 2 ** (attempt - 1);
        await (timer === undefined
          ? wait(delayMs, undefined, { signal })
          : timer.sleep(delayMs, signal));
      }
    },
    async download(url) {
      assertStore(registry, url);
      const response = await transport.download?.(url, signal);
      if (response?.status === 200) return response.body;
      throw new PackError("REGISTRY_FAILED", "The registry did not return the file.", {
        details: { operation: "download", status: response?.status ?? 0 },
        hint: "Run the command again: the address of the file may have expired.",
      });
    },
  };
}

type PutOutcome = Error | Awaited<ReturnType<typeof putBytes>>;

function isStored(outcome: PutOutcome): boolean {
  return !(outcome instanceof Error) && outcome.status >= 200 && outcome.status < 300;
}

function mayRepeat(outcome: PutOutcome): boolean {
  if (outcome instanceof Error) return outcome.name !== "TimeoutError";
  return outcome.status >= 500 || outcome.status === 429;
}

function describeOutcome(registry: RegistryAddress, outcome: PutOutcome): PackError {
  const operation = "putUpload";
  if (outcome instanceof Error) return describeUnreachable(registry, operation, outcome);
  const { status, message } = outcome;
  return new PackError(
    "REGISTRY_FAILED",
    `The registry's file store refused the upload: ${message || `status ${status}`}.`,
    {
      details: { operation, status },
      hint: "Upload the Pack again. You can use the same version number.",
    },
  );
}

/** A registry on another machine must not lead requests to this one. */
function assertStore(registry: RegistryAddress, url: string): void {
  if (canParseUrl(url)) {
    const { protocol, origin, hostname } = new URL(url);
    const isLocal = isLoopback(hostname) && isLoopback(new URL(registry.origin).hostname);
    if (protocol === "https:" || origin === registry.origin) return;
    if (protocol === "http:" && isLocal) return;
  }
  throw new PackError("REGISTRY_FAILED", "The registry returned a URL that is not https.", {
    details: { operation: "download", status: 0 },
    hint: "Check the address of the registry.",
  });
}
