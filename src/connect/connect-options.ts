import type { AccountSlot, AccountSummary } from "../accounts/account.ts";
import type { SecretField } from "../accounts/entered-credentials.ts";
import type { KeyStore } from "../accounts/key-file.ts";
import type { ConnectionVariable } from "../define/oauth-parameters.ts";
import type { DeviceInstructions } from "../oauth/connect/device-authorization.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import type { Redactor } from "../shared/redact.ts";
import type { FlowObserver } from "./flow-record.ts";

/** An endpoint that a step of the set-up offers. */
export interface EndpointOption {
  display: string;
  value: string;
}

/** Something between the person's browser and this machine. */
export interface BrowserObstacle {
  /** A clause for people: "this is an SSH session". */
  reason: string;
  /** As `paste`, when there is a person to ask. */
  paste: ConnectAccountOptions["paste"];
}

/** What a definition needs its client to prove itself with. */
export interface WantedClient {
  /** A private key instead of a client secret. */
  privateKey: boolean;
}

export interface ConnectAccountOptions {
  file: string;
  cwd: string;
  /** Folder of the vault. */
  home: string;
  /** A `postgres://` URL that keeps the vault's records on a server. @default the folder holds them */
  databaseUrl?: string | undefined;
  /** Where the key of a new vault goes. @default a key file */
  keyStore?: KeyStore | undefined;
  /** @default "default" */
  account?: string | undefined;
  /** @default "user" */
  slot?: AccountSlot | undefined;
  /** When absent, those that the account already has. A function is asked once it is known what the Pack needs. */
  client?: ClientCredentials | ((wanted: WantedClient) => Promise<ClientCredentials | undefined>) | undefined;
  /** Values of an account without a provider, by name of the field. @default none */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Asks for a value that `secrets` does not have. Without it, what is missing is an error. */
  askSecret?: ((field: SecretField, isOnly: boolean) => Promise<string | undefined>) | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** The account's own endpoint, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /** Answers to the definition's connection variables; secret ones come from `ask`. @default none */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Asks a person for a connection variable. Without it, what is missing is an error. */
  ask?: ((variable: ConnectionVariable) => Promise<string | undefined>) | undefined;
  /** Asked for beside the definition's scopes. What the account was granted before is asked for again. @default none */
  extraScopes?: readonly string[] | undefined;
  /** Values for the SetEndpoint steps, by name of the step. @default none */
  choices?: Readonly<Record<string, string>> | undefined;
  /** Lets a person choose among several endpoints. Without it, a step with several is an error. */
  choose?: ((step: { name: string; description: string }, options: readonly EndpointOption[]) => Promise<string>) | undefined;
  /** Resolves when `choose` is asked where the browser's tab does not show it, so that the tab can say so. @default it never does */
  elsewhere?: Promise<void> | undefined;
  /** Port of the redirect URI. @default 0, a free one */
  port?: number | undefined;
  /** Ports to try in turn instead of one. */
  ports?: readonly number[] | undefined;
  /** The registered redirect URI, when a tunnel or a proxy leads from there to the port. */
  redirectUri?: string | undefined;
  /** Serves the redirect URI with https and a certificate that is made for this run; not with the headless browser. @default false */
  https?: boolean | undefined;
  /** Path of the redirect URI. @default "/oauth/callback", and behind it the Pack's name when the server's issuer is unknown */
  redirectPath?: string | undefined;
  /** @default "127.0.0.1" */
  redirectHost?: "127.0.0.1" | "localhost" | undefined;
  /** `system` opens the user's browser, `headless` drives the local provider's pages, `none` only prints the link; or a function. @default "system" */
  browser?: "system" | "headless" | "none" | ((url: string, about: { redirectUri: string }) => Promise<unknown>) | undefined;
  /**
   * Shows the authorization URL to a person and gives back the address to which their browser was sent: for a machine
   * without a browser. No server is started.
   */
  paste?: ((authorizationUrl: string) => Promise<string>) | undefined;
  /** Why a browser here probably cannot finish the flow: a person pastes instead, or is told how to. @default a browser is expected */
  obstacle?: BrowserObstacle | undefined;
  /** Connects on another device instead (RFC 8628): shows a person where to enter which code. */
  device?: ((instructions: DeviceInstructions) => void) | undefined;
  /** How long to wait for the browser. @default 300_000 */
  timeoutMs?: number | undefined;
  /** How long one request to the provider may take. @default 30_000 */
  requestTimeoutMs?: number | undefined;
  /** Labels the account when the Pack does not. */
  userName?: string | undefined;
  redactor: Redactor;
  signal?: AbortSignal | undefined;
  now?: (() => number) | undefined;
  onProgress?: ((line: string) => void) | undefined;
  /** Learns each step of the flow, without secrets. @default nobody does */
  observer?: FlowObserver | undefined;
}

/** The options once the client is known. */
export interface FlowOptions extends Omit<ConnectAccountOptions, "client"> {
  client?: ClientCredentials | undefined;
}

export interface ConnectedAccount extends AccountSummary {
  /** What was registered with the provider; absent for client credentials. */
  redirectUri: string | undefined;
  /** How long the connection took, from the first request to the stored account. */
  durationMs: number;
}
