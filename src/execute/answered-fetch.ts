import { isPackError, PackError } from "../errors.ts";
import type { HostFetchResult } from "../sandbox/host/isolate.ts";

/**
 * Lets a function of a test answer what a Pack in the sandbox asks for. What it throws is thrown inside, as the same error:
 * its name, its message and its own members.
 */
export async function answeredFetch(request: unknown, answer: (request: unknown) => Promise<unknown>): Promise<HostFetchResult> {
  try {
    return { ok: true, response: await answer(request) };
  } catch (error) {
    const name = error instanceof Error ? error.name : "Error";
    const message = error instanceof Error ? error.message : String(error);
    const members = typeof error === "object" && error !== null ? { ...(error as Record<string, unknown>) } : {};
    delete members["name"];
    const failure = isPackError(error)
      ? (error as PackError)
      : new PackError("FETCH_FAILED", message, { details: { host: "" }, hint: "The mock of the test refused the request.", cause: error });
    return { ok: false, failure: { name, message, members: plain(members) }, error: failure };
  }
}

/** Only data crosses into the sandbox. */
function plain(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => typeof member !== "function" && typeof member !== "symbol"));
}
