import { useEffect, useRef } from "preact/hooks";
import type { FlowView, ProfileView, SlotView } from "../../wire/accounts.ts";
import { Connection, useConnection } from "../accounts/connection.tsx";
import { Button } from "../parts/button.tsx";
import { linkTo } from "../route.ts";
import { useLive } from "../use-server.ts";

interface ConnectHereProps {
  /** Name of the formula or table. */
  target: string;
  slot: SlotView;
  profiles: readonly ProfileView[];
  isMissing: boolean;
  /** The account that the last run could not use, and that can be connected again. */
  reconnect: string | undefined;
  /** A run starts as soon as an account is connected. */
  isWaited: boolean;
  onConnected: () => void;
}

/** Connects the account that a run needs, next to its form. Shown only if the account is missing or refused, until the next run. */
export function ConnectHere({ target, slot, profiles, isMissing, reconnect, isWaited, onConnected }: ConnectHereProps) {
  const control = useConnection(slot);
  const isNeeded = isMissing || reconnect !== undefined;
  const flows = useLive<FlowView[]>(isNeeded || control.own !== undefined ? "/api/flows" : undefined, ({ type }) => type === "flow");
  const flow = flows.data?.find(({ id }) => id === control.own);
  const isConnected = flow?.state === "connected";
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isConnected && !isMissing) onConnected();
  }, [isConnected, isMissing]);
  useEffect(() => {
    if (isWaited) section.current?.querySelector<HTMLElement>("button, input")?.focus();
  }, [isWaited]);
  if (!isNeeded && control.own === undefined) return null;
  return (
    <section class="card stack slot" aria-label="Account for this run" ref={section}>
      <div role="status">
        {isConnected ? (
          <p>
            The account <strong>{flow.account}</strong> is connected. <a href={linkTo("accounts")}>See it in Accounts</a>.
          </p>
        ) : (
          <p>
            {reconnect === undefined
              ? `${target} needs an account, and none is connected.`
              : `${target} cannot use the account ${reconnect}. Connect it again.`}
            {isWaited && " The run starts when the account is connected."}
          </p>
        )}
      </div>
      {!isConnected && reconnect !== undefined && control.own === undefined && control.form === undefined ? (
        <div>
          <Button kind="primary" isBusy={control.start.isBusy} onClick={() => control.again(reconnect, isLocal(slot, reconnect))}>
            Reconnect {reconnect}
          </Button>
        </div>
      ) : (
        !isConnected && <Connection {...{ slot, profiles, flow, control }} />
      )}
    </section>
  );
}

function isLocal({ accounts }: SlotView, account: string): boolean {
  return accounts.some(({ name, local }) => name === account && local !== undefined);
}
