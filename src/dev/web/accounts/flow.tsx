import { useEffect, useRef, useState } from "preact/hooks";
import type { DeviceView, FlowState, FlowView } from "../../wire/accounts.ts";
import { post } from "../api.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { CodeFrame, FailureNotice } from "../parts/failure-notice.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { safeLink } from "../parts/format.ts";
import { Pill, type Tone } from "../parts/layout.tsx";
import { linkTo } from "../route.ts";
import { useAction } from "../use-server.ts";
import { Sequence } from "./sequence.tsx";

const STATES: Record<FlowState, readonly [Tone, string]> = {
  preparing: ["accent", "connecting"],
  waiting: ["accent", "waiting for you"],
  choosing: ["warn", "choose an endpoint"],
  connected: ["good", "connected"],
  failed: ["bad", "failed"],
  cancelled: ["neutral", "cancelled"],
};

interface FlowProps {
  flow: FlowView;
  /** This page started it, so it opens the provider's page. */
  isOwn: boolean;
  onRetry: () => void;
}

/** A connection in progress, or how it ended. */
export function Flow({ flow, isOwn, onRetry }: FlowProps) {
  const { id, state, startUrl, failure, notes, account } = flow;
  const isBlocked = useOpening(id, isOwn ? startUrl : undefined);
  const isUnderWay = state === "preparing" || state === "waiting" || state === "choosing";
  const [tone, text] = STATES[state];
  return (
    <section class="flow" aria-label={`Connection for ${account}`}>
      <div class="row">
        <h4>Connection for {account}</h4>
        <span role="status">
          <Pill tone={tone}>{text}</Pill>
        </span>
        <span class="end row">
          {isUnderWay && (
            <Button isSmall onClick={() => void post(`/api/flows/${id}/cancel`)}>
              Cancel
            </Button>
          )}
          {(state === "failed" || state === "cancelled") && (
            <Button isSmall onClick={onRetry}>
              Try again
            </Button>
          )}
          {flow.messages.length > 0 && (
            <a class="button small" href={linkTo("timeline")}>
              Timeline
            </a>
          )}
        </span>
      </div>
      {startUrl !== undefined && (
        <OpenedPage startUrl={startUrl} redirectUri={flow.redirectUri} isBlocked={isBlocked} />
      )}
      {flow.paste !== undefined && <Paste id={id} paste={flow.paste} />}
      {flow.device !== undefined && <Device device={flow.device} />}
      {flow.choice !== undefined && <Choice flow={flow} />}
      {(flow.messages.length > 0 || isUnderWay) && <Sequence flow={flow} isWaiting={isUnderWay} />}
      {failure !== undefined && <FlowFailure id={id} failure={failure} />}
      {notes.map((note) => (
        <p key={note} class="notice warn small">
          {note}
        </p>
      ))}
    </section>
  );
}

interface OpenedPageProps {
  startUrl: string;
  redirectUri: string | undefined;
  isBlocked: boolean;
}

/** The provider's page, which is in another tab, and where it redirects to. */
function OpenedPage({ startUrl, redirectUri, isBlocked }: OpenedPageProps) {
  return (
    <div class={isBlocked ? "notice warn" : "notice"}>
      <p>
        {isBlocked
          ? "The browser blocked the new tab. "
          : "The provider's page opened in a new tab. "}
        <a href={startUrl} target="_blank" rel="noopener">
          {isBlocked ? "Open the provider's page" : "Open the page again"}
        </a>
      </p>
      {redirectUri !== undefined && (
        <p class="hint small row">
          <span>
            Redirect URI: <span class="mono wrap">{redirectUri}</span>
          </span>
          <CopyButton text={() => redirectUri}>Copy</CopyButton>
        </p>
      )}
    </div>
  );
}

interface FlowFailureProps {
  id: string;
  failure: NonNullable<FlowView["failure"]>;
}

