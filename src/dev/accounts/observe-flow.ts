import type { FlowObserver } from "../../connect/flow-record.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ExchangeRecord } from "../../oauth/exchange-record.ts";
import { canParseUrl } from "../../shared/urls.ts";
import type { DevSession } from "../session/dev-session.ts";
import { requestOfExchange } from "../timeline/traffic.ts";
import type { FlowMessageView, LaneView } from "../wire/accounts.ts";
import type { ConnectFlow } from "./connect-flow.ts";
import { messagesOfExchange, messagesOfRequest, messagesOfStep } from "./flow-messages.ts";

/** Adds what happens to the diagram, and the requests to the timeline. */
export function observeFlow(session: DevSession, { view, notify }: ConnectFlow): FlowObserver {
  const source = {
    kind: "connection" as const,
    id: `flow-${view.id}`,
    target: `connect ${view.account}`,
  };
  const add = (
    messages: FlowMessageView[],
    lane: LaneView["lane"],
    url: string | undefined,
  ): void => {
    view.messages.push(...messages);
    const found = view.lanes.find((candidate) => candidate.lane === lane);
    if (found !== undefined && url !== undefined && canParseUrl(url))
      found.host ??= new URL(url).host;
    notify();
  };
  return {
    onStep(event) {
      // The browser has returned, so the start URL is no longer needed.
      if (event.step === "callback")
        Object.assign(view, { startUrl: undefined, state: "preparing" });
      add(messagesOfStep(event, view.approval), "server", event.facts["url"]);
    },
    onExchange(record: ExchangeRecord) {
      session.traffic.record(source, requestOfExchange(record));
      add(messagesOfExchange(record, view.startedAtMs), "server", record.url);
    },
    onRequest(detail: ExchangeDetail) {
      session.traffic.record(source, detail);
      add(messagesOfRequest(detail, view.startedAtMs), "api", detail.url);
    },
  };
}
