import type { Envelope } from "../../../contract/models/model.ts";
import { LOG_TYPES } from "../../../contract/registry/log-types.ts";
import type {
  GroupedPackLog,
  GroupedPackLogList,
  PackLog,
} from "../../../contract/registry/registry-models.ts";
import { HttpError } from "../../api/http-error.ts";
import { type ListParameters, listResponse } from "../../api/list-response.ts";
import { readChoice, readChoices, readLimit } from "../../api/request-input.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import { openPack } from "../pack-access.ts";
import { listParts } from "../registry-store.ts";

const MAX_LIMIT = 100;

export async function listPackLogs(call: ServiceCall): Promise<Envelope<PackLog>> {
  const logs = await listLogs(call);
  return await listResponse(call, {
    parameters: () => ({ ...listParameters(call), ...choicesOfEntries(call) }),
    items: (parameters) => inOrder(logs.filter(isWanted(parameters)), parameters),
    getSortKey: ({ position, log }, { order }) => [
      order === "asc" ? position : -position,
      log.context.logId,
    ],
    render: ({ log }) => log,
  });
}

/** One entry for each call of a formula, with what the call wrote and requested. */
export async function listGroupedPackLogs(call: ServiceCall): Promise<GroupedPackLogList> {
  const logs = await listLogs(call);
  const page = await listResponse(call, {
    parameters: () => listParameters(call),
    items: (parameters) => {
      const wanted = new Set(
        logs.filter(isWanted(parameters)).map(({ log }) => log.context.requestId),
      );
      const heads = logs.filter(
        ({ log }) =>
          (log.type === "invocation" || log.type === "auth") && wanted.has(log.context.requestId),
      );
      return inOrder(heads, parameters);
    },
    getSortKey: ({ position, log }, { order }) => [
      order === "asc" ? position : -position,
      log.context.logId,
    ],
    render: ({ log }): GroupedPackLog => {
      const relatedLogs = logs.flatMap((each) =>
        each.log !== log && each.log.context.requestId === log.context.requestId ? [each.log] : [],
      );
      if (log.type === "auth") return { type: "auth", authLog: log, relatedLogs };
      if (log.type === "invocation") return { type: "invocation", invocationLog: log, relatedLogs };
      throw new TypeError("Only a call or an authentication has related entries.");
    },
  });
  return { ...page, incompleteRelatedLogs: false };
}

interface Entry {
  position: number;
  log: PackLog;
}

async function listLogs(call: ServiceCall): Promise<Entry[]> {
  const pack = await openPack(call);
  const parts = await listParts(call.state.storage.db, pack.id, "log");
  const { docId } = call.params;
  return parts.flatMap(({ position, value }) =>
    value.context.docId === docId ? [{ position, log: value }] : [],
  );
}

function listParameters({ query }: ServiceCall): ListParameters & { limit: number } {
  const q = query.get("q") ?? "";
  return {
    limit: readLimit(query, MAX_LIMIT, 25),
    order: readChoice(query, "order", ["asc", "desc"]) ?? "desc",
    ...readTimes(query, "afterTimestamp"),
    ...readTimes(query, "beforeTimestamp"),
    ...(q === "" ? {} : { q }),
  };
}

/** Only a list of entries can be limited to these. @throws {HttpError} 400 for an unknown type */
function choicesOfEntries({ query }: ServiceCall): Record<string, string> {
  const logTypes = readChoices(query, "logTypes", LOG_TYPES);
  const requestIds = query.getAll("requestIds").flatMap((text) => text.split(","));
  return {
    ...(logTypes.length === 0 ? {} : { logTypes: logTypes.join(",") }),
    ...(requestIds.length === 0 ? {} : { requestIds: requestIds.join(",") }),
  };
}

function readTimes(query: URLSearchParams, name: string): Record<string, string> {
  const text = query.get(name);
  if (text === null) return {};
  if (Number.isNaN(Date.parse(text)))
    throw new HttpError(400, `${name} must be a time such as 2026-01-31T12:00:00Z.`);
  return { [name]: text };
}

function isWanted({
  logTypes,
  requestIds,
  afterTimestamp,
  beforeTimestamp,
  q,
}: ListParameters): (entry: Entry) => boolean {
  const isIn = (list: unknown, text: string) =>
    list === undefined || String(list).split(",").includes(text);
  return ({ log }) => {
    const { requestId, createdAt } = log.context;
    const atMs = Date.parse(createdAt);
    return (
      isIn(logTypes, log.type) &&
      isIn(requestIds, requestId) &&
      (afterTimestamp === undefined || atMs > Date.parse(String(afterTimestamp))) &&
      (beforeTimestamp === undefined || atMs < Date.parse(String(beforeTimestamp))) &&
      (q === undefined || JSON.stringify(log).toLowerCase().includes(String(q).toLowerCase()))
    );
  };
}

function inOrder(entries: Entry[], { order }: ListParameters): Entry[] {
  return order === "asc" ? entries : entries.toReversed();
}
