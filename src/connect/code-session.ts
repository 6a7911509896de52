import type {
  AccountKey,
  DiscoveredUrls,
  RegisteredRedirect,
  StoredAccount,
} from "../accounts/account.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import type { Vault } from "../accounts/vault.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import type { Pack } from "../execute/open-pack.ts";
import type { AuthorizationAttempt } from "../oauth/connect/authorization-attempt.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { Routes } from "../oauth/routes.ts";
import type { TransportOptions } from "../oauth/send.ts";
import type { ClientCredentials, TokenSet } from "../oauth/token-set.ts";
import type { FlowOptions } from "./connect-options.ts";
import type { ConnectionDiagnosis } from "./diagnose-connection.ts";
import type { FlowRecorder } from "./flow-record.ts";
import type { CodePlan } from "./plan-code-flow.ts";
import type { StoredSecrets } from "./stored-secrets.ts";

/** The result of a flow. */
export interface Obtained {
  client: ClientCredentials;
  tokenSet: TokenSet;
  callbackParams: Readonly<Record<string, string>>;
  requestedScopes: readonly string[];
  server: DiscoveredUrls | undefined;
  registeredRedirect: RegisteredRedirect | undefined;
}

/** A flow before the user answered anything. */
export interface BegunFlow {
  pack: Pack;
  definition: OAuthDefinition;
  key: AccountKey;
  vault: Vault;
  recorder: FlowRecorder;
  diagnose: ConnectionDiagnosis;
  routes: Routes;
}

/** What every flow has before its first request with credentials. */
export interface ConnectFlow extends BegunFlow {
  options: FlowOptions;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** Checked answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  storedSecrets: StoredSecrets;
}

export interface CodeFlow extends ConnectFlow {
  definition: OAuth2Authentication;
  plan: CodePlan;
  transport: TransportOptions;
  /** Stores the result. If it fails, the flow fails. */
  keep(obtained: Obtained): Promise<AccountSummary>;
}

/** The end of a flow. */
export interface Connected {
  account: AccountSummary;
  redirectUri: string | undefined;
}

/** What all ways of a code flow share: the attempts of one client. */
export interface CodeSession {
  begin(redirectUri: string): Promise<AuthorizationAttempt>;
  keep(tokenSet: TokenSet, attempt: AuthorizationAttempt): Promise<AccountSummary>;
  /** Whether the client registered itself in this session. */
  isNewClient(): boolean;
  /** All hosts that the flow sends requests to. */
  hosts: string[];
  redirectPath: string;
}
