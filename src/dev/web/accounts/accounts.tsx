import { useState } from "preact/hooks";
import type { AccountsView, AccountView, ConnectRequest, DisconnectView, FlowView, ProfileView, SlotView } from "../../wire/accounts.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty, Pill } from "../parts/layout.tsx";
import type { ViewProps } from "../route.ts";
import { useAction, useLive } from "../use-server.ts";
import { AccountRow } from "./account-row.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { Flow } from "./flow.tsx";
import { LocalProvider } from "./local-provider.tsx";

/** The accounts of the Pack: connect, test, renew, disconnect. */
export function Accounts({ pack }: ViewProps) {
  const accounts = useLive<AccountsView>("/api/accounts", ({ type }) => type === "account" || type === "pack");
  const flows = useLive<FlowView[]>("/api/flows", ({ type }) => type === "flow");
  const { data, failure, reload } = accounts;
  const aheadMs = data === undefined ? 0 : data.nowMs - (accounts.receivedAtMs ?? Date.now());
  return (
    <div class="view stack">
      <header>
        <h2>Accounts</h2>
        {data !== undefined && data.slots.length > 0 && (
          <p class="quiet small">Credentials and tokens are stored in the encrypted vault. This page never receives them.</p>
        )}
      </header>
      <div class="stack">
        {failure !== undefined && <FailureNotice failure={failure} />}
        {data?.vault !== undefined && (
          <FailureNotice failure={data.vault}>
            <p class="row">
              <Button isSmall onClick={reload}>
                Try again
              </Button>
            </p>
          </FailureNotice>
        )}
        {data?.slots.map((slot) => (
          <SlotCard
            key={slot.slot}
            {...{ slot, aheadMs, reload }}
            flow={flows.data?.find((flow) => flow.slot === slot.slot)}
            profiles={data.profiles}
          />
        ))}
        {data !== undefined && data.slots.length === 0 && (
          <Empty title={`${pack.name} needs no account`}>
            <p>
              To use one, declare it with <code>pack.setUserAuthentication</code>. Then connect it here.
            </p>
          </Empty>
        )}
      </div>
    </div>
  );
}

interface SlotCardProps {
  slot: SlotView;
  flow: FlowView | undefined;
  profiles: readonly ProfileView[];
  aheadMs: number;
  reload: () => void;
}

/** One kind of account that the Pack declares: the connected ones, and how to connect another. */
export function SlotCard({ slot, flow, profiles, aheadMs, reload }: SlotCardProps) {
  const [form, setForm] = useState<{ account: AccountView | undefined }>();
  const [own, setOwn] = useState<string>();
  const [gone, setGone] = useState<DisconnectView>();
  const start = useAction<FlowView>();
  const isOAuth = slot.kind === "code" || slot.kind === "credentials";
  const isUnderWay = flow !== undefined && ["preparing", "waiting", "choosing"].includes(flow.state);
  const connect = (request: ConnectRequest) => {
    setGone(undefined);
    void start.run(async () => {
      const begun = await post<FlowView>("/api/accounts/connect", request);
      setOwn(begun.id);
      setForm(undefined);
      return begun;
    });
  };
  const connectLocally = (account: string) => {
    const { profile = "strict", tokenSeconds = 3_600 } = slot.local ?? {};
    connect({ slot: slot.slot, account, local: { profile, tokenSeconds } });
  };
  const again = (name: string, isLocal: boolean) => {
    if (isLocal) connectLocally(name);
    else setForm({ account: slot.accounts.find((account) => account.name === name) });
  };
  const suggestedName = slot.accounts.some(({ name, local }) => name === "default" && local === undefined) ? "second" : "default";
  return (
    <section class="card slot" aria-labelledby={`slot-${slot.slot}`}>
      <header>
        <h3 id={`slot-${slot.slot}`}>{titleOf(slot.slot)}</h3>
        <Pill>{slot.type}</Pill>
      </header>
      <div class="stack">
        {slot.kind === "unsupported" && (
          <p class="quiet">Accounts of this type exist only in the hosted service. You cannot connect them on this machine.</p>
        )}
        {(slot.facts.length > 0 || slot.scopes.length > 0) && (
          <dl class="facts">
            {slot.facts.map(([name, value]) => (
              <div key={name} class="fact">
                <dt>{name}</dt>
                <dd class="mono">{value}</dd>
              </div>
            ))}
            {slot.scopes.length > 0 && (
              <div class="fact">
                <dt>Scopes</dt>
                <dd class="mono">{slot.scopes.join(" ")}</dd>
              </div>
            )}
          </dl>
        )}
        {slot.accounts.length > 0 && (
          <ul class="list accounts">
            {slot.accounts.map((account) => (
              <AccountRow
                key={account.name}
                {...{ slot, account, aheadMs }}
                onReconnect={() => again(account.name, account.local !== undefined)}
                onGone={(outcome) => {
                  setGone(outcome);
                  reload();
                }}
              />
            ))}
          </ul>
        )}
        <div role="status">
          {gone !== undefined && (
            <p class={gone.warning === undefined ? "notice good small" : "notice warn small"}>
              The account is disconnected{gone.revoked ? ", and the provider has revoked its tokens" : ""}. {gone.warning}
            </p>
          )}
        </div>
        {form === undefined && slot.kind !== "unsupported" && (
          <div class="row connect">
            {isOAuth && (
              <LocalProvider
                {...{ slot, profiles }}
                isBusy={start.isBusy}
                onConnect={(local) => connect({ slot: slot.slot, account: localName(slot), local })}
              />
            )}
            <Button kind={isOAuth ? "normal" : "primary"} disabled={start.isBusy} onClick={() => setForm({ account: undefined })}>
              {slot.accounts.some(({ local }) => local === undefined)
                ? "Connect another account"
                : isOAuth
                  ? "Connect to the real provider"
                  : "Enter credentials"}
            </Button>
          </div>
        )}
        {form !== undefined && (
          <ConnectForm
            key={form.account?.name ?? ""}
            {...{ slot, suggestedName }}
            account={form.account}
            isBusy={start.isBusy}
            onSubmit={connect}
            onCancel={() => setForm(undefined)}
          />
        )}
        {start.failure !== undefined && <FailureNotice failure={start.failure} />}
        {flow !== undefined && (isUnderWay || flow.id === own || flow.state === "failed") && (
          <Flow key={flow.id} flow={flow} isOwn={flow.id === own} onRetry={() => again(flow.account, flow.isLocal)} />
        )}
      </div>
    </section>
  );
}

/** An account of the local provider never replaces one of the real provider. */
function localName({ accounts }: SlotView): string {
  const taken = accounts.find(({ name }) => name === "default");
  return taken === undefined || taken.local !== undefined ? "default" : "local";
}

function titleOf(slot: string): string {
  if (slot === "user") return "Each user's account";
  if (slot === "system") return "The Pack's own account";
  return `The administrator's account “${slot.slice("admin:".length)}”`;
}
