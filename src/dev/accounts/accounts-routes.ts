import { dirname, resolve } from "node:path";
import * as z from "zod";
import { accountKey } from "../../accounts/pack-account.ts";
import { listAccounts } from "../../connect/manage-accounts.ts";
import { PROVIDER_PROFILES } from "../../provider/profiles/catalogue.ts";
import { failureView } from "../failures.ts";
import { openInEditor } from "../open-editor.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { type AccountsView, type AccountView, connectRequest } from "../wire/accounts.ts";
import { type AccountRef, disconnect, refreshNow, testAccount } from "./account-actions.ts";
import { createConnectFlows } from "./connect-flows.ts";
import { accountView, describeSlots } from "./describe-accounts.ts";
import { createLocalProviders, type LocalProviders } from "./local-providers.ts";

const text = z.string();
const slotRequest = z.object({ slot: text });
const accountRequest = z.object({ slot: text, account: text });
const disconnectRequest = z.object({
  revokes: z.boolean().optional(),
  revocationUrl: text.optional(),
});
const choiceRequest = z.object({ value: text });
const pasteRequest = z.object({ address: text });

/** The routes of the view Accounts. The page may send secrets, but never receives any. */
export function addAccountsRoutes(router: DevRouter, session: DevSession): AsyncDisposable {
  const providers = createLocalProviders(session);
  const flows = createConnectFlows(session, providers);

  router.get("/api/accounts", () => describeAccounts(session, providers));
  router.post("/api/accounts/connect", ({ body }) => flows.start(parseBody(connectRequest, body)));
  router.post("/api/accounts/refresh", ({ body }) =>
    refreshNow(session, providers, readAccount(body)),
  );
  router.post("/api/accounts/test", ({ body }) => testAccount(session, readAccount(body)));
  router.post("/api/accounts/disconnect", ({ body }) => {
    const { revokes = false, revocationUrl = "" } = parseBody(disconnectRequest, body);
    return disconnect(session, providers, {
      ...readAccount(body),
      revokes,
      revocationUrl: revocationUrl.trim() || undefined,
    });
  });

  router.get("/api/flows", () => flows.list());
  router.get("/api/flows/:id", ({ params }) => flows.view(params["id"] ?? ""));
  router.post("/api/flows/:id/choose", ({ params, body }) =>
    flows.choose(params["id"] ?? "", parseBody(choiceRequest, body).value),
  );
  router.post("/api/flows/:id/paste", ({ params, body }) =>
    flows.paste(params["id"] ?? "", parseBody(pasteRequest, body).address),
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
    await providers.stop(parseBody(slotRequest, body).slot);
    session.events.send({ type: "account" });
  });
  router.post("/api/local-provider/expire", ({ body }) => {
    if (!providers.expireTokens(parseBody(slotRequest, body).slot))
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
  const { file, cwd } = session.options;
  const { pack: packPath } = await accountKey({ file, cwd, slot: "user", account: "default" });
  const slots = describeSlots(definition, { packName: name, packPath });
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

function readAccount(body: unknown): AccountRef {
  const { slot, account } = parseBody(accountRequest, body);
  return { slot, name: account };
}
