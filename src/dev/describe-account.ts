import type { AccountSummary } from "../accounts/account.ts";
import type { AccountView } from "./wire/accounts.ts";

/** The client of every account that was connected to a local provider. */
export const LOCAL_CLIENT_ID = "packsmith-local";

/** An account as the page shows it: without secrets, and without what is the same for all accounts of the Pack. */
export function accountView(account: AccountSummary, isLocalRunning: boolean): AccountView {
  const { key, connectionName, authType, status, reconnectReason, endpoint, clientId } = account;
  const { requestedScopes, grantedScopes, expiresAtMs, renewable, createdAtMs, updatedAtMs } = account;
  return {
    slot: key.slot,
    name: key.name,
    label: connectionName,
    type: authType,
    status,
    reason: reconnectReason,
    endpoint,
    clientId: clientId === "" ? undefined : clientId,
    requestedScopes: [...requestedScopes],
    grantedScopes: grantedScopes === undefined ? undefined : [...grantedScopes],
    expiresAtMs,
    isRenewable: renewable || authType === "OAuth2ClientCredentials",
    createdAtMs,
    updatedAtMs,
    local: clientId !== LOCAL_CLIENT_ID ? undefined : isLocalRunning ? "running" : "ended",
  };
}
