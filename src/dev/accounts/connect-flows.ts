import type { AccountSlot } from "../../accounts/account-summary.ts";
import { authenticationOf } from "../../accounts/pack-account.ts";
import { connectAccount } from "../../connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../connect/connect-options.ts";
import type { FlowObserver } from "../../connect/flow-record.ts";
import { listAccounts } from "../../connect/manage-accounts.ts";
import type { LocalConnection } from "../../connect/rehearsal/rehearsal.ts";
import type { Authentication } from "../../define/authentication.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ExchangeRecord } from "../../oauth/exchange-record.ts";
import { canParseUrl, parseUrl } from "../../shared/urls.ts";
import { failureView, flowFailureView } from "../failures.ts";
import { badRequest } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { requestOfExchange } from "../timeline/traffic.ts";
import type {
  Approval,
  ConnectRequest,
  FlowMessageView,
  FlowState,
  FlowView,
  LaneView,
} from "../wire/accounts.ts";
import { accountView } from "./describe-accounts.ts";
import {
  messageOfDevice,
  messagesOfExchange,
  messagesOfRequest,
  messagesOfStep,
} from "./flow-messages.ts";
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

interface Flow {
  view: FlowView;
  ending: AbortController;
  /** A choice of an endpoint that the user has not made yet. */
  choose: Question | undefined;
  /** The address that the user has not pasted yet. */
  paste: Question | undefined;
  done: Promise<void>;
}

/** What a connection waits for. */
interface Question {
  answer(text: string): void;
  giveUp(): void;
}

/** Older connections are forgotten. */
const MAX_FLOWS = 20;

