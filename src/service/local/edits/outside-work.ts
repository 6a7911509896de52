import type { Kysely } from "kysely";
import { isLoopbackUrl } from "../loopback-url.ts";
import { readPublishedVersion } from "../registry/published-version.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { ActionRunner, OutsideWork } from "./edit.ts";

const DELIVERY_TIMEOUT_MS = 5_000;

/**
 * Runs the action of a Pack, or delivers what an automation was triggered with. @returns what went
 * wrong, for people
 */
export async function performWork(
  work: OutsideWork,
  actions: ActionRunner | undefined,
  db: Kysely<ServiceSchema>,
): Promise<string | undefined> {
  try {
    if (work.kind === "deliver") return await deliver(work);
    if (actions === undefined)
      return `The service was started without actions; ${work.call.formula} was not run.`;
    await actions(work.call, (packId) => readPublishedVersion(db, packId));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    return work.kind === "deliver"
      ? "The delivery of the automation failed."
      : `The action failed: ${reason.slice(0, 1_000)}`;
  }
}

async function deliver({
  url,
  payload,
  ruleId,
}: Extract<OutsideWork, { kind: "deliver" }>): Promise<string | undefined> {
  if (!isLoopbackUrl(url)) return "Automations deliver only to addresses of this machine.";
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Emulator-Rule": ruleId },
    body: JSON.stringify(payload),
    redirect: "error",
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.ok
    ? undefined
    : `The delivery of the automation ended with status ${response.status}.`;
}
