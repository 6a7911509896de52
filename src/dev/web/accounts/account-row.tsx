import { useEffect, useState } from "preact/hooks";
import type {
  AccountTestView,
  AccountView,
  DisconnectView,
  SlotView,
} from "../../wire/accounts.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { countText } from "../parts/format.ts";
import { Dialog, Pill } from "../parts/layout.tsx";
import { linkTo } from "../route.ts";
import { useAction } from "../use-server.ts";

interface AccountRowProps {
  slot: SlotView;
  account: AccountView;
  /** How far the server's clock is ahead of this browser's clock. */
  aheadMs: number;
  onReconnect: () => void;
  onGone: (outcome: DisconnectView) => void;
}

/** One connected account, and what can be done with it. */
export function AccountRow({ slot, account, aheadMs, onReconnect, onGone }: AccountRowProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const isOAuth = isOAuthSlot(slot);
  return (
    <li class="account">
      <div class="row">
        <h4 class="wrap">{account.connectionName ?? account.name}</h4>
        {account.connectionName !== undefined && account.connectionName !== account.name && (
          <span class="quiet small">{account.name}</span>
        )}
        <StatusPills account={account} aheadMs={aheadMs} />
      </div>
      {account.status === "reconnect" && (
        <p class="notice bad small">
          The provider refuses to refresh the token of this account:{" "}
          {account.reconnectReason ?? "the provider gave no reason"}. Reconnect the account.
        </p>
      )}
      {account.local === "ended" && (
        <p class="quiet small">
          The local provider for this account has stopped. Reconnect the account to start it again.
        </p>
      )}
      <Facts account={account} isOAuth={isOAuth} />
      <Actions
        account={account}
        isOAuth={isOAuth}
        onReconnect={onReconnect}
        onLeave={() => setIsLeaving(true)}
      />
      {isLeaving && (
        <Disconnect
          slot={slot}
          account={account}
          onClose={() => setIsLeaving(false)}
          onGone={onGone}
        />
      )}
    </li>
  );
}

function isOAuthSlot({ kind }: SlotView): boolean {
  return kind === "code" || kind === "credentials";
}

function StatusPills({ account, aheadMs }: Pick<AccountRowProps, "account" | "aheadMs">) {
  const isConnected = account.status === "connected";
  return (
    <>
      <Pill tone={isConnected ? "good" : "bad"}>{account.status}</Pill>
      {account.local !== undefined && (
        <Pill tone={account.local === "running" ? "accent" : "warn"}>
          {account.local === "ended" ? "local provider, stopped" : "local provider"}
        </Pill>
      )}
      {account.expiresAt !== undefined && isConnected && (
        <Countdown
          expiresAtMs={Date.parse(account.expiresAt)}
          aheadMs={aheadMs}
          isRenewable={account.renewable}
        />
      )}
    </>
  );
}

function Facts({ account, isOAuth }: { account: AccountView; isOAuth: boolean }) {
  return (
    <dl class="facts">
      {account.endpoint !== undefined && <Fact name="Endpoint">{account.endpoint}</Fact>}
      {account.clientId !== undefined && <Fact name="Client ID">{account.clientId}</Fact>}
      {isOAuth && <Scopes account={account} />}
      {isOAuth && (
        <Fact name="Renewal">
          {account.renewable
            ? "automatic"
            : "not possible, because the provider issued no refresh token"}
        </Fact>
      )}
      <Fact name="Connected">{new Date(account.createdAt).toLocaleString()}</Fact>
    </dl>
  );
}

interface ActionsProps {
  account: AccountView;
  isOAuth: boolean;
  onReconnect: () => void;
  onLeave: () => void;
}

