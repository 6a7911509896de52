import type { AccountSlot } from "../../accounts/account-summary.ts";
import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import { PackError } from "../../errors.ts";
import { badRequest } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { ConnectRequest, FlowView } from "../wire/accounts.ts";
import { type ConnectFlow, createConnectFlow, describeFlow } from "./connect-flow.ts";
import { connectOnPage } from "./connect-on-page.ts";
import type { LocalProviders } from "./local-providers.ts";

/** The connections that the page has started. */
export interface ConnectFlows extends AsyncDisposable {
  /**
   * Starts a connection, and cancels an earlier one of the same account. @throws {PackError}
   * OAUTH_NOT_CONFIGURED, PROFILE_UNKNOWN, ROUTE_INVALID, USAGE_INVALID
   */
  start(request: ConnectRequest): Promise<FlowView>;
  /** The latest connection of each slot. */
  list(): FlowView[];
  /** @throws {PackError} USAGE_INVALID when the id is unknown */
  view(id: string): FlowView;
  choose(id: string, value: string): FlowView;
  /** Gives a connection the address that the user's browser was redirected to. */
  paste(id: string, address: string): FlowView;
  cancel(id: string): FlowView;
}

interface RunningFlow {
  flow: ConnectFlow;
  done: Promise<void>;
}

/** Older connections are forgotten. */
const MAX_FLOWS = 20;

export function createConnectFlows(session: DevSession, providers: LocalProviders): ConnectFlows {
  const flows = new Map<string, RunningFlow>();
  let lastId = 0;

  const find = (id: string): ConnectFlow => flows.get(id)?.flow ?? failMissing();
  return {
    async start(request) {
      const { definition, authentication } = findAuthentication(session, request);
      for (const secret of [request.clientSecret, ...Object.values(request.secrets ?? {})])
        session.options.redactor.add(secret);
      const account = checkName(request.account);
      for (const { flow } of flows.values())
        if (flow.view.slot === request.slot && flow.view.account === account) flow.cancel();
      lastId += 1;
      const id = String(lastId);
      const view = describeFlow(
        request,
        { id, account, startedAtMs: session.now() },
        authentication,
      );
      const flow = createConnectFlow(view, () =>
        session.events.send({ type: "flow", id, step: view.messages.length }),
      );
      const done = connectOnPage(flow, { session, providers, definition, request });
      flows.set(id, { flow, done });
      for (const old of [...flows.keys()].slice(0, -MAX_FLOWS)) flows.delete(old);
      return view;
    },
    list: () => [
      ...new Map([...flows.values()].map(({ flow: { view } }) => [view.slot, view])).values(),
    ],
    view: (id) => find(id).view,
    choose: (id, value) => answerFlow(find(id), "choose", value),
    paste: (id, address) => answerFlow(find(id), "paste", address),
    cancel(id) {
      const flow = find(id);
      flow.cancel();
      return flow.view;
    },
    async [Symbol.asyncDispose]() {
      for (const { flow } of flows.values()) flow.cancel();
      await Promise.all([...flows.values()].map(({ done }) => done));
    },
  };
}

function answerFlow(flow: ConnectFlow, what: "choose" | "paste", text: string): FlowView {
  flow.answer(what, text);
  return flow.view;
}

function findAuthentication(session: DevSession, { slot }: ConnectRequest) {
  const { definition } = session.state();
  const authentication =
    definition === undefined ? undefined : findSlotAuthentication(definition, slot as AccountSlot);
  if (definition === undefined || authentication === undefined)
    throw badRequest(`The Pack declares no ${slot} account.`);
  return { definition, authentication };
}

function failMissing(): never {
  throw badRequest("This connection no longer exists.");
}

function checkName(name: string): string {
  const trimmed = name.trim() || "default";
  if (trimmed.length <= 100 && !/[\p{Cc}\p{Cf}]/u.test(trimmed)) return trimmed;
  throw new PackError(
    "USAGE_INVALID",
    "The account name is too long or contains control characters.",
    {
      details: undefined,
      hint: "Choose a short name, such as default.",
    },
  );
}
