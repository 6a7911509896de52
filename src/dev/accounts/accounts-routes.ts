import { dirname, resolve } from "node:path";
import type { AccountSlot } from "../../accounts/account-summary.ts";
import { listAccounts } from "../../connect/manage-accounts.ts";
import { PROVIDER_PROFILES } from "../../provider/profiles/catalogue.ts";
import { failureView } from "../failures.ts";
import { openInEditor } from "../open-editor.ts";
import { badRequest, type DevRouter, membersOf, textMember } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import type {
  AccountsView,
  AccountView,
  Approval,
  ConnectRequest,
  LoginView,
} from "../wire/accounts.ts";
import { type AccountRef, disconnect, refreshNow, testAccount } from "./account-actions.ts";
import { createConnectFlows } from "./connect-flows.ts";
import { accountView, describeSlots } from "./describe-accounts.ts";
import { createLocalProviders, type LocalProviders } from "./local-providers.ts";

/** The routes of the view Accounts. The page may send secrets, but never receives any. */
export function addAccountsRoutes(router: DevRouter, session: DevSession): AsyncDisposable {
  const providers = createLocalProviders(session);
  const flows = createConnectFlows(session, providers);

  router.get("/api/accounts", () => describeAccounts(session, providers));
  router.post("/api/accounts/connect", ({ body }) => flows.start(parseConnectRequest(body)));
  router.post("/api/accounts/refresh", ({ body }) =>
    refreshNow(session, providers, accountOf(body)),
  );
  router.post("/api/accounts/test", ({ body }) => testAccount(session, accountOf(body)));
  router.post("/api/accounts/disconnect", ({ body }) => {
    const { revokes, revocationUrl } = membersOf(body);
    const url =
      typeof revocationUrl === "string" && revocationUrl.trim() !== ""
        ? revocationUrl.trim()
        : undefined;
    return disconnect(session, providers, {
      ...accountOf(body),
      revokes: revokes === true,
      revocationUrl: url,
    });
  });

  router.get("/api/flows", () => flows.list());
  router.get("/api/flows/:id", ({ params }) => flows.view(params["id"] ?? ""));
  router.post("/api/flows/:id/choose", ({ params, body }) =>
    flows.choose(params["id"] ?? "", textMember(body, "value")),
  );
  router.post("/api/flows/:id/paste", ({ params, body }) =>
    flows.paste(params["id"] ?? "", textMember(body, "address")),
  );
  // The page sends the id of a connection, never a path.
  router.post("/api/flows/:id/open", async ({ params }) => {
    const place = flows.view(params["id"] ?? "").failure?.place;
    if (place === undefined) throw badRequest("This connection has no position in the source.");
    await openInEditor(session.options, {
      ...place,
      file: resolve(dirname(session.entry), place.file),
    });
  });
  router.post("/api/flows/:id/cancel", ({ params }) => flows.cancel(params["id"] ?? ""));

  router.post("/api/local-provider/stop", async ({ body }) => {
    await providers.stop(textMember(body, "slot"));
    session.events.send({ type: "account" });
  });
  router.post("/api/local-provider/expire", ({ body }) => {
    if (!providers.expireTokens(textMember(body, "slot")))
      throw badRequest("No local provider is running for this account.");
    session.events.send({ type: "account" });
  });
  return {
    async [Symbol.asyncDispose]() {
      await flows[Symbol.asyncDispose]();
      await providers[Symbol.asyncDispose]();
    },
  };
}

async function describeAccounts(
  session: DevSession,
  providers: LocalProviders,
): Promise<AccountsView> {
  const { definition, name } = session.state();
  const slots = describeSlots(definition, name);
  const stored =
    slots.length === 0
      ? { accounts: [], vault: undefined }
      : await storedAccounts(session, providers);
  return {
    nowMs: session.now(),
    slots: slots.map((described) => ({
      ...described,
      local: providers.view(described.slot),
      accounts: stored.accounts.filter(({ slot }) => slot === described.slot),
    })),
    vault: stored.vault,
    profiles: PROVIDER_PROFILES.map(({ name: profile, summary }) => ({ name: profile, summary })),
  };
}

/**
 * The accounts in the vault. If the vault does not open, the page shows why, next to everything
 * else.
 */
async function storedAccounts(
  { options }: DevSession,
  providers: LocalProviders,
): Promise<{ accounts: AccountView[]; vault: AccountsView["vault"] }> {
  const { file, cwd, home, databaseUrl, keyStore } = options;
  if (home === undefined) return { accounts: [], vault: undefined };
  try {
    const accounts = await listAccounts({ file, cwd, home, databaseUrl, keyStore });
    return {
      accounts: accounts.map((account) =>
        accountView(account, providers.view(account.slot) !== undefined),
      ),
      vault: undefined,
    };
  } catch (error) {
    return { accounts: [], vault: failureView(error) };
  }
}

function accountOf(body: unknown): AccountRef {
  const slot: AccountSlot | string = textMember(body, "slot");
  return { slot, name: textMember(body, "account") };
}

/** Reads what the page sends to connect an account. @throws {PackError} USAGE_INVALID */
export function parseConnectRequest(body: unknown): ConnectRequest {
  const { local, redirect } = membersOf(body);
  return {
    slot: textMember(body, "slot"),
    account: textMember(body, "account"),
    ...optionalTexts(body, ["clientId", "clientSecret", "endpoint", "extraScopes"]),
    login: loginOf(membersOf(body)["login"]),
    approval: approvalOf(membersOf(body)["approval"]),
    secrets: optionalMap(body, "secrets"),
    variables: optionalMap(body, "variables"),
    redirect:
      redirect === undefined
        ? undefined
        : { ...optionalTexts(redirect, ["host", "path", "uri"]), port: portOf(redirect) },
    local:
      local === undefined
        ? undefined
        : {
            profile: textMember(local, "profile"),
            tokenSeconds: Number(membersOf(local)["tokenSeconds"]),
          },
  };
}

function approvalOf(value: unknown): Approval | undefined {
  if (value === undefined || value === "browser" || value === "paste" || value === "device")
    return value;
  throw badRequest(
    "An account is approved in a browser, by pasting an address, or with a code on a device.",
  );
}

function loginOf(login: unknown): LoginView | undefined {
  if (login === undefined) return undefined;
  const { maxAgeSeconds } = membersOf(login);
  if (
    maxAgeSeconds !== undefined &&
    !(Number.isInteger(maxAgeSeconds) && Number(maxAgeSeconds) >= 0)
  ) {
    throw badRequest("The age of a login must be a whole number of seconds.");
  }
  return {
    ...optionalTexts(login, ["acrValues"]),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds: Number(maxAgeSeconds) }),
  };
}

function optionalTexts<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const members = membersOf(body);
  return Object.fromEntries(
    names.flatMap((name) => (members[name] === undefined ? [] : [[name, textMember(body, name)]])),
  ) as Partial<Record<Name, string>>;
}

function optionalMap(body: unknown, name: string): Record<string, string> | undefined {
  const value = membersOf(body)[name];
  if (value === undefined) return undefined;
  const entries = Object.entries(membersOf(value));
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (texts.length < entries.length)
    throw badRequest(`The request contains a value in ${name} that is not text.`);
  return Object.fromEntries(texts);
}

function portOf(redirect: unknown): number | undefined {
  const { port } = membersOf(redirect);
  if (port === undefined || port === "") return undefined;
  const number = Number(port);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw badRequest("The port must be a number from 0 to 65535.");
}
