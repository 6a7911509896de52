import type { FailureView } from "./failure.ts";

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
