import type { AccountSummary, RedirectChoice } from "../accounts/account-summary.ts";
import type { SecretField } from "../define/authentication.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import type { PackError } from "../errors.ts";
import type { LoginDemand } from "../oauth/challenge.ts";
import type { DeviceInstructions } from "../oauth/connect/device-authorization.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import type { FlowObserver } from "./flow-record.ts";
import type { AccountOptions } from "./manage-accounts.ts";

/** An endpoint that a SetEndpoint step offers. */
export interface EndpointOption {
  display: string;
  value: string;
}

/** A reason why the user's browser may not reach this machine. */
export interface BrowserObstacle {
  /** A clause such as "this is an SSH session". */
  reason: string;
  /** As the option `paste`, if a user can be asked. */
  paste: ConnectAccountOptions["paste"];
}

/** What kind of client credentials a definition needs. */
export interface WantedClient {
  /** A private key instead of a client secret. */
  privateKey: boolean;
  /** A TLS certificate and its private key instead of a client secret. */
  certificate: boolean;
  /** What the provider asks for when a client is registered there. @default the flow has none */
  redirectUri?: string | undefined;
}

/** Without any member about the redirect URI, those of the account before are used. */
export interface ConnectAccountOptions extends RedirectChoice, Omit<AccountOptions, "onExchange"> {
  /**
   * A function is called when it is known what the Pack needs. @default the client of the existing
   * account
   */
  client?:
    | ClientCredentials
    | ((wanted: WantedClient) => Promise<ClientCredentials | undefined>)
    | undefined;
  /** Credentials of an account without OAuth, by name of the field. @default none */
  secrets?: Readonly<Record<string, string>> | undefined;
  /**
   * Asks for a credential that `secrets` does not have. Without this function, a missing one is an
   * error.
   */
  askSecret?: ((field: SecretField, isOnly: boolean) => Promise<string | undefined>) | undefined;
  /**
   * The same for the page that the browser opens, before `routes`. Only a rehearsal has them.
   * @default none
   */
  pageRoutes?: readonly string[] | undefined;
  /** The account's own endpoint, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /**
   * Answers to the definition's connection variables, except secret ones, which come from `ask`.
   * @default none
   */
  variables?: Readonly<Record<string, string>> | undefined;
  /**
   * Asks the user for a connection variable. Without this function, a missing answer is an error.
   */
  ask?: ((variable: ConnectionVariable) => Promise<string | undefined>) | undefined;
  /**
   * Requested in addition to the definition's scopes and to those that the account already has.
   * @default none
   */
  extraScopes?: readonly string[] | undefined;
  /**
   * The login that an API demands of the user (RFC 9470). Only for OAuth2 with a browser. @default
   * the server decides
   */
  login?: LoginDemand | undefined;
  /** Choices for the SetEndpoint steps, by name of the step. @default none */
  choices?: Readonly<Record<string, string>> | undefined;
  /**
   * Asks the user to choose an endpoint. Without this function, a step with several endpoints is an
   * error.
   */
  choose?:
    | ((
        step: { name: string; description: string },
        options: readonly EndpointOption[],
      ) => Promise<string>)
    | undefined;
  /**
   * Resolves when `choose` asks outside the browser, so that the browser's tab can say so. @default
   * never
   */
  elsewhere?: Promise<void> | undefined;
  /**
   * `system` opens the user's browser, `headless` drives the local provider's pages, `none` only
   * prints the link; or a function. @default "system"
   */
  browser?:
    | "system"
    | "headless"
    | "none"
    | ((url: string, about: { redirectUri: string }) => Promise<unknown>)
    | undefined;
  /**
   * For a machine without a browser: shows the authorization URL to the user and returns the
   * address that their browser was
   * redirected to. No local server is started. After a wrong address it is asked again, with what
   * was wrong; an empty text then gives up.
   */
  paste?:
    | ((authorizationUrl: string, problem?: PackError | undefined) => Promise<string>)
    | undefined;
  /**
   * Why a browser on this machine probably cannot finish the flow. The user then pastes the
   * address. @default a browser is expected
   */
  obstacle?: BrowserObstacle | undefined;
  /** Connects on another device instead (RFC 8628): shows the user where to enter which code. */
  device?: ((instructions: DeviceInstructions) => void) | undefined;
  /** How long to wait for the browser. @default 300_000 */
  timeoutMs?: number | undefined;
  /** The account's display name, if the Pack does not provide one. */
  userName?: string | undefined;
  /**
   * Asks whether the client secret of the account before may be sent to a host that it was not
   * connected for. @default it may not
   */
  confirmSecretHost?: ((host: string) => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((line: string) => void) | undefined;
  /** Receives each step of the flow, without secrets. @default none */
  observer?: FlowObserver | undefined;
}

/** The options once the client is known. */
export interface FlowOptions extends Omit<ConnectAccountOptions, "client"> {
  client?: ClientCredentials | undefined;
}

export interface ConnectedAccount extends AccountSummary {
  /** The redirect URI of the flow; absent for client credentials. */
  redirectUri: string | undefined;
  /** How long the connection took, from the first request to the stored account. */
  durationMs: number;
}
