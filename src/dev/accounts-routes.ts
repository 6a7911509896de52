import { dirname, resolve } from "node:path";
import type { AccountSlot } from "../accounts/account.ts";
import { listAccounts } from "../connect/manage-accounts.ts";
import { PROVIDER_PROFILES } from "../provider/profiles/catalogue.ts";
import { type AccountRef, disconnect, refreshNow, testAccount } from "./account-actions.ts";
import { createConnectFlows } from "./connect-flows.ts";
import { accountView } from "./describe-account.ts";
import { describeSlots } from "./describe-slots.ts";
import type { DevSession } from "./dev-session.ts";
import { failureView } from "./failure-view.ts";
import { createLocalProviders, type LocalProviders } from "./local-providers.ts";
import { editorLink, openEditor } from "./open-editor.ts";
import { parseConnectRequest } from "./parse-connect-request.ts";
import { badRequest, type DevRouter, membersOf, textMember } from "./router.ts";
import type { AccountsView, AccountView } from "./wire/accounts.ts";

/** The routes of the view Accounts. What the page sends may hold secrets; what it gets never does. */
export function addAccountsRoutes(router: DevRouter, session: DevSession): AsyncDisposable {
  const providers = createLocalProviders(session);
  const flows = createConnectFlows(session, providers);

  router.get("/api/accounts", () => describeAccounts(session, providers));
  router.post("/api/accounts/connect", ({ body }) => flows.start(parseConnectRequest(body)));
  router.post("/api/accounts/refresh", ({ body }) => refreshNow(session, providers, accountOf(body)));
  router.post("/api/accounts/test", ({ body }) => testAccount(session, accountOf(body)));
  router.post("/api/accounts/disconnect", ({ body }) => {
    const { revokes, revocationUrl } = membersOf(body);
    const url = typeof revocationUrl === "string" && revocationUrl.trim() !== "" ? revocationUrl.trim() : undefined;
    return disconnect(session, providers, { ...accountOf(body), revokes: revokes === true, revocationUrl: url });
  });

  router.get("/api/flows", () => flows.list());
  router.get("/api/flows/:id", ({ params }) => flows.view(params["id"] ?? ""));
  router.post("/api/flows/:id/choose", ({ params, body }) => flows.choose(params["id"] ?? "", textMember(body, "value")));
  // The page names a connection, never a path.
  router.post("/api/flows/:id/open", async ({ params }) => {
    const place = flows.view(params["id"] ?? "").failure?.place;
    if (place === undefined) throw badRequest("This connection has no place in the source.");
    const { openLink = openEditor, editorUrl } = session.options;
    await openLink(editorLink({ ...place, file: resolve(dirname(session.entry), place.file) }, editorUrl));
    return { opened: true };
  });
  router.post("/api/flows/:id/cancel", ({ params }) => flows.cancel(params["id"] ?? ""));

  router.post("/api/local-provider/stop", async ({ body }) => {
    await providers.stop(textMember(body, "slot"));
    session.events.send({ type: "account" });
  });
  router.post("/api/local-provider/expire", ({ body }) => {
    if (!providers.expireTokens(textMember(body, "slot"))) throw badRequest("No local provider runs for this account.");
    session.events.send({ type: "account" });
  });
  return {
    async [Symbol.asyncDispose]() {
      await flows[Symbol.asyncDispose]();
      await providers[Symbol.asyncDispose]();
    },
  };
}

async function describeAccounts(session: DevSession, providers: LocalProviders): Promise<AccountsView> {
  const { definition, name } = session.state();
  const slots = describeSlots(definition, name);
  const stored = slots.length === 0 ? { accounts: [], vault: undefined } : await storedAccounts(session, providers);
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

/** A vault that does not open is no reason to show nothing. */
async function storedAccounts(
  { options }: DevSession,
  providers: LocalProviders,
): Promise<{ accounts: AccountView[]; vault: AccountsView["vault"] }> {
  const { file, cwd, home, databaseUrl, keyStore } = options;
  if (home === undefined) return { accounts: [], vault: undefined };
  try {
    const accounts = await listAccounts({ file, cwd, home, databaseUrl, keyStore });
    return { accounts: accounts.map((account) => accountView(account, providers.view(account.key.slot) !== undefined)), vault: undefined };
  } catch (error) {
    return { accounts: [], vault: failureView(error) };
  }
}

function accountOf(body: unknown): AccountRef {
  const slot: AccountSlot | string = textMember(body, "slot");
  return { slot, name: textMember(body, "account") };
}
