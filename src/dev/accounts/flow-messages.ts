import type { FlowEvent } from "../../connect/flow-event.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ExchangeRecord } from "../../oauth/exchange-record.ts";
import { parseUrl } from "../../shared/urls.ts";
import type { Approval, FlowMessageView, MessagePart } from "../wire/accounts.ts";

type Rows = MessagePart["rows"];

/**
 * A step of the user or of the Pack, as arrows between the browser, this server and the provider.
 */
export function messagesOfStep(event: FlowEvent, approval: Approval): FlowMessageView[] {
  const isPasted = approval === "paste";
  switch (event.step) {
    case "authorize":
      return [...(isPasted ? [] : describeStart(event)), describeAuthorization(event)];
    case "callback":
      return describeCallback(event, isPasted);
    default:
      return [describeNote(event)];
  }
}

/** The browser asks this server first. */
function describeStart({ atMs }: FlowEvent): FlowMessageView[] {
  return [
    message({ atMs, from: "browser", to: "packsmith", title: "GET /start", parts: [] }),
    message({
      atMs,
      from: "packsmith",
      to: "browser",
      kind: "answer",
      title: "303 to the provider's page",
      parts: [],
    }),
  ];
}

function describeAuthorization({ facts, atMs }: FlowEvent): FlowMessageView {
  const url = facts["url"] ?? "";
  const sent = addPrefix(facts, "> ");
  return message({
    atMs,
    from: "browser",
    to: "server",
    title: `GET ${getPath(url)}`,
    detail: "the user approves",
    parts: [
      describeTarget("GET", url),
      { title: "Parameters", rows: [...sent, ["state", MASK], ...challenge(facts)] },
    ],
  });
}

/** The provider sends the browser back. */
function describeCallback({ facts, atMs }: FlowEvent, isPasted: boolean): FlowMessageView[] {
  const names = (facts["< parameters"] ?? "").split(", ").filter((name) => name !== "");
  const error = facts["< error"];
  const rows: Rows = names.map((name) => [
    name,
    name === "error" && error !== undefined ? error : MASK,
  ]);
  const parts = [{ title: "Parameters", rows }];
  return [
    message({
      atMs,
      from: "server",
      to: "browser",
      kind: "answer",
      isFailed: error !== undefined,
      title: `302 with ${error === undefined ? names.join(", ") : `error ${error}`}`,
      parts,
    }),
    message({
      atMs,
      from: "browser",
      to: "packsmith",
      title: isPasted ? "the pasted address" : "GET the redirect URI",
      parts,
    }),
  ];
}

/** A step that sends nothing. */
function describeNote({ step, facts, atMs }: FlowEvent): FlowMessageView {
  const titles: Readonly<Record<string, string>> = {
    endpoint: `Endpoint ${facts["endpoint"] ?? ""}`,
    label: `Named ${facts["name"] ?? ""}`,
  };
  return message({
    atMs,
    from: "packsmith",
    to: "packsmith",
    kind: "note",
    title: titles[step] ?? step,
    parts: [{ title: "Facts", rows: Object.entries(facts) }],
  });
}

/** The user enters the code on any device (RFC 8628 §3.3). */
export function messageOfDevice(host: string, atMs: number): FlowMessageView {
  return message({
    atMs,
    from: "browser",
    to: "server",
    title: "the user enters the code",
    detail: host,
    parts: [],
  });
}

/** A request to the authorization server and its answer. */
export function messagesOfExchange(record: ExchangeRecord, startedAtMs: number): FlowMessageView[] {
  const { method, url, status, durationMs, clientAuthentication, request, response, error } =
    record;
  const atMs = record.startedAtMs - startedAtMs;
  const isFailed = error !== undefined || (status !== undefined && status >= 400);
  const how =
    clientAuthentication === undefined
      ? undefined
      : `client authentication: ${clientAuthentication}`;
  const said: Rows = [
    ...(response?.error === undefined ? [] : [["error", response.error] as const]),
    ...(response?.errorDescription === undefined
      ? []
      : [["error_description", response.errorDescription] as const]),
  ];
  const members = response?.members ?? [];
  const values = Object.entries(response?.values ?? {});
  const deviations = (response?.deviations ?? []).map((text) => ["", text] as const);
  return [
    message({
      atMs,
      from: "packsmith",
      to: "server",
      title: `${method} ${getPath(url)}`,
      detail: how ?? record.step,
      parts: [
        describeTarget(method, url),
        part("Headers", Object.entries(request.headers)),
        part("Body", Object.entries(request.params)),
      ].flat(),
    }),
    message({
      atMs: atMs + durationMs,
      from: "server",
      to: "packsmith",
      kind: "answer",
      durationMs,
      isFailed,
      title:
        status === undefined
          ? "no response"
          : `${status}${response?.error === undefined ? "" : ` ${response.error}`}`,
      detail: error ?? (members.length === 0 ? undefined : members.join(", ")),
      parts: [
        part("Headers", Object.entries(response?.headers ?? {})),
        part("Body", [...values, ...said]),
        part("Deviations that a strict client would reject", deviations),
      ].flat(),
    }),
  ];
}

/** A request of the Pack while its account is set up, and its answer. */
export function messagesOfRequest(detail: ExchangeDetail, startedAtMs: number): FlowMessageView[] {
  const { method, url, status, durationMs, error, authentication } = detail;
  const atMs = detail.startedAtMs - startedAtMs;
  const body = (text: string | undefined): MessagePart[] =>
    text === undefined ? [] : [{ title: "Body", rows: [], text }];
  const credentials =
    authentication === undefined ? [] : part("Credentials", [[authentication, MASK]]);
  return [
    message({
      atMs,
      from: "packsmith",
      to: "api",
      title: `${method} ${getPath(url)}`,
      detail: "sent by the Pack",
      parts: [
        describeTarget(method, url),
        ...part("Headers", Object.entries(detail.requestHeaders)),
        ...credentials,
        ...body(detail.requestBody),
      ],
    }),
    message({
      atMs: atMs + durationMs,
      from: "api",
      to: "packsmith",
      kind: "answer",
      durationMs,
      title: status === undefined ? "no response" : String(status),
      detail: error,
      isFailed: error !== undefined || (status !== undefined && status >= 400),
      parts: [
        ...part("Headers", Object.entries(detail.responseHeaders ?? {})),
        ...body(detail.responseBody),
      ],
    }),
  ];
}

const MASK = "••••";

function message(
  members: Pick<FlowMessageView, "atMs" | "from" | "to" | "title" | "parts"> &
    Partial<FlowMessageView>,
): FlowMessageView {
  return { kind: "request", detail: undefined, durationMs: undefined, isFailed: false, ...members };
}

function describeTarget(method: string, url: string): MessagePart {
  return {
    title: "Request",
    rows: [
      ["method", method],
      ["URL", url],
    ],
  };
}

function part(title: string, rows: Rows): MessagePart[] {
  return rows.length === 0 ? [] : [{ title, rows }];
}

function addPrefix(facts: Readonly<Record<string, string>>, prefix: string): Rows {
  return Object.entries(facts).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  );
}

/** The challenge, masked like every value that comes from a secret. */
function challenge(facts: Readonly<Record<string, string>>): Rows {
  return facts["> code_challenge_method"] === undefined ? [] : [["code_challenge", MASK]];
}

function getPath(url: string): string {
  return parseUrl(url)?.pathname ?? url;
}
