import type { AccountSlot } from "../../accounts/account-summary.ts";
import { openAccount } from "../../accounts/open-account.ts";
import { accountKey, accountMissing, findSlotAuthentication } from "../../accounts/pack-account.ts";
import { openVault } from "../../accounts/vault.ts";
import {
  type AccountOptions,
  refreshAccount,
  revokeAccount,
} from "../../connect/manage-accounts.ts";
import type { Authentication } from "../../define/authentication.ts";
import { getConnectionName } from "../../execute/metadata/execute-metadata.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { uptimeMs } from "../../shared/time.ts";
import { badRequest } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { requestOfExchange, type TrafficSource } from "../timeline/traffic.ts";
import type { AccountTestView, AccountView, DisconnectView } from "../wire/accounts.ts";
import { accountView } from "./describe-accounts.ts";
import type { LocalProviders } from "./local-providers.ts";

/** Which account of the Pack. */
export interface AccountRef {
  slot: string;
  name: string;
}

let lastId = 0;

/** Gets a new access token now. @throws {PackError} the codes of `refreshAccount` */
export async function refreshNow(
  session: DevSession,
  providers: LocalProviders,
  account: AccountRef,
): Promise<AccountView> {
  const summary = await refreshAccount(
    createOptions(session, account, getSource("refresh", account)),
  );
  session.events.send({ type: "account" });
  return accountView(summary, providers.view(account.slot) !== undefined);
}

/**
 * Uses an account: renews its token if it has expired, and asks the Pack for the name of the
 * account.
 * @throws {PackError} ACCOUNT_ codes, and what `getConnectionName` of the Pack throws
 */
export async function testAccount(
  session: DevSession,
  { slot, name }: AccountRef,
): Promise<AccountTestView> {
  const source = getSource("test", { slot, name });
  const { file, cwd, home = "", databaseUrl, keyStore, redactor } = session.options;
  const { now } = session;
  const started = uptimeMs();
  try {
    await using pack = await session.openPack();
    const { definition, isolate } = pack;
    const authentication = findSlotAuthentication(definition, slot as AccountSlot);
    if (authentication === undefined) throw badRequest(`The Pack declares no ${slot} account.`);
    await using vault = await openVault({ directory: home, databaseUrl, keyStore, now });
    const key = await accountKey({ file, cwd, slot: slot as AccountSlot, account: name });
    const routes = parseRoutes(session.routes());
    const account = await openAccount({
      vault,
      key,
      authentication,
      networkDomains: definition.networkDomains,
      routes,
      now,
      redactor,
      onExchange: (record) => session.traffic.record(source, requestOfExchange(record)),
    });
    if (!hasName(authentication)) {
      if ("getAccessToken" in account) await account.getAccessToken();
      return { label: undefined, requests: 0, durationMs: uptimeMs() - started };
    }
    let requests = 0;
    const label = await getConnectionName({
      isolate,
      account,
      routes,
      now,
      redactor,
      slot: key.slot,
      onExchange(detail) {
        requests += 1;
        session.traffic.record(source, detail);
      },
    });
    return { label, requests, durationMs: uptimeMs() - started };
  } finally {
    // The test may have renewed the token, or found that the provider refuses to.
    session.events.send({ type: "account" });
  }
}

/**
 * Removes an account from the vault. With `revokes`, its tokens are revoked first.
 * @throws {PackError} ACCOUNT_MISSING, URL_NOT_ALLOWED
 */
export async function disconnect(
  session: DevSession,
  providers: LocalProviders,
  {
    slot,
    name,
    revokes,
    revocationUrl,
  }: AccountRef & { revokes: boolean; revocationUrl: string | undefined },
): Promise<DisconnectView> {
  const options = createOptions(session, { slot, name }, getSource("disconnect", { slot, name }));
  try {
    if (revokes)
      return await revokeAccount({
        ...options,
        revocationUrl: revocationUrl || providers.revocationUrl(slot),
      });
    const { home, databaseUrl, keyStore, file } = options;
    await using vault = await openVault({
      directory: home,
      databaseUrl,
      keyStore,
      now: session.now,
    });
    const key = await accountKey({ ...options, slot: slot as AccountSlot, account: name });
    if (!(await vault.remove(key))) throw accountMissing(file, name, key.slot);
    return { revoked: false, warning: undefined };
  } finally {
    session.events.send({ type: "account" });
  }
}

function createOptions(
  session: DevSession,
  { slot, name }: AccountRef,
  source: TrafficSource,
): AccountOptions {
  const { file, cwd, home = "", databaseUrl, keyStore, redactor } = session.options;
  return {
    file,
    cwd,
    home,
    databaseUrl,
    keyStore,
    redactor,
    account: name,
    slot: slot as AccountSlot,
    routes: session.routes(),
    now: session.now,
    onExchange: (record) => session.traffic.record(source, requestOfExchange(record)),
  };
}

function getSource(verb: string, { name }: AccountRef): TrafficSource {
  lastId += 1;
  return { kind: "connection", id: `account-${lastId}`, target: `${verb} ${name}` };
}

function hasName(authentication: Authentication): boolean {
  return "getConnectionName" in authentication && authentication.getConnectionName !== undefined;
}