function FlowFailure({ id, failure }: FlowFailureProps) {
  return (
    <FailureNotice failure={failure}>
      {failure.why !== undefined && <p class="hint">{failure.why}</p>}
      <CodeFrame
        lines={failure.frame}
        label="Lines in the authentication definition that cause the problem"
      />
      {failure.place !== undefined && (
        <p class="row">
          <Button isSmall onClick={() => void post(`/api/flows/${id}/open`).catch(() => undefined)}>
            Open in the editor
          </Button>
        </p>
      )}
    </FailureNotice>
  );
}

/** Opens the provider's page once. @returns whether the browser refused */
function useOpening(id: string, startUrl: string | undefined): boolean {
  const opened = useRef<string | undefined>(undefined);
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    if (startUrl === undefined || opened.current === id) return;
    opened.current = id;
    setIsBlocked(window.open(startUrl, "_blank") === null);
  }, [id, startUrl]);
  return isBlocked;
}

interface PasteProps {
  id: string;
  paste: NonNullable<FlowView["paste"]>;
}

/**
 * A link for a browser elsewhere, and the address that it ends at. The address goes to the server
 * and does not stay here.
 */
function Paste({ id, paste: { authorizationUrl, problem } }: PasteProps) {
  const [address, setAddress] = useState("");
  const action = useAction();
  return (
    <form
      class="notice stack tight"
      aria-label="Paste the address"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(() => post(`/api/flows/${id}/paste`, { address }));
        setAddress("");
      }}
    >
      <p class="row">
        <span>
          1. Open{" "}
          <a href={authorizationUrl} target="_blank" rel="noopener">
            the provider's page
          </a>{" "}
          in any browser, and approve.
        </span>
        <CopyButton text={() => authorizationUrl}>Copy the link</CopyButton>
      </p>
      <p>
        2. The browser then shows a page that may not load. Copy the complete address of that page
        from the address bar.
      </p>
      <TextField
        label="Address from the browser"
        value={address}
        onValue={setAddress}
        problem={problem === undefined ? undefined : `${problem.message} ${problem.hint ?? ""}`}
        hint="The address contains a code that is valid only once. This page sends it to packsmith dev and does not store it."
        required
      />
      <div>
        <Button
          type="submit"
          kind="primary"
          isBusy={action.isBusy}
          disabled={address.trim() === ""}
        >
          Continue
        </Button>
      </div>
      <FailureNotice failure={action.failure} />
    </form>
  );
}

/** Where the user enters which code. The connection goes on when the provider has it. */
function Device({
  device: { verificationUri, userCode, verificationUriComplete, expiresAtMs },
}: {
  device: DeviceView;
}) {
  const link = safeLink(verificationUriComplete) ?? safeLink(verificationUri);
  return (
    <div class="notice stack tight">
      <p>
        Open <span class="mono wrap">{verificationUri}</span> on any device, and enter this code:
      </p>
      <p class="row">
        <strong class="user-code mono">{userCode}</strong>
        <CopyButton text={() => userCode}>Copy the code</CopyButton>
      </p>
      <p class="quiet small">
        {link !== undefined && (
          <>
            <a href={link} target="_blank" rel="noopener">
              Open the page in this browser
            </a>
            {" · "}
          </>
        )}
        The code is valid until {new Date(expiresAtMs).toLocaleTimeString()}.
      </p>
    </div>
  );
}

function Choice({ flow: { id, choice } }: { flow: FlowView }) {
  const [value, setValue] = useState(choice?.options[0]?.value ?? "");
  const action = useAction();
  if (choice === undefined) return null;
  return (
    <form
      class="notice warn stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(() => post(`/api/flows/${id}/choose`, { value }));
      }}
    >
      <SelectField
        label={choice.description || choice.step}
        value={value}
        onValue={setValue}
        options={choice.options.map((option) => [option.value, option.display] as const)}
      />
      <div>
        <Button type="submit" kind="primary" isBusy={action.isBusy}>
          Use this endpoint
        </Button>
      </div>
      <FailureNotice failure={action.failure} />
    </form>
  );
}
