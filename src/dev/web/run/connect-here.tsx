import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FlowView, ProfileView, SlotView } from "../../wire/accounts.ts";
import type { RunFailureView } from "../../wire/run.ts";
import { Connection, type ConnectionControl, useConnection } from "../accounts/connection.tsx";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { linkTo } from "../route.ts";
import { useLive } from "../use-server.ts";
import { type AccountNeed, needsReconnection } from "./run-state.ts";

type StepUp = NonNullable<RunFailureView["stepUp"]>;

interface ConnectHereProps {
  /** What needs the account, such as the name of a formula. */
  target: string;
  slots: readonly SlotView[];
  /** The kind of account that runs use. */
  slot: SlotView;
  profiles: readonly ProfileView[];
  /** A run needs an account, but no account is connected. */
  isMissing: boolean;
  /** The account that the last run used. */
  account: string;
  /** The run that uses the account. */
  need: AccountNeed;
  onConnected: () => void;
}

/** Whether a run failed because it needs an account, and none has been connected since. */
export function lacksAccount(failure: RunFailureView | undefined, { accounts }: SlotView): boolean {
  return failure?.code === "ACCOUNT_MISSING" && accounts.length === 0;
}

/**
 * Connects the account that a run needs, next to its form. Shown only if the account is missing or
 * refused, or lacks scopes or a login,
 * until the next run.
 */
export function ConnectHere(props: ConnectHereProps) {
  const { target, slots, slot: used, profiles, account, need, onConnected } = props;
  const { failure, isWaited } = need;
  const stepUp = failure?.stepUp;
  const slot = slots.find((candidate) => candidate.slot === stepUp?.slot) ?? used;
  const control = useConnection(slot);
  const isRefused = needsReconnection(failure);
  const isMissing = props.isMissing || lacksAccount(failure, used);
  const isNeeded = isMissing || isRefused;
  const flows = useLive<FlowView[]>(
    isNeeded || control.own !== undefined ? "/api/flows" : undefined,
    ({ type }) => type === "flow",
  );
  const flow = flows.data?.find(({ id }) => id === control.own);
  const hasEnded = flow?.state === "connected";
  const isConnected = hasEnded && need.isConnected;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (hasEnded) onConnected();
  }, [hasEnded, flow?.id]);
  // A form that is open keeps what was typed when the Pack is saved and runs again.
  useEffect(() => {
    const isUnderWay =
      flow !== undefined && !["connected", "failed", "cancelled"].includes(flow.state);
    if (control.form === undefined && !isUnderWay) control.forget();
  }, [need.runId]);
  useEffect(() => {
    if (isWaited) section.current?.querySelector<HTMLElement>("button, input")?.focus();
  }, [isWaited]);
  // While the run that followed the connection is under way, there is nothing to say about it.
  if (hasEnded && (need.isBusy || !(isNeeded || isConnected))) return null;
  if (!isNeeded && control.own === undefined) return null;
  const isAsking = !isConnected && control.own === undefined && control.form === undefined;
  return (
    <section class="card stack slot" aria-label="Account for this run" ref={section}>
      <div role="status">
        {isConnected ? (
          <p>
            The account <strong>{flow.account}</strong> is connected.{" "}
            <a href={linkTo("accounts")}>Show this account in Accounts</a>.
          </p>
        ) : (
          <p class="wrap">
            {stepUp !== undefined
              ? questionText(target, stepUp)
              : isRefused
                ? `${target} cannot use the account ${account}. Connect the account again.`
                : `${target} needs an account, but no account is connected.`}
            {isWaited && " The run starts when the account is connected."}
          </p>
        )}
      </div>
      {isAsking && stepUp !== undefined ? (
        <StepUp stepUp={stepUp} slot={slot} control={control} />
      ) : isAsking && isRefused ? (
        <div>
          <Button
            kind="primary"
            isBusy={control.start.isBusy}
            onClick={() => control.again(account, isLocal(slot, account))}
          >
            Reconnect {account}
          </Button>
        </div>
      ) : (
        !isConnected && <Connection slot={slot} profiles={profiles} flow={flow} control={control} />
      )}
      {isAsking && isRefused && <FailureNotice failure={control.start.failure} />}
    </section>
  );
}

function questionText(target: string, { account, scopes, login }: StepUp): string {
  if (login !== undefined)
    return `${target} needs another login of the account ${account}. Log in again? After that, ${target} runs again.`;
  const named = scopes.length === 1 ? `the scope ${scopes[0]}` : `the scopes ${scopes.join(" ")}`;
  const lack =
    scopes.length === 0
      ? `more scopes than the account ${account} has`
      : `${named}, which the account ${account} does not have`;
  return `${target} needs ${lack}. Connect again with ${scopes.length === 1 ? "this scope" : "these scopes"}? After that, ${target} runs again.`;
}

interface StepUpProps {
  stepUp: StepUp;
  slot: SlotView;
  control: ConnectionControl;
}

/**
 * Connects the account again, with more scopes (RFC 6750 §3.1) or another login (RFC 9470): at
 * once, with the client that it has.
 */
function StepUp({ stepUp: { account, scopes, login }, slot, control }: StepUpProps) {
  const [entered, setEntered] = useState("");
  const isOwnProvider = isLocal(slot, account);
  const isUnnamed = scopes.length === 0 && login === undefined;
  const additional = { extraScopes: isUnnamed ? entered.trim() : scopes.join(" "), login };
  const connect = (): void =>
    isOwnProvider
      ? control.again(account, true, additional)
      : control.connect({ slot: slot.slot, account, ...additional });
  return (
    <form
      class="stack tight"
      aria-label="Connect again"
      onSubmit={(event) => {
        event.preventDefault();
        connect();
      }}
    >
      {isUnnamed && (
        <TextField
          label="Scopes to add"
          hint="The API did not report which scopes are missing. Look them up in its documentation, and separate them with spaces."
          value={entered}
          onValue={setEntered}
          required
        />
      )}
      <div class="row">
        <Button type="submit" kind="primary" isBusy={control.start.isBusy}>
          {login !== undefined
            ? "Log in again"
            : scopes.length === 1
              ? "Connect again with this scope"
              : "Connect again with these scopes"}
        </Button>
        {!isOwnProvider && (
          <Button onClick={() => control.again(account, false, additional)}>
            Other ways to connect
          </Button>
        )}
      </div>
    </form>
  );
}

function isLocal({ accounts }: SlotView, account: string): boolean {
  return accounts.some(({ name, local }) => name === account && local !== undefined);
}