export function createConnectFlows(session: DevSession, providers: LocalProviders): ConnectFlows {
  const flows = new Map<string, Flow>();
  let lastId = 0;

  const flowOf = (id: string): Flow => flows.get(id) ?? missing();
  const run = async (
    flow: Flow,
    request: ConnectRequest,
    definition: PackVersionDefinition,
  ): Promise<void> => {
    const { view } = flow;
    const { file, cwd, redactor, databaseUrl, keyStore } = session.options;
    const slot = view.slot as AccountSlot;
    const notify = () =>
      session.events.send({ type: "flow", id: view.id, step: view.messages.length });
    const move = (state: FlowState) => {
      if (view.state === "cancelled") return;
      view.state = state;
      notify();
    };
    const ask = (what: "choose" | "paste", state: FlowState): Promise<string> =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          Object.assign(view, { choice: undefined, paste: undefined });
          flow[what] = undefined;
        };
        flow[what] = {
          answer(text) {
            settle();
            move("preparing");
            resolve(text);
          },
          giveUp() {
            settle();
            reject(interrupted());
          },
        };
        move(state);
      });
    let approvedElsewhere = () => {};
    const elsewhere = new Promise<void>((resolve) => {
      approvedElsewhere = resolve;
    });
    try {
      const local = await localConnection(providers, session, definition, slot, request);
      // Its provider has started.
      if (local !== undefined) session.events.send({ type: "account" });
      const variables = { ...local?.variables, ...withoutEmpty(request.variables) };
      const account = await connectAccount({
        file,
        cwd,
        home: homeOf(session),
        databaseUrl,
        keyStore,
        redactor,
        now: session.now,
        slot,
        account: view.account,
        routes: session.routes(),
        signal: flow.ending.signal,
        pageRoutes: local?.pageRoutes,
        client: local === undefined ? await clientOf(session, request) : local.client,
        secrets: local?.secrets ?? (request.secrets && withoutEmpty(request.secrets)),
        endpoint: request.endpoint?.trim() || local?.endpoint,
        ask: async ({ name }) => variables[name],
        extraScopes: request.extraScopes?.split(/\s+/).filter((scope) => scope !== ""),
        login: request.login,
        ...redirectOf(request),
        browser: async (startUrl, { redirectUri }) => {
          Object.assign(view, { startUrl, redirectUri });
          move("waiting");
        },
        ...approvalOf(view, { ask: (state) => ask("paste", state), move, now: session.now }),
        elsewhere,
        choose: async (step, options) => {
          view.choice = { step: step.name, description: step.description, options: [...options] };
          const answer = ask("choose", "choosing");
          approvedElsewhere();
          return await answer;
        },
        onProgress: (line) => {
          if (!/^(?:warning|note|endpoint): /.test(line)) return;
          view.notes.push(line);
          notify();
        },
        observer: observe(session, view, notify),
      });
      view.connected = accountView(account, local !== undefined);
      move("connected");
    } catch (error) {
      view.failure = isPackError(error, "INTERRUPTED")
        ? undefined
        : flowFailureView(session, error);
      move("failed");
    } finally {
      Object.assign(view, {
        startUrl: undefined,
        choice: undefined,
        paste: undefined,
        device: undefined,
      });
      notify();
      session.events.send({ type: "account" });
    }
  };
  const end = (flow: Flow): void => {
    if (hasEnded(flow.view)) return;
    flow.view.state = "cancelled";
    // While it chooses, the account is already in the vault. Rejecting the choice makes
    // connectAccount remove it again.
    const question = flow.choose ?? flow.paste;
    if (question !== undefined) question.giveUp();
    else flow.ending.abort();
  };

  return {
    async start(request) {
      const definition = session.state().definition;
      const slot = request.slot as AccountSlot;
      const authentication =
        definition === undefined ? undefined : authenticationOf(definition, slot);
      if (definition === undefined || authentication === undefined)
        throw badRequest(`The Pack declares no ${slot} account.`);
      for (const secret of [request.clientSecret, ...Object.values(request.secrets ?? {})])
        session.options.redactor.add(secret);
      const account = checkName(request.account);
      for (const flow of flows.values())
        if (flow.view.slot === slot && flow.view.account === account) end(flow);
      lastId += 1;
      const view: FlowView = {
        id: String(lastId),
        slot,
        account,
        isLocal: request.local !== undefined,
        startedAtMs: session.now(),
        state: "preparing",
        additional: { extraScopes: request.extraScopes, login: request.login },
        startUrl: undefined,
        redirectUri: undefined,
        approval: request.approval ?? "browser",
        paste: undefined,
        device: undefined,
        choice: undefined,
        failure: undefined,
        connected: undefined,
        lanes: lanesOf(authentication, request.approval),
        messages: [],
        notes: [],
      };
      const flow: Flow = {
        view,
        ending: new AbortController(),
        choose: undefined,
        paste: undefined,
        done: Promise.resolve(),
      };
      flows.set(view.id, flow);
      for (const id of [...flows.keys()].slice(0, -MAX_FLOWS)) flows.delete(id);
      flow.done = run(flow, request, definition);
      return view;
    },
    list: () => [...new Map([...flows.values()].map(({ view }) => [view.slot, view])).values()],
    view: (id) => flowOf(id).view,
    choose(id, value) {
      const { view, choose } = flowOf(id);
      if (choose === undefined) throw badRequest("This connection is not waiting for a choice.");
      choose.answer(value);
      return view;
    },
    paste(id, address) {
      const { view, paste } = flowOf(id);
      if (paste === undefined) throw badRequest("This connection is not waiting for an address.");
      paste.answer(address);
      return view;
    },
    cancel(id) {
      const flow = flowOf(id);
      end(flow);
      return flow.view;
    },
    async [Symbol.asyncDispose]() {
      for (const flow of flows.values()) end(flow);
      await Promise.all([...flows.values()].map(({ done }) => done));
    },
  };
}

function hasEnded({ state }: FlowView): boolean {
  return state === "connected" || state === "failed" || state === "cancelled";
}

function interrupted(): PackError<"INTERRUPTED"> {
  return new PackError("INTERRUPTED", "The connection was cancelled.", {
    details: undefined,
    hint: undefined,
  });
}

function missing(): never {
  throw badRequest("This connection no longer exists.");
}

function homeOf({ options }: DevSession): string {
  if (options.home !== undefined) return options.home;
  throw new TypeError("A session that connects accounts needs the folder of its vault.");
}

