import * as z from "zod";
import {
  type ExchangeDetail,
  exchangeDetail,
  requestRecord,
} from "../../execute/request-record.ts";
import { toMembers } from "../../shared/values.ts";
import { defineTool, READS } from "./tool.ts";

/** What the last call of `execute` sent. The server is one process for one client. */
let lastRun: { target: string; exchanges: readonly ExchangeDetail[] } | undefined;

/** Keeps what a run sent, and returns its document without it: most callers need only the result. */
export function keepRequests(target: string, document: object): object {
  const { exchanges, ...rest } = toMembers(document);
  lastRun = { target, exchanges: (exchanges ?? []) as readonly ExchangeDetail[] };
  return rest;
}

export const READ_REQUESTS_TOOL = defineTool({
  name: "read_requests",
  title: "Read the requests of the last run",
  description:
    "List the requests of the last execute call, including failed requests, or show one request with headers and bodies. Secrets are masked",
  input: z.strictObject({
    id: z
      .int()
      .min(1)
      .optional()
      .describe("Number of a request in the list. The first request is 1"),
  }),
  output: async () =>
    z.strictObject({
      ok: z.literal(true),
      target: z
        .string()
        .nullable()
        .describe("The target of the last run. null before the first run."),
      requests: z.array(requestRecord.extend({ id: z.int() })).optional(),
      request: exchangeDetail
        .nullable()
        .optional()
        .describe("null if the list does not contain the request."),
    }),
  effects: READS,
  async call({ id }) {
    const { target = null, exchanges = [] } = lastRun ?? {};
    if (id !== undefined) return { ok: true, target, request: exchanges[id - 1] ?? null };
    const requests = exchanges.map((exchange, index) => ({
      id: index + 1,
      ...requestRecord.strip().parse(exchange),
    }));
    return { ok: true, target, requests };
  },
});
