import type { Authentication } from "../../define/authentication.ts";
import { PackError } from "../../errors.ts";
import { parseUrl } from "../../shared/urls.ts";
import { badRequest } from "../router.ts";
import type { Approval, ConnectRequest, FlowState, FlowView, LaneView } from "../wire/accounts.ts";

/** One connection that the page shows while it is made, and its end. */
export interface ConnectFlow {
  view: FlowView;
  /** Aborted when the user cancels. */
  signal: AbortSignal;
  /** Tells the page that the view has changed. */
  notify(): void;
  /** Enters a state, unless the user has cancelled. */
  move(state: FlowState): void;
  /** Waits for an answer of the user. @throws {PackError} INTERRUPTED when the user cancels */
  ask(what: QuestionKind, state: FlowState): Promise<string>;
  /** @throws {PackError} USAGE_INVALID when nothing was asked */
  answer(what: QuestionKind, text: string): void;
  /** Shows neither links nor questions any more. */
  clear(): void;
  cancel(): void;
}

/** The choice of an endpoint, or the address that the browser was redirected to. */
type QuestionKind = "choose" | "paste";

interface Question {
  kind: QuestionKind;
  answer(text: string): void;
  giveUp(): void;
}

const NOT_WAITING = {
  choose: "This connection is not waiting for a choice.",
  paste: "This connection is not waiting for an address.",
} as const satisfies Record<QuestionKind, string>;

export function createConnectFlow(view: FlowView, notify: () => void): ConnectFlow {
  const ending = new AbortController();
  let question: Question | undefined;

  const move = (state: FlowState): void => {
    if (view.state === "cancelled") return;
    view.state = state;
    notify();
  };
  const settleQuestion = (): void => {
    Object.assign(view, { choice: undefined, paste: undefined });
    question = undefined;
  };
  return {
    view,
    signal: ending.signal,
    notify,
    move,
    ask: (kind, state) =>
      new Promise((answer, reject) => {
        question = { kind, answer, giveUp: () => reject(createInterruption()) };
        move(state);
      }),
    answer(kind, text) {
      if (question?.kind !== kind) throw badRequest(NOT_WAITING[kind]);
      const { answer } = question;
      settleQuestion();
      move("preparing");
      answer(text);
    },
    clear() {
      Object.assign(view, { startUrl: undefined, device: undefined });
      settleQuestion();
      notify();
    },
    cancel() {
      if (hasEnded(view)) return;
      view.state = "cancelled";
      // While it chooses, the account is already in the vault. Rejecting the choice makes
      // connectAccount remove it again.
      if (question === undefined) return ending.abort();
      const { giveUp } = question;
      settleQuestion();
      giveUp();
    },
  };
}

function hasEnded({ state }: FlowView): boolean {
  return state === "connected" || state === "failed" || state === "cancelled";
}

function createInterruption(): PackError<"INTERRUPTED"> {
  return new PackError("INTERRUPTED", "The connection was cancelled.", {
    details: undefined,
    hint: undefined,
  });
}

/** What the page shows of a connection that starts. */
export function describeFlow(
  { slot, local, approval = "browser", extraScopes, login }: ConnectRequest,
  { id, account, startedAtMs }: Pick<FlowView, "id" | "account" | "startedAtMs">,
  authentication: Authentication,
): FlowView {
  return {
    id,
    slot,
    account,
    isLocal: local !== undefined,
    startedAtMs,
    state: "preparing",
    additional: { extraScopes, login },
    startUrl: undefined,
    redirectUri: undefined,
    approval,
    paste: undefined,
    device: undefined,
    choice: undefined,
    failure: undefined,
    connected: undefined,
    lanes: listLanes(authentication, approval),
    messages: [],
    notes: [],
  };
}

function listLanes(authentication: Authentication, approval: Approval): LaneView[] {
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