function Actions({ account, isOAuth, onReconnect, onLeave }: ActionsProps) {
  const test = useAction<AccountTestView>();
  const refresh = useAction<AccountView>();
  const ref = { slot: account.slot, account: account.name };
  const reconnect = isOAuth ? "Reconnect" : "Change credentials";
  const clear = () => {
    test.clear();
    refresh.clear();
  };
  return (
    <>
      <div class="row actions">
        <Button
          isSmall
          isBusy={test.isBusy}
          label={`Test ${account.name}`}
          onClick={() => {
            clear();
            void test.run(() => post("/api/accounts/test", ref));
          }}
        >
          Test
        </Button>
        {isOAuth && (
          <Button
            isSmall
            isBusy={refresh.isBusy}
            disabled={!account.renewable}
            label={`Refresh now: ${account.name}`}
            onClick={() => {
              clear();
              void refresh.run(() => post("/api/accounts/refresh", ref));
            }}
          >
            Refresh now
          </Button>
        )}
        <Button isSmall label={`${reconnect}: ${account.name}`} onClick={onReconnect}>
          {reconnect}
        </Button>
        <Button isSmall kind="danger" label={`Disconnect… ${account.name}`} onClick={onLeave}>
          Disconnect…
        </Button>
      </div>
      <div role="status">
        {refresh.answer !== undefined && (
          <p class="notice good small">The account has a new access token.</p>
        )}
        {test.answer !== undefined && <TestResult answer={test.answer} />}
      </div>
      <FailureNotice failure={test.failure} />
      <FailureNotice failure={refresh.failure} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The scopes that were requested, and which of them were granted. */
function Scopes({ account: { requestedScopes, scopes: granted } }: { account: AccountView }) {
  const further = (granted ?? []).filter((scope) => !requestedScopes.includes(scope));
  if (requestedScopes.length === 0 && further.length === 0) return null;
  return (
    <>
      <dt>Scopes</dt>
      <dd class="row scopes">
        {requestedScopes.map((scope) => {
          const isMissing = granted !== undefined && !granted.includes(scope);
          return (
            <Pill
              key={scope}
              tone={isMissing ? "warn" : granted === undefined ? "neutral" : "good"}
            >
              {scope}
              {isMissing ? ": not granted" : ""}
            </Pill>
          );
        })}
        {further.map((scope) => (
          <Pill key={scope}>{scope}: not requested</Pill>
        ))}
        {granted === undefined && (
          <span class="quiet small">the provider does not report the granted scopes</span>
        )}
      </dd>
    </>
  );
}

function TestResult({ answer: { label, requests, durationMs } }: { answer: AccountTestView }) {
  return (
    <p class="notice good small">
      {label !== undefined
        ? `The account works. The Pack calls it “${label}”.`
        : requests === 0
          ? "The account is ready. packsmith could not test the account, because the Pack has no getConnectionName."
          : "The account works."}{" "}
      {requests > 0 && (
        <>
          {countText(requests, "request")}, {Math.round(durationMs)} ms, in the{" "}
          <a href={linkTo("timeline")}>timeline</a>.
        </>
      )}
    </p>
  );
}

interface DisconnectProps {
  slot: SlotView;
  account: AccountView;
  onClose: () => void;
  onGone: (outcome: DisconnectView) => void;
}

function Disconnect({ slot, account, onClose, onGone }: DisconnectProps) {
  const [revocationUrl, setRevocationUrl] = useState("");
  const action = useAction<void>();
  const isOAuth = isOAuthSlot(slot);
  const leave = (revokes: boolean) =>
    void action.run(async () => {
      onGone(
        await post<DisconnectView>("/api/accounts/disconnect", {
          slot: account.slot,
          account: account.name,
          revokes,
          revocationUrl,
        }),
      );
    });
  return (
    <Dialog title={`Disconnect ${account.connectionName ?? account.name}?`} onClose={onClose}>
      <p>
        {isOAuth
          ? "packsmith deletes the tokens from the vault. If you also revoke the tokens, the provider no longer accepts them."
          : "packsmith deletes the credentials from the vault."}
      </p>
      {isOAuth && account.local === undefined && (
        <TextField
          label="Revocation endpoint"
          note="optional"
          hint="See RFC 7009. Leave this field empty to use the endpoint in the provider's metadata."
          value={revocationUrl}
          onValue={setRevocationUrl}
        />
      )}
      <FailureNotice failure={action.failure} />
      <div class="row">
        {isOAuth && (
          <Button kind="primary" isBusy={action.isBusy} onClick={() => leave(true)}>
            Revoke and disconnect
          </Button>
        )}
        <Button
          kind={isOAuth ? "normal" : "primary"}
          disabled={action.isBusy}
          onClick={() => leave(false)}
        >
          {isOAuth ? "Disconnect only" : "Disconnect"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

const SOON_MS = 5 * 60_000;

/** Counts down to the expiry of a token. */
export function Countdown({
  expiresAtMs,
  aheadMs,
  isRenewable,
}: {
  expiresAtMs: number;
  aheadMs: number;
  isRenewable: boolean;
}) {
  const [nowMs, setNowMs] = useState(() => Date.now() + aheadMs);
  useEffect(() => {
    const tick = () => setNowMs(Date.now() + aheadMs);
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [aheadMs]);
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0)
    return (
      <Pill tone={isRenewable ? "neutral" : "bad"}>
        {isRenewable ? "expired, refreshed before the next use" : "expired"}
      </Pill>
    );
  return (
    <Pill tone={leftMs < SOON_MS && !isRenewable ? "warn" : "neutral"}>
      expires in {spell(leftMs)}
    </Pill>
  );
}

/** The two largest units of a time: `1 h 02 min`, `4 min 09 s`. */
export function spell(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const padTwo = (count: number) => String(count).padStart(2, "0");
  if (seconds >= 86_400)
    return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
  if (seconds >= 3_600)
    return `${Math.floor(seconds / 3_600)} h ${padTwo(Math.floor((seconds % 3_600) / 60))} min`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${padTwo(seconds % 60)} s`;
  return `${seconds} s`;
}
