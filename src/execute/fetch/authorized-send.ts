import type { AccountSession, OAuthSession } from "../../accounts/account-session.ts";
import type { SecretSession } from "../../accounts/entered-credentials.ts";
import type { Tape, TapedResponse } from "../../oauth/tape.ts";
import type { Redactor } from "../../shared/redact.ts";
import { createSecretMatcher, type SecretMatcher } from "../../shared/secret-matcher.ts";
import { type AwsRole, createAwsRole } from "./aws-role.ts";
import { signAwsRequest } from "./aws-signature.ts";
import {
  addCredentials,
  addSecrets,
  type CredentialedRequest,
  listSecretTexts,
  sendWithDpop,
} from "./credentials.ts";
import { type EventListener, maskEvents } from "./event-listener.ts";
import type { ExchangeLog, ExchangeMarks } from "./exchange-log.ts";
import type { Hop } from "./fetch-policy.ts";
import { maskResponse } from "./fetch-response.ts";
import { asksForRenewal } from "./renewal-signals.ts";
import type { Transport } from "./transport.ts";

/** One request of a redirect chain, and why it is sent. */
export interface Attempt {
  hop: Hop;
  signal: AbortSignal;
  marks: ExchangeMarks;
  /** Receives a stream of events while it arrives. */
  events?: EventListener | undefined;
  /** Awaited before more bytes of the body are read into memory. */
  growBody?: ((bytes: number) => Promise<void>) | undefined;
}

/** Sends a request with the credentials of an account, and again when its token was refused. */
export type AuthorizedSend = (
  attempt: Attempt,
  account: AccountSession | undefined,
) => Promise<TapedResponse>;

export interface AuthorizedSendOptions {
  transport: Transport;
  tape: Tape | undefined;
  log: ExchangeLog;
  redactor: Redactor;
  /** The token in templates, `{{name-<invocationToken>}}`. */
  invocationToken: string;
  /** Sends without credentials, and asks no account for any. */
  withholdsCredentials: boolean;
  now: () => number;
}

/** What all requests of a run share. */
interface Sending extends AuthorizedSendOptions {
  /** Masked when a server sends them back: a response must not show them to the Pack. */
  secrets: SecretMatcher<undefined>;
  roles: Map<SecretSession, AwsRole>;
}

export function createAuthorizedSend(options: AuthorizedSendOptions): AuthorizedSend {
  const sending = { ...options, secrets: createSecretMatcher<undefined>(), roles: new Map() };
  return async (attempt, account) => {
    if (account === undefined || options.withholdsCredentials)
      return await exchange(sending, attempt, attempt.hop);
    if (!("secrets" in account)) return await sendWithToken(sending, attempt, account);
    const sent = await withSecrets(sending, attempt, account);
    return await exchange(sending, attempt, sent, account);
  };
}

async function sendWithToken(
  sending: Sending,
  attempt: Attempt,
  account: OAuthSession,
): Promise<TapedResponse> {
  const { hop } = attempt;
  const send = (token: string, marks: ExchangeMarks): Promise<TapedResponse> => {
    learn(sending, token);
    const sent = { ...hop, ...addCredentials(hop, account.authentication, token) };
    const request = { method: hop.method, url: hop.url, token, headers: sent.headers };
    return sendWithDpop(account, request, (headers) =>
      exchange(sending, { ...attempt, marks }, { ...sent, headers }, account),
    );
  };
  const token = await account.getAccessToken();
  const response = await send(token, attempt.marks);
  if (!asksForRenewal(account.authentication, response)) return response;
  const renewed = await account.renewAfterUnauthorized(token);
  return renewed === undefined ? response : await send(renewed, { retriedAfter401: true });
}

async function withSecrets(
  sending: Sending,
  { hop, signal }: Attempt,
  account: SecretSession,
): Promise<CredentialedRequest> {
  const { authentication, secrets } = account;
  for (const text of listSecretTexts(account)) learn(sending, text);
  switch (authentication.type) {
    case "AWSAccessKey": {
      const { accessKeyId = "", secretAccessKey = "" } = secrets;
      return await signAwsRequest(hop, {
        service: authentication.service,
        keys: { accessKeyId, secretAccessKey },
        now: sending.now(),
      });
    }
    case "AWSAssumeRole": {
      const keys = await findRole(sending, account, signal).keysFor(hop.url);
      return await signAwsRequest(hop, {
        service: authentication.service,
        keys,
        now: sending.now(),
      });
    }
    default:
      return addSecrets(hop, account, sending.invocationToken);
  }
}

/** The role of an account, which keeps its temporary keys for the complete run. */
function findRole(sending: Sending, account: SecretSession, signal: AbortSignal): AwsRole {
  const { roles, transport, tape, now } = sending;
  const known = roles.get(account);
  if (known !== undefined) return known;
  const role = createAwsRole({
    secrets: account.secrets,
    now,
    onSecret: (secret) => learn(sending, secret),
    send: (request) => {
      const live = () => transport(request, signal, () => undefined);
      return tape === undefined ? live() : tape.exchange({ purpose: "token", ...request }, live);
    },
  });
  roles.set(account, role);
  return role;
}

function learn({ secrets, redactor }: Sending, secret: string): void {
  secrets.add(secret, undefined);
  redactor.add(secret);
}

/**
 * @param attempt the request without credentials, which the log and the recording show
 * @param sent the same request with credentials
 */
async function exchange(
  { transport, tape, log, secrets }: Sending,
  { hop, signal, marks, events, growBody }: Attempt,
  sent: CredentialedRequest,
  account?: AccountSession,
): Promise<TapedResponse> {
  const { method, url, body } = hop;
  const entry = log.start(hop, account?.authentication.type, marks);
  const live = async (): Promise<TapedResponse> => {
    // Only a request that is really sent needs the account's certificate.
    const context =
      account === undefined || "secrets" in account ? undefined : await account.clientContext?.();
    const { host } = new URL(url);
    const watch = {
      listener: events === undefined ? undefined : maskEvents(events, secrets, host),
      growBody,
    };
    const received = await transport({ ...sent, method }, signal, entry.count, context, watch);
    return maskResponse(received, secrets, host);
  };
  try {
    const response =
      tape === undefined
        ? await live()
        : await tape.exchange({ purpose: "pack", method, url, body }, live);
    entry.end(response);
    return response;
  } catch (error) {
    entry.fail(error);
    throw error;
  }
}
