import { useState } from "preact/hooks";
import type { ConnectRequest, ProfileView, SlotView } from "../../wire/accounts.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { useAction } from "../use-server.ts";

const LIFETIMES = [
  ["3600", "1 hour"],
  ["60", "1 minute"],
  ["5", "5 seconds"],
] as const;

interface LocalProviderProps {
  slot: SlotView;
  profiles: readonly ProfileView[];
  /** Only a provider of OAuth has a behavior to choose. */
  isOAuth: boolean;
  isBusy: boolean;
  onConnect: (local: NonNullable<ConnectRequest["local"]>) => void;
}

/**
 * A local provider in place of the real one: connected with one click, with the quirks of a
 * profile.
 */
export function LocalProvider({ slot, profiles, isOAuth, isBusy, onConnect }: LocalProviderProps) {
  const { local } = slot;
  const [profile, setProfile] = useState(local?.profile ?? profiles[0]?.name ?? "strict");
  const [seconds, setSeconds] = useState(String(local?.tokenSeconds ?? 3_600));
  const action = useAction();
  const control = (what: "expire" | "stop") =>
    void action.run(() => post(`/api/local-provider/${what}`, { slot: slot.slot }));
  return (
    <>
      <Button
        kind={slot.accounts.length === 0 && isOAuth ? "primary" : "normal"}
        isBusy={isBusy}
        onClick={() => onConnect({ profile, tokenSeconds: Number(seconds) })}
      >
        Connect to the local provider
      </Button>
      <details class="local" hidden={!isOAuth}>
        <summary>
          {local === undefined
            ? "Behavior of the local provider"
            : `Local provider running: ${local.profile}`}
        </summary>
        <div class="stack tight">
          <div class="columns">
            <SelectField
              label="Quirk profile"
              hint={profiles.find(({ name }) => name === profile)?.summary}
              value={profile}
              onValue={setProfile}
              options={profiles.map(({ name }) => [name, name] as const)}
            />
            <SelectField
              label="Access token lifetime"
              value={seconds}
              onValue={setSeconds}
              options={LIFETIMES}
            />
          </div>
          {local !== undefined && (
            <>
              <p class="small quiet">
                While the local provider runs, it receives all requests for{" "}
                <span class="mono wrap">{local.origins.join(", ")}</span>, from every account.
              </p>
              <div class="row">
                <Button isSmall isBusy={action.isBusy} onClick={() => control("expire")}>
                  Expire all tokens
                </Button>
                <Button isSmall isBusy={action.isBusy} onClick={() => control("stop")}>
                  Stop
                </Button>
              </div>
            </>
          )}
          <FailureNotice failure={action.failure} />
        </div>
      </details>
    </>
  );
}
