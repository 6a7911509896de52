import type { AccountSummary } from "../accounts/account-summary.ts";
import { PackError } from "../errors.ts";
import type { AuthorizationAttempt } from "../oauth/connect/authorization-attempt.ts";
import { type CallbackServer, startCallbackServer } from "./callback/callback-server.ts";
import type { CodeFlow, CodeSession, Connected } from "./code-session.ts";
import { startConnectDeadline } from "./connect-deadline.ts";
import type { ConnectAccountOptions } from "./connect-options.ts";
import { type Visit, walkHeadless } from "./headless-browser.ts";
import { openLocalServer } from "./open-browser.ts";

/** With a local server, to which the provider sends the browser back. */
export async function connectInBrowser(
  { options, pack, diagnose }: CodeFlow,
  session: CodeSession,
): Promise<Connected> {
  const { browser = "system", onProgress = () => {} } = options;
  if (options.https === true && browser === "headless") throw headlessWithoutTls();
  using deadline = startConnectDeadline(options);
  let begun: AuthorizationAttempt | undefined;
  await using server = await startCallbackServer<AccountSummary>({
    packName: pack.bundle.name,
    port: options.port,
    ports: options.ports,
    redirectUri: options.redirectUri,
    redirectPath: session.redirectPath,
    https: options.https,
    redirectHost: options.redirectHost,
    signal: deadline.signal,
    begin: async (redirectUri) => {
      begun = await session.begin(redirectUri);
      return begun;
    },
    complete: session.keep,
    describe: describeAccount,
    diagnose,
    elsewhere: options.elsewhere,
  });
  announce(server, session, onProgress);
  const walk = openStart(server, {
    browser,
    home: options.home,
    onProgress,
    authorizationUrl: () => begun?.authorizationUrl,
  });
  // A browser that cannot be opened, or a walk that ends elsewhere, ends the wait. A browser that
  // was opened reports nothing more.
  const failed = walk.then(() => new Promise<never>(() => {}));
  const outcome = await Promise.race([server.outcome, failed]);
  await server.closed;
  if (!outcome.ok) throw outcome.error;
  // The account is stored, so a later failure of the browser does not matter.
  await walk.catch(() => undefined);
  return { account: outcome.account, redirectUri: server.redirectUri };
}

/** What a user needs before the browser opens. */
function announce(
  { redirectUri, fingerprint }: CallbackServer<AccountSummary>,
  { hosts }: CodeSession,
  onProgress: (line: string) => void,
): void {
  onProgress(`redirect URI to register with the provider: ${redirectUri}`);
  if (fingerprint !== undefined) {
    onProgress(
      `your browser will warn about a certificate that was made for this run; its SHA-256 fingerprint is ${fingerprint}`,
    );
  }
  onProgress(`contacted hosts: ${hosts.join(", ")}`);
}

function headlessWithoutTls(): PackError<"USAGE_INVALID"> {
  return new PackError(
    "USAGE_INVALID",
    "--headless and --https cannot be used together: the headless browser does not trust the certificate.",
    {
      details: undefined,
      hint: "Remove one of the two options.",
    },
  );
}

function describeAccount(account: AccountSummary): readonly (readonly [string, string])[] {
  return [
    ["Account", account.connectionName ?? account.name],
    ["Scopes", account.scopes?.join(" ") ?? "not named by the provider"],
    ...(account.endpoint === undefined ? [] : [["Endpoint", account.endpoint] as const]),
  ];
}

interface OpenStartOptions {
  browser: NonNullable<ConnectAccountOptions["browser"]>;
  /** The folder of the vault. */
  home: string;
  onProgress(line: string): void;
  authorizationUrl(): string | undefined;
}

async function openStart(
  server: CallbackServer<AccountSummary>,
  { browser, home, onProgress, authorizationUrl }: OpenStartOptions,
): Promise<void> {
  const { startUrl, redirectUri } = server;
  if (typeof browser === "function") return void (await browser(startUrl, { redirectUri }));
  if (browser === "headless") {
    onProgress(
      `walking through the pages of ${new URL(authorizationUrl() ?? startUrl, startUrl).origin}`,
    );
    const { last, text } = await walkHeadless(startUrl);
    // Every end of the flow has its page there.
    if (last.url !== new URL("/done", startUrl).href) throw endedElsewhere(last, text);
    return;
  }
  onProgress(`open this link to continue: ${startUrl}`);
  if (browser !== "system") return;
  const file = await openLocalServer(home, server, onProgress);
  void server.closed.then(() => file?.[Symbol.dispose]());
}

/** The headless browser ended on a page of the provider: a wrong client ID, a refused login. */
function endedElsewhere(
  { url, status }: Visit,
  text: string | undefined,
): PackError<"OAUTH_HEADLESS_ENDED"> {
  const { host, pathname } = new URL(url);
  return new PackError(
    "OAUTH_HEADLESS_ENDED",
    `The provider did not redirect the browser to packsmith: ${host}${pathname} responded with status ${status}${text === undefined ? "" : `: ${text.replace(/\.$/, "")}`}.`,
    {
      details: { status, text },
      hint: "Check the client ID, its registered redirect URI, and the requested scopes.",
    },
  );
}
