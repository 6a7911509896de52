import { useState } from "preact/hooks";
import type {
  AccountView,
  AdditionalRequest,
  ConnectRequest,
  FlowView,
  ProfileView,
  SlotView,
} from "../../wire/accounts.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { type Action, useAction } from "../use-server.ts";
import { ConnectForm } from "./connect-form.tsx";
import { Flow } from "./flow.tsx";
import { LocalProvider } from "./local-provider.tsx";

export interface ConnectionControl {
  start: Action<FlowView>;
  /** The form that is open, for a new account or to connect one again. */
  form:
    | { account: AccountView | undefined; additional?: AdditionalRequest | undefined }
    | undefined;
  setForm: (form: ConnectionControl["form"]) => void;
  /** Id of the connection that was started here. */
  own: string | undefined;
  connect: (request: ConnectRequest) => void;
  /** Shows no longer how the connection that was started here ended. */
  forget: () => void;
  /** Connects an account again: to the local provider at once, otherwise with the form. */
  again: (name: string, isLocal: boolean, additional?: AdditionalRequest) => void;
}

/** Starts connections of one kind of account. */
export function useConnection(slot: SlotView): ConnectionControl {
  const [form, setForm] = useState<ConnectionControl["form"]>();
  const [own, setOwn] = useState<string>();
  const start = useAction<FlowView>();
  const connect = (request: ConnectRequest): void =>
    void start.run(async () => {
      const begun = await post<FlowView>("/api/accounts/connect", request);
      setOwn(begun.id);
      setForm(undefined);
      return begun;
    });
  const connectAgain = (
    name: string,
    isLocal: boolean,
    additional: AdditionalRequest = {},
  ): void => {
    const { profile = "strict", tokenSeconds = 3_600 } = slot.local ?? {};
    if (isLocal)
      connect({ slot: slot.slot, account: name, ...additional, local: { profile, tokenSeconds } });
    else setForm({ account: slot.accounts.find((account) => account.name === name), additional });
  };
  const forget = (): void => {
    setOwn(undefined);
    start.clear();
  };
  return { start, form, setForm, own, connect, forget, again: connectAgain };
}

interface ConnectionProps {
  slot: SlotView;
  profiles: readonly ProfileView[];
  /** The latest connection of this kind of account. */
  flow: FlowView | undefined;
  control: ConnectionControl;
}

/** The ways to connect an account, and the connection in progress or how it ended. */
export function Connection({
  slot,
  profiles,
  flow,
  control: { start, form, setForm, own, connect, again },
}: ConnectionProps) {
  const isOAuth = slot.kind === "code" || slot.kind === "credentials";
  const isUnderWay =
    flow !== undefined && ["preparing", "waiting", "choosing"].includes(flow.state);
  const suggestedName = slot.accounts.some(
    ({ name, local }) => name === "default" && local === undefined,
  )
    ? "second"
    : "default";
  return (
    <>
      {form === undefined && slot.kind !== "unsupported" && (
        <div class="row connect">
          <LocalProvider
            slot={slot}
            profiles={profiles}
            isOAuth={isOAuth}
            isBusy={start.isBusy}
            onConnect={(local) => connect({ slot: slot.slot, account: localName(slot), local })}
          />
          <Button
            kind={isOAuth ? "normal" : "primary"}
            disabled={start.isBusy}
            onClick={() => setForm({ account: undefined })}
          >
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
          slot={slot}
          suggestedName={suggestedName}
          account={form.account}
          additional={form.additional}
          isBusy={start.isBusy}
          onSubmit={connect}
          onCancel={() => setForm(undefined)}
        />
      )}
      <FailureNotice failure={start.failure} />
      {flow !== undefined && (isUnderWay || flow.id === own || flow.state === "failed") && (
        <Flow
          key={flow.id}
          flow={flow}
          isOwn={flow.id === own}
          onRetry={() => again(flow.account, flow.isLocal, flow.additional)}
        />
      )}
    </>
  );
}

/** An account of the local provider never replaces one of the real provider. */
function localName({ accounts }: SlotView): string {
  const taken = accounts.find(({ name }) => name === "default");
  return taken === undefined || taken.local !== undefined ? "default" : "local";
}
