import type { DiscoveredUrls, RegisteredRedirect, StoredAccount } from "../accounts/account.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import type { Vault } from "../accounts/vault.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import type { Pack } from "../execute/open-pack.ts";
import type { AuthorizationAttempt } from "../oauth/connect/authorization-attempt.ts";
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

export interface CodeFlow {
  options: FlowOptions;
  pack: Pack;
  definition: OAuth2Authentication;
  plan: CodePlan;
  vault: Vault;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** Checked answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  storedSecrets: StoredSecrets;
  transport: TransportOptions;
  recorder: FlowRecorder;
  diagnose: ConnectionDiagnosis;
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
