import type { AccountsView } from "../../wire/accounts.ts";
import type { FlowView } from "../../wire/flow.ts";
import { SlotCard } from "../accounts/slot-card.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useLive } from "../use-live.ts";
import type { ViewProps } from "../view.ts";

/** The accounts of the Pack: connect, look after, disconnect. */
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
          <p class="quiet small">Credentials and tokens are in the vault, encrypted. This page never receives one.</p>
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
              Declare one with <code>pack.setUserAuthentication</code>, and this is where you connect it.
            </p>
          </Empty>
        )}
      </div>
    </div>
  );
}
