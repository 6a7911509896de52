import { useState } from "preact/hooks";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Field, SelectField, TextField } from "../parts/field.tsx";
import { useAction } from "../use-server.ts";

const PROFILES = [
  ["fast", "fast: edits are applied after 100 ms, without limits"],
  ["faithful", "faithful: the same delays and limits as the hosted service"],
  ["hostile", "hostile: the same as faithful, but with many errors"],
] as const;

/** Shown while there is no service. */
export function StartPanel() {
  return (
    <div class="columns">
      <StartForm />
      <ConnectForm />
    </div>
  );
}

function StartForm() {
  const [profile, setProfile] = useState<string>("fast");
  const [seedFile, setSeedFile] = useState<File>();
  const starting = useAction();
  return (
    <section class="card stack" aria-labelledby="start-service">
      <h3 id="start-service">Start a local service</h3>
      <p class="quiet">
        The service runs inside packsmith dev and receives the requests that the Pack sends to the
        document service.
      </p>
      <SelectField label="Profile" value={profile} onValue={setProfile} options={PROFILES} />
      <Field
        label="Documents"
        hint={
          <>
            A seed file in JSON or YAML, such as a file that <code>packsmith service import</code>{" "}
            wrote. Without a seed file, the service has a demo document with tasks and projects.
          </>
        }
      >
        {(control) => (
          <span class="file-choice">
            <input
              {...control}
              type="file"
              accept=".json,.yaml,.yml"
              onChange={(event) => setSeedFile(event.currentTarget.files?.[0])}
            />
            <span class="button small" aria-hidden="true">
              Choose a file
            </span>
            <span class="quiet small wrap">{seedFile?.name ?? "the demo document"}</span>
          </span>
        )}
      </Field>
      <FailureNotice failure={starting.failure} />
      <div>
        <Button
          kind="primary"
          isBusy={starting.isBusy}
          onClick={() => starting.run(() => startService(profile, seedFile))}
        >
          Start service
        </Button>
      </div>
    </section>
  );
}

function ConnectForm() {
  const [url, setUrl] = useState("");
  const [token, setToken] = useState("");
  const connecting = useAction();
  return (
    <section class="card" aria-labelledby="connect-service">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          connecting.run(() => post("/api/service/connect", { url, token }));
          // The server has it now.
          setToken("");
        }}
      >
        <h3 id="connect-service">Connect to a running service</h3>
        <p class="quiet">
          Use the URL of a <code>packsmith service</code> on this machine, or the{" "}
          <code>controlUrl</code> of a service that a test started.
        </p>
        <TextField
          label="URL"
          value={url}
          onValue={setUrl}
          placeholder="http://127.0.0.1:4711/apis/v1"
          required
        />
        <TextField
          label="Token"
          type="password"
          value={token}
          onValue={setToken}
          hint="This page sends the token to packsmith dev and never shows it."
          required
        />
        <FailureNotice failure={connecting.failure} />
        <div>
          <Button
            type="submit"
            isBusy={connecting.isBusy}
            disabled={url.trim() === "" || token.trim() === ""}
          >
            Connect
          </Button>
        </div>
      </form>
    </section>
  );
}

async function startService(profile: string, file: File | undefined): Promise<void> {
  const seed = file === undefined ? undefined : { name: file.name, text: await file.text() };
  await post("/api/service/start", { profile, seed });
}
