import { useEffect, useState } from "preact/hooks";
import type {
  AccountsView,
  DisconnectView,
  FlowView,
  ProfileView,
  SlotView,
} from "../../wire/accounts.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty, Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import type { ViewProps } from "../route.ts";
import { useLive } from "../use-server.ts";
import { AccountRow } from "./account-row.tsx";
import { Connection, useConnection } from "./connection.tsx";

/** The accounts of the Pack: connect, test, renew, disconnect. */
export function Accounts({ pack }: ViewProps) {
  const accounts = useLive<AccountsView>(
    "/api/accounts",
    ({ type }) => type === "account" || type === "pack",
  );
  const flows = useLive<FlowView[]>("/api/flows", ({ type }) => type === "flow");
  const { data, failure, reload } = accounts;
  const aheadMs = data === undefined ? 0 : data.nowMs - (accounts.receivedAtMs ?? Date.now());
  return (
    <div class="view stack">
      <header>
        <h2>Accounts</h2>
        {data !== undefined && data.slots.length > 0 && (
          <p class="quiet small">
            Credentials and tokens are stored in the encrypted vault. This page never receives them.
          </p>
        )}
      </header>
      <div class="stack">
        <FailureNotice failure={failure} />
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
            slot={slot}
            aheadMs={aheadMs}
            reload={reload}
            flow={flows.data?.find((flow) => flow.slot === slot.slot)}
            profiles={data.profiles}
          />
        ))}
        {data !== undefined && data.slots.length === 0 && (
          <Empty title={`${pack.name} needs no account`}>
            <p>
              To use an account, declare authentication with <code>pack.setUserAuthentication</code>
              . Then connect the account here.
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
  const [gone, setGone] = useState<DisconnectView>();
  const control = useConnection(slot);
  useEffect(() => setGone(undefined), [control.own]);
  return (
    <section class="card slot" aria-labelledby={`slot-${slot.slot}`}>
      <header>
        <h3 id={`slot-${slot.slot}`}>{formatTitle(slot.slot)}</h3>
        <Pill>{slot.type}</Pill>
      </header>
      <div class="stack">
        {slot.kind === "unsupported" && (
          <p class="quiet">
            Accounts of this type exist only in the hosted service. You cannot connect them on this
            machine.
          </p>
        )}
        {(slot.facts.length > 0 || slot.scopes.length > 0) && (
          <dl class="facts">
            {slot.facts.map(([name, value]) => (
              <div key={name} class="fact">
                <dt>{name}</dt>
                <dd class="mono">
                  <Name text={value} />
                </dd>
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
                slot={slot}
                account={account}
                aheadMs={aheadMs}
                onReconnect={() => control.again(account.name, account.local !== undefined)}
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
              The account is disconnected
              {gone.revoked ? ", and the provider has revoked the tokens of the account" : ""}.{" "}
              {gone.warning}
            </p>
          )}
        </div>
        <Connection slot={slot} profiles={profiles} flow={flow} control={control} />
      </div>
    </section>
  );
}

function formatTitle(slot: string): string {
  if (slot === "user") return "Each user's account";
  if (slot === "system") return "The Pack's own account";
  return `The administrator's account “${slot.slice("admin:".length)}”`;
}
