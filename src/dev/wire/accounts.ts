import type { FailureView } from "./common.ts";
import type { FrameLineView } from "./pack.ts";

/** Everything about accounts but their secrets. */
export interface AccountsView {
  /** The server's present, in milliseconds: countdowns start from it. */
  nowMs: number;
  slots: SlotView[];
  /** Why the vault cannot be opened. */
  vault: FailureView | undefined;
  profiles: ProfileView[];
}

/**
 * `code` a person approves on the provider's page · `credentials` the client ID and secret are enough · `secrets` values are
 * entered · `unsupported` only the document service has such accounts
 */
export type SlotKind = "code" | "credentials" | "secrets" | "unsupported";

/** What a Pack declares for one kind of its accounts, and the accounts that there are. */
export interface SlotView {
  /** `user`, `system` or `admin:name`. */
  slot: string;
  /** `type` of the authentication. */
  type: string;
  kind: SlotKind;
  scopes: string[];
  /** Facts of the definition: endpoints, how the client proves itself. */
  facts: (readonly [name: string, value: string])[];
  instructionsUrl: string | undefined;
  client: ClientView | undefined;
  /** Values that are entered, for `secrets`. */
  fields: FieldView[];
  /** Questions that are asked once per account. */
  variables: VariableView[];
  /** Each account has an endpoint of its own. */
  endpoint: { domain: string | undefined } | undefined;
  /** Endpoints that are chosen once the account is connected. */
  steps: { name: string; description: string }[];
  /** What has to be registered with the provider, as far as it is known before a flow. */
  redirect: { path: string } | undefined;
  /** The local provider that stands in for the real one. */
  local: LocalProviderView | undefined;
  accounts: AccountView[];
}

export interface ClientView {
  /** The second value is a private key instead of a secret. */
  usesKey: boolean;
  /** The provider registers the client by itself. */
  isOptional: boolean;
}

export interface FieldView {
  name: string;
  label: string;
  isHidden: boolean;
  isOptional: boolean;
}

export interface VariableView {
  name: string;
  label: string;
  description: string | undefined;
  isHidden: boolean;
  isOptional: boolean;
  initial: string | undefined;
  /** To choose from. */
  options: { value: string; label: string }[] | undefined;
}

export interface LocalProviderView {
  profile: string;
  /** Requests for these origins go to it. */
  origins: string[];
  tokenSeconds: number;
}

/** A way in which providers depart from the specifications. */
export interface ProfileView {
  name: string;
  summary: string;
}

export interface AccountView {
  slot: string;
  name: string;
  /** What the Pack calls it. */
  label: string | undefined;
  type: string;
  status: "connected" | "reconnect";
  reason: string | undefined;
  endpoint: string | undefined;
  clientId: string | undefined;
  requestedScopes: string[];
  grantedScopes: string[] | undefined;
  expiresAtMs: number | undefined;
  /** Renewed without a person. */
  isRenewable: boolean;
  createdAtMs: number;
  updatedAtMs: number;
  /** Connected to a local provider, which may have ended since. */
  local: "running" | "ended" | undefined;
}

/** What a try of an account showed. */
export interface AccountTestView {
  label: string | undefined;
  /** Requests that the Pack sent with it. */
  requests: number;
  durationMs: number;
}

export interface DisconnectView {
  revoked: boolean;
  warning: string | undefined;
}

/** What the page sends to connect an account. Secrets go this way only, and none of them comes back. */
export interface ConnectRequest {
  slot: string;
  account: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  secrets?: Record<string, string> | undefined;
  variables?: Record<string, string> | undefined;
  endpoint?: string | undefined;
  extraScopes?: string | undefined;
  /** Of the redirect URI. */
  redirect?: { port?: number | undefined; host?: string | undefined; path?: string | undefined; uri?: string | undefined } | undefined;
  local?: { profile: string; tokenSeconds: number } | undefined;
}

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
