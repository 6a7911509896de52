import {
  hasFailed,
  isCall,
  type LogEntry,
  type PackLog,
  readHead,
} from "../publish/registry/pack-logs.ts";
import { type Output, printable } from "./output.ts";

/** Prints a call with what it wrote and requested, or a single entry. */
export function printEntry(entry: LogEntry, output: Output): void {
  const head = readHead(entry);
  const { createdAt, formulaName, packVersion, requestId } = head.context;
  const at = createdAt.replace("T", " ").slice(0, 23);
  if (!isCall(entry)) {
    const line = describeLog(head);
    if (line === undefined) return;
    output.data(`${at}  ${printable(formulaName)}  ${packVersion}  ${line}  ${requestId}`);
    printError(head, output);
    return;
  }
  const end = hasFailed(head) ? output.dataStyle("bad", "failed") : output.dataStyle("good", "ok");
  const took = head.type === "invocation" ? durationText(head.duration) : "";
  const subject = head.type === "auth" ? `auth ${printable(head.path)}` : printable(formulaName);
  output.data(`${at}  ${subject}  ${packVersion}  ${end}${took}  ${requestId}`);
  for (const log of entry.relatedLogs) {
    const line = describeLog(log);
    if (line !== undefined) output.data(`  ${line}`);
  }
  printError(head, output);
}

function printError(log: PackLog, output: Output): void {
  if (log.type === "auth") {
    if (log.errorMessage !== undefined) output.data(`  ${printable(log.errorMessage)}`);
    return;
  }
  if (log.type !== "invocation" || log.error === undefined) return;
  output.data(`  ${printable(log.error.message)}`);
  for (const frame of log.error.stack?.split("\n") ?? [])
    output.data(`    ${printable(frame.trim())}`);
}

/** @returns undefined for a type that this version does not know */
function describeLog(log: PackLog): string | undefined {
  switch (log.type) {
    case "custom":
    case "internal":
    case "ingestionLifecycle":
    case "ingestionDebug":
      return `${log.level}  ${printable(log.message)}`;
    case "fetcher":
      return `${log.method ?? "GET"} ${printable(log.baseUrl ?? "")}  ${log.responseCode ?? "no answer"}${durationText(log.duration)}${log.cacheHit === true ? "  cached" : ""}`;
    case "mcp":
      return `mcp  ${printable(log.error?.message ?? log.message ?? "")}`;
    case "agentRuntime":
      return `${printable([log.turnType, log.name, log.model].filter(Boolean).join(" "))}${durationText(log.durationMs)}`;
    case "invocation":
      return `call  ${log.error === undefined ? "ok" : "failed"}${durationText(log.duration)}`;
    case "auth":
      return `auth ${printable(log.path)}  ${log.errorMessage === undefined ? "ok" : "failed"}`;
    default:
      return undefined;
  }
}

function durationText(ms: number | undefined): string {
  return ms === undefined ? "" : `  ${Math.round(ms)} ms`;
}
