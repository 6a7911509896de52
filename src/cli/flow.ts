import type { FlowEvent, FlowRecord } from "../connect/flow-event.ts";
import { formatPlace, type Output, printable } from "./output.ts";

/** Prints how a connection went: each step with its time, then how it ended and what to change. */
export async function printFlow(record: FlowRecord, output: Output): Promise<void> {
  output.data(
    `${output.style("strong", record.pack)}  account ${record.account}  ${new Date(record.startedAtMs).toISOString()}`,
  );
  for (const event of record.events) printEvent(event, output);
  const { outcome } = record;
  if (outcome.ok) {
    output.data(`${output.style("good", "connected")}  after ${record.durationMs} ms`);
    return;
  }
  output.data(
    `${output.style("bad", "failed")} ${output.style("strong", outcome.code)}  ${printable(outcome.message)}`,
  );
  if (outcome.hint !== undefined)
    output.data(`  ${output.style("quiet", "→")} ${printable(outcome.hint)}`);
  const { explain } = await import("../validate/explanations/explain.ts");
  const why = explain(outcome.code)?.why;
  if (why !== undefined) output.data(`  ${printable(why)}`);
  const where = formatPlace(outcome);
  if (where !== "") output.data(`  ${output.style("quiet", where)}`);
}

function printEvent({ atMs, step, facts, durationMs }: FlowEvent, output: Output): void {
  const duration = durationMs === undefined ? "" : `  ${durationMs} ms`;
  output.data(
    `${output.style("quiet", `+${String(atMs).padStart(6)} ms`)}  ${output.style("strong", step)}${duration}`,
  );
  for (const [name, value] of Object.entries(facts))
    output.data(`             ${output.style("quiet", name)} ${printable(value)}`);
}

/** What strict clients refuse in the provider's answers, each once. */
export function listDeviations({ events }: FlowRecord): string[] {
  return [...new Set(events.flatMap(({ deviations }) => deviations ?? []))];
}

/** The members of the definition that the metadata of its issuer says as well. */
export function listRepeated({ events }: FlowRecord): string[] {
  const texts = events.flatMap(({ facts }) => facts["repeats the metadata"] ?? []);
  return [...new Set(texts.flatMap((text) => text.split(", ")))];
}

export function printDeviations(record: FlowRecord, output: Output): void {
  const deviations = listDeviations(record);
  const tokenEvents = record.events.filter(({ step }) => step === "token" || step === "refresh");
  const hasTokens = tokenEvents.some(({ facts }) => facts["failed"] === undefined);
  if (tokenEvents.length === 0)
    output.data(
      "The last connection sent no token request, so auth doctor has no response to check. Run packsmith auth connect first.",
    );
  else if (!hasTokens)
    output.data(
      "The last connection failed before packsmith received a token, so auth doctor has no response to check. Run packsmith auth explain to see the reason.",
    );
  else if (deviations.length === 0)
    output.data(
      `${output.style("good", "standard")}  A strict client would accept every response from this provider.`,
    );
  for (const deviation of deviations)
    output.data(`${output.style("warning", "deviates")}  ${printable(deviation)}`);
  for (const member of listRepeated(record))
    output.data(
      `${output.style("warning", "repeats")}  ${printable(member)} is also in the issuer's metadata. Remove this option from the authentication definition, so that the Pack always uses the server's current value.`,
    );
  if (deviations.length > 0)
    output.data("packsmith can read these responses, but other clients may reject them.");
}
