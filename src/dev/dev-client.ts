import { PackError } from "../errors.ts";
import { INSTANCE_HEADER } from "./request-guard.ts";
import { findInstance } from "./running-instance.ts";

/** Reads what the page of a Pack shows. */
export interface DevClient {
  /**
   * @param path such as `/api/timeline` @throws {PackError} DEV_NOT_RUNNING when the server has
   * ended
   */
  get(path: string): Promise<unknown>;
}

const TIMEOUT_MS = 5_000;

/**
 * A client of the `packsmith dev` that runs for a Pack. It only reads.
 * @param entry absolute path of the entry file
 * @throws {PackError} DEV_NOT_RUNNING
 */
export async function openDevClient(home: string, entry: string): Promise<DevClient> {
  const instance = await findInstance(home, entry);
  if (instance === undefined) throw notRunning(entry);
  const { origin, key } = instance;
  return {
    async get(path) {
      const response = await fetch(new URL(path, origin), {
        headers: { [INSTANCE_HEADER]: key },
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((cause: unknown) => {
        throw notRunning(entry, cause);
      });
      if (response.status === 200) return await response.json();
      await response.body?.cancel();
      throw notRunning(entry);
    },
  };
}

function notRunning(entry: string, cause?: unknown): PackError<"DEV_NOT_RUNNING"> {
  return new PackError("DEV_NOT_RUNNING", `packsmith dev is not running for ${entry}.`, {
    details: undefined,
    hint: "Start packsmith dev for this file. Then run a formula or connect an account on the page.",
    cause,
  });
}
