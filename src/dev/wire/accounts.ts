import * as z from "zod";
import type { AccountSummary } from "../../accounts/account-summary.ts";
import type { SecretField } from "../../define/authentication.ts";
import type { StepUp } from "../../execute/missing-access.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { FrameLine } from "../../validate/formats/code-frame.ts";
import type { AuthenticationView } from "./pack.ts";
import type { ChoiceView } from "./run.ts";

/** The accounts, without their secrets. */
export interface AccountsView {
  /** The time of the server, in milliseconds. Countdowns start from it. */
  nowMs: number;
  slots: SlotView[];
  /** Why the vault cannot be opened. */
  vault: ReportedError | undefined;
  profiles: ProfileView[];
}

/**
 * `code`: the user approves on the provider's page · `credentials`: client ID and secret are enough · `secrets`: the user
 * enters values · `unsupported`: such accounts exist only in the hosted service
 */
export type SlotKind = "code" | "credentials" | "secrets" | "unsupported";

/** One kind of account that a Pack declares, and the connected accounts of this kind. */
export interface SlotView extends AuthenticationView {
  kind: SlotKind;
  scopes: string[];
  instructionsUrl: string | undefined;
  client: ClientView | undefined;
  /** The values to enter, for `secrets`. */
  fields: SecretField[];
  /** Connection variables, entered once per account. */
  variables: VariableView[];
  /** Each account has an endpoint of its own. */
  endpoint: { domain: string | undefined } | undefined;
  /** Endpoints that the user chooses after connecting. */
  steps: { name: string; description: string }[];
  /** The redirect URI to register with the provider, as far as it is known before a connection. */
  redirect: { path: string | undefined } | undefined;
  /** The local provider that replaces the real one. */
  local: LocalProviderView | undefined;
  accounts: AccountView[];
}

export interface ClientView {
  /** The client has a private key instead of a secret. */
  usesKey: boolean;
  /** The client has a TLS certificate and its private key instead of a secret. */
  usesCertificate: boolean;
  /** The provider can register the client automatically. */
  isOptional: boolean;
}

export interface VariableView {
  name: string;
  label: string;
  description: string | undefined;
  isHidden: boolean;
  isOptional: boolean;
  initial: string | undefined;
  /** The choices; undefined for free text. */
  options: { value: string; label: string }[] | undefined;
}

export interface LocalProviderView {
  profile: string;
  /** Requests for these origins are routed to it. */
  origins: string[];
  tokenSeconds: number;
}

/** A quirk profile: how a provider differs from the specifications. */
export interface ProfileView {
  name: string;
  summary: string;
}

/** An account, and what only this page knows about it. */
export interface AccountView extends AccountSummary {
  /** Set if the account is connected to a local provider, which may have stopped since. */
  local: "running" | "ended" | undefined;
}

/** The result of a test of an account. */
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

const loginDemand: z.ZodType<NonNullable<StepUp["login"]>> = z.object({
  acrValues: z.string().optional(),
  maxAgeSeconds: z.int().min(0).optional(),
});

/**
 * `browser`: a browser that reaches this machine · `paste`: a browser elsewhere, whose last address is pasted · `device`: a code
 * that is entered on any device (RFC 8628)
 */
const approval = z.enum(["browser", "paste", "device"]);
export type Approval = z.output<typeof approval>;

/** What a connection requests in addition to the scopes of the definition. */
const additionalRequest = z.object({
  /** Separated by spaces. */
  extraScopes: z.string().optional(),
  /** How the user has to log in (RFC 9470). */
  login: loginDemand.optional(),
});
export type AdditionalRequest = z.output<typeof additionalRequest>;

const texts = z.record(z.string(), z.string());

export const connectRequest = additionalRequest.extend({
  slot: z.string(),
  account: z.string(),
  clientId: z.string().optional(),
  clientSecret: z.string().optional(),
  secrets: texts.optional(),
  variables: texts.optional(),
  endpoint: z.string().optional(),
  /** The parts of the redirect URI. Without a port, a free one. @default that of the account before */
  redirect: z
    .object({
      port: z.int().min(0).max(65_535).optional(),
      host: z.string().optional(),
      path: z.string().optional(),
      uri: z.string().optional(),
    })
    .optional(),
  /** How the user approves, for OAuth with a code. @default "browser" */
  approval: approval.optional(),
  local: z.object({ profile: z.string(), tokenSeconds: z.number() }).optional(),
});

/**
 * What the page sends to connect an account. Secrets go only from the page to the server, never
 * back.
 */
export type ConnectRequest = z.output<typeof connectRequest>;

/**
 * `preparing`: the Pack is being built, or requests are being sent · `waiting` for the browser · `choosing` an endpoint ·
 * `connected`, `failed`, `cancelled`: the flow has ended
 */
export type FlowState = "preparing" | "waiting" | "choosing" | "connected" | "failed" | "cancelled";

/** The state of a connection. */
export interface FlowView {
  id: string;
  slot: string;
  account: string;
  /** With the local provider. */
  isLocal: boolean;
  /** For another attempt. */
  additional: AdditionalRequest;
  startedAtMs: number;
  state: FlowState;
  /** The URL that the browser opens. It works for this flow only. */
  startUrl: string | undefined;
  redirectUri: string | undefined;
  approval: Approval;
  /**
   * What the user opens in a browser elsewhere, and what was wrong with the address that was pasted
   * last.
   */
  paste: { authorizationUrl: string; problem: ReportedError | undefined } | undefined;
  /** Where the user enters which code. */
  device: DeviceView | undefined;
  choice: ChoiceStepView | undefined;
  /** The participants, in the order of the columns. */
  lanes: LaneView[];
  messages: FlowMessageView[];
  /** Warnings and notes, as the terminal shows them. */
  notes: string[];
  failure: FlowFailureView | undefined;
  connected: AccountView | undefined;
}

export interface DeviceView {
  verificationUri: string;
  userCode: string;
  /** The same URL with the code in it, if the provider sends one. */
  verificationUriComplete: string | undefined;
  /** On the server's clock. */
  expiresAtMs: number;
}

export interface ChoiceStepView {
  step: string;
  description: string;
  options: ChoiceView[];
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
  /** Milliseconds since the start of the flow. */
  atMs: number;
  from: Lane;
  to: Lane;
  kind: "request" | "answer" | "note";
  title: string;
  detail: string | undefined;
  durationMs: number | undefined;
  isFailed: boolean;
  /** Details to inspect, with secrets masked. */
  parts: MessagePart[];
}

export interface MessagePart {
  title: string;
  rows: (readonly [name: string, value: string])[];
  text?: string | undefined;
}

/** A failure with everything that the terminal shows about it. */
export interface FlowFailureView extends ReportedError {
  /** Why such a failure happens. */
  why: string | undefined;
  /** The source around the line of the definition that causes it. */
  frame: FrameLine[];
}
