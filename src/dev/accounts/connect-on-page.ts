import type { AccountSlot } from "../../accounts/account-summary.ts";
import { connectAccount } from "../../connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../connect/connect-options.ts";
import type { FlowObserver } from "../../connect/flow-record.ts";
import { listAccounts } from "../../connect/manage-accounts.ts";
import type { LocalConnection } from "../../connect/rehearsal/rehearsal.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { isPackError } from "../../errors.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ExchangeRecord } from "../../oauth/exchange-record.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { failureView, flowFailureView } from "../failures.ts";
import type { DevSession } from "../session/dev-session.ts";
import { requestOfExchange } from "../timeline/traffic.ts";
import type { ConnectRequest, FlowMessageView, LaneView } from "../wire/accounts.ts";
import type { ConnectFlow } from "./connect-flow.ts";
import { accountView } from "./describe-accounts.ts";
import {
  messageOfDevice,
  messagesOfExchange,
  messagesOfRequest,
  messagesOfStep,
} from "./flow-messages.ts";
import type { LocalProviders } from "./local-providers.ts";

/** What a connection of the page needs from the session. */
export interface PageConnection {
  session: DevSession;
  providers: LocalProviders;
  definition: PackVersionDefinition;
  request: ConnectRequest;
}

/** Connects an account, and shows each step in the view of the flow. Failures are shown there, too. */
export async function connectOnPage(flow: ConnectFlow, connection: PageConnection): Promise<void> {
  const { session, request } = connection;
  try {
    const local = await startLocalConnection(connection);
    // Its provider has started.
    if (local !== undefined) session.events.send({ type: "account" });
    const account = await connectAccount({
      ...locateVault(session),
      ...(await describeCredentials(session, request, local)),
      ...describeRedirect(request),
      ...showApproval(flow, session.now),
      ...showProgress(flow, session),
      redactor: session.options.redactor,
      now: session.now,
      slot: request.slot as AccountSlot,
      account: flow.view.account,
      routes: session.routes(),
      signal: flow.signal,
    });
    flow.view.connected = accountView(account, local !== undefined);
    flow.move("connected");
  } catch (error) {
    const isCancelled = isPackError(error, "INTERRUPTED");
    flow.view.failure = isCancelled ? undefined : flowFailureView(session, error);
    flow.move("failed");
  } finally {
    flow.clear();
    session.events.send({ type: "account" });
  }
}

async function startLocalConnection({
  session,
  providers,
  definition,
  request: { slot, local, variables },
}: PageConnection): Promise<LocalConnection | undefined> {
  if (local === undefined) return undefined;
  return await providers.start(definition, session.state().name, {
    slot: slot as AccountSlot,
    ...local,
    variables: withoutEmpty(variables),
  });
}

/** What the user entered, or the local provider gave. */
async function describeCredentials(
  session: DevSession,
  request: ConnectRequest,
  local: LocalConnection | undefined,
) {
  const variables = { ...local?.variables, ...withoutEmpty(request.variables) };
  return {
    client: local === undefined ? await readClient(session, request) : local.client,
    secrets: local?.secrets ?? (request.secrets && withoutEmpty(request.secrets)),
    endpoint: request.endpoint?.trim() || local?.endpoint,
    pageRoutes: local?.pageRoutes,
    ask: async ({ name }: { name: string }) => variables[name],
    extraScopes: request.extraScopes?.split(/\s+/).filter((scope) => scope !== ""),
    login: request.login,
  };
}

/** How the user approves, with or without a browser that reaches this machine. */
function showApproval(
  flow: ConnectFlow,
  now: () => number,
): Pick<ConnectAccountOptions, "browser" | "device" | "paste"> {
  const { view } = flow;
  const browser: ConnectAccountOptions["browser"] = async (startUrl, { redirectUri }) => {
    Object.assign(view, { startUrl, redirectUri });
    flow.move("waiting");
  };
  switch (view.approval) {
    case "browser":
      return { browser };
    case "paste":
      return {
        browser,
        paste: (authorizationUrl, problem) => {
          const failure = problem === undefined ? undefined : failureView(problem);
          view.paste = { authorizationUrl, problem: failure };
          return flow.ask("paste", "waiting");
        },
      };
    case "device":
      return {
        browser,
        device: ({ expiresInSeconds, ...device }) => {
          view.device = { ...device, expiresAtMs: now() + expiresInSeconds * 1_000 };
          const { host } = new URL(device.verificationUri);
          view.messages.push(messageOfDevice(host, now() - view.startedAtMs));
          flow.move("waiting");
        },
      };
  }
}

/** Choices, lines and steps, as they come. */
function showProgress(
  flow: ConnectFlow,
  session: DevSession,
): Pick<ConnectAccountOptions, "choose" | "elsewhere" | "observer" | "onProgress"> {
  const { view } = flow;
  let endOtherWays = () => {};
  return {
    elsewhere: new Promise<void>((resolve) => {
      endOtherWays = resolve;
    }),
    choose: async ({ name, description }, options) => {
      view.choice = { step: name, description, options: [...options] };
      const answer = flow.ask("choose", "choosing");
      endOtherWays();
      return await answer;
    },
    onProgress: (line) => {
      if (!/^(?:warning|note|endpoint): /.test(line)) return;
      view.notes.push(line);
      flow.notify();
    },
    observer: observeFlow(session, flow),
  };
}

/**
 * The client that the user entered. Without a secret, it must be the client that the account has.
 */
async function readClient(
  session: DevSession,
  { slot, account, clientId = "", clientSecret = "" }: ConnectRequest,
) {
  const id = clientId.trim();
  if (id === "") return undefined;
  if (clientSecret !== "") return { clientId: id, clientSecret };
  const vault = locateVault(session);
  const [stored] = await listAccounts({ ...vault, account, slot: slot as AccountSlot });
  return stored?.clientId === id ? undefined : { clientId: id, clientSecret: undefined };
}

/** A local provider accepts every port. */
function describeRedirect({ redirect, local }: ConnectRequest) {
  if (redirect === undefined) return local === undefined ? {} : { port: 0 };
  const { port = 0, host, path, uri } = redirect;
  return {
    port,
    redirectHost: host === "localhost" ? ("localhost" as const) : undefined,
    redirectPath: path?.trim() || undefined,
    redirectUri: uri?.trim() || undefined,
  };
}

function withoutEmpty(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

function locateVault({ options: { file, cwd, home, databaseUrl, keyStore } }: DevSession) {
  if (home === undefined)
    throw new TypeError("A session that connects accounts needs the folder of its vault.");
  return { file, cwd, home, databaseUrl, keyStore };
}

/** Adds what happens to the diagram, and the requests to the timeline. */
function observeFlow(session: DevSession, { view, notify }: ConnectFlow): FlowObserver {
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
