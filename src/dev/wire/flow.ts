import type { AccountView } from "./accounts.ts";
import type { FailureView } from "./failure.ts";
import type { FrameLineView } from "./pack.ts";

/**
 * `preparing` the Pack is built and the server asked what it knows · `waiting` for the browser · `choosing` an endpoint ·
 * `connected`, `failed`, `cancelled`: the flow has ended
 */
export type FlowState = "preparing" | "waiting" | "choosing" | "connected" | "failed" | "cancelled";

/** A connection, as far as it has come. */
export interface FlowView {
  id: string;
  slot: string;
  account: string;
  /** With the local provider. */
  isLocal: boolean;
  startedAtMs: number;
  state: FlowState;
  /** What the browser opens. It works for this flow only. */
  startUrl: string | undefined;
  redirectUri: string | undefined;
  choice: ChoiceStepView | undefined;
  /** Who takes part, in the order of the columns. */
  lanes: LaneView[];
  messages: FlowMessageView[];
  /** Warnings and notes, as the terminal shows them. */
  notes: string[];
  failure: FlowFailureView | undefined;
  connected: AccountView | undefined;
}

export interface ChoiceStepView {
  step: string;
  description: string;
  options: { display: string; value: string }[];
}

export type Lane = "browser" | "packsmith" | "server" | "api";

export interface LaneView {
  lane: Lane;
  title: string;
  /** Its host. */
  host: string | undefined;
}

/** An arrow of the diagram, or a note on one of its columns. */
export interface FlowMessageView {
  /** Since the flow began. */
  atMs: number;
  from: Lane;
  to: Lane;
  kind: "request" | "answer" | "note";
  title: string;
  detail: string | undefined;
  durationMs: number | undefined;
  isFailed: boolean;
  /** What can be inspected, secrets masked. */
  parts: MessagePart[];
}

export interface MessagePart {
  title: string;
  rows: (readonly [name: string, value: string])[];
  text?: string | undefined;
}

/** The failure with everything that the terminal says about it. */
export interface FlowFailureView extends FailureView {
  /** Why such a failure happens. */
  why: string | undefined;
  /** The definition around the line that decides about it. */
  frame: FrameLineView[];
}