async function localConnection(
  providers: LocalProviders,
  session: DevSession,
  definition: PackVersionDefinition,
  slot: AccountSlot,
  { local, variables = {} }: ConnectRequest,
): Promise<LocalConnection | undefined> {
  if (local === undefined) return undefined;
  const given = withoutEmpty(variables);
  return await providers.start(definition, session.state().name, {
    slot,
    ...local,
    variables: given,
  });
}

/**
 * The client that the user entered. Without a secret, it must be the client that the account has.
 */
async function clientOf(
  session: DevSession,
  { slot, account, clientId = "", clientSecret = "" }: ConnectRequest,
) {
  const id = clientId.trim();
  if (id === "") return undefined;
  if (clientSecret !== "") return { clientId: id, clientSecret };
  const { file, cwd, databaseUrl, keyStore } = session.options;
  const [stored] = await listAccounts({
    file,
    cwd,
    home: homeOf(session),
    databaseUrl,
    keyStore,
    account,
    slot: slot as AccountSlot,
  });
  return stored?.clientId === id ? undefined : { clientId: id, clientSecret: undefined };
}

/** A local provider accepts every port. */
function redirectOf({ redirect, local }: ConnectRequest) {
  if (redirect === undefined) return local === undefined ? {} : { port: 0 };
  const { port = 0, host, path, uri } = redirect;
  return {
    port,
    redirectHost: host === "localhost" ? ("localhost" as const) : undefined,
    redirectPath: path?.trim() || undefined,
    redirectUri: uri?.trim() || undefined,
  };
}

interface ApprovalSteps {
  ask(state: FlowState): Promise<string>;
  move(state: FlowState): void;
  now: () => number;
}

/** How the user approves when no browser reaches this machine. */
function approvalOf(
  view: FlowView,
  { ask, move, now }: ApprovalSteps,
): Pick<ConnectAccountOptions, "device" | "paste"> {
  switch (view.approval) {
    case "browser":
      return {};
    case "paste":
      return {
        paste: (authorizationUrl, problem) => {
          view.paste = {
            authorizationUrl,
            problem: problem === undefined ? undefined : failureView(problem),
          };
          return ask("waiting");
        },
      };
    case "device":
      return {
        device: ({ verificationUri, userCode, verificationUriComplete, expiresInSeconds }) => {
          view.device = {
            verificationUri,
            userCode,
            verificationUriComplete,
            expiresAtMs: now() + expiresInSeconds * 1_000,
          };
          const { host } = new URL(verificationUri);
          view.messages.push(messageOfDevice(host, now() - view.startedAtMs));
          move("waiting");
        },
      };
  }
}

function withoutEmpty(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

function checkName(name: string): string {
  const trimmed = name.trim() || "default";
  if (trimmed.length <= 100 && !/[\p{Cc}\p{Cf}]/u.test(trimmed)) return trimmed;
  throw new PackError(
    "USAGE_INVALID",
    "The name of the account is too long or contains control characters.",
    {
      details: undefined,
      hint: "Choose a short name, such as default.",
    },
  );
}

function lanesOf(authentication: Authentication, approval: Approval = "browser"): LaneView[] {
  const tokenUrl = "tokenUrl" in authentication ? String(authentication.tokenUrl) : "";
  const host = parseUrl(tokenUrl)?.host;
  const lanes: LaneView[] = [
    { lane: "browser", title: approval === "device" ? "Any device" : "Browser", host: undefined },
    { lane: "packsmith", title: "packsmith", host: undefined },
    { lane: "server", title: "Authorization server", host },
    { lane: "api", title: "API", host: undefined },
  ];
  if (authentication.type === "OAuth2") return lanes;
  const isServerAsked = authentication.type === "OAuth2ClientCredentials";
  return lanes.filter(
    ({ lane }) => lane === "packsmith" || lane === "api" || (lane === "server" && isServerAsked),
  );
}

/** Adds what happens to the diagram, and the requests to the timeline. */
function observe(session: DevSession, view: FlowView, notify: () => void): FlowObserver {
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
