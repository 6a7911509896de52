import { useState } from "preact/hooks";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { useAction } from "../use-server.ts";

const PROFILES = [
  ["fast", "fast: edits apply after 100 ms, no limits"],
  ["faithful", "faithful: as slow and as limited as the public service"],
  ["hostile", "hostile: faithful, on a bad day"],
] as const;

/** What stands in the view while there is no service. */
export function StartPanel() {
  const [profile, setProfile] = useState<string>("fast");
  const [url, setUrl] = useState("");
  const [token, setToken] = useState("");
  const starting = useAction();
  const connecting = useAction();
  return (
    <div class="columns">
      <section class="card stack" aria-labelledby="start-service">
        <h3 id="start-service">Start a local service</h3>
        <p class="quiet">
          It runs in this process, holds a demo document with tasks and projects, and ends with packsmith dev. Requests of the Pack for its
          document service are led to it.
        </p>
        <SelectField label="Behaves like" value={profile} onValue={setProfile} options={PROFILES} />
        {starting.failure !== undefined && <FailureNotice failure={starting.failure} />}
        <div>
          <Button kind="primary" isBusy={starting.isBusy} onClick={() => starting.run(() => post("/api/service/start", { profile }))}>
            Start the service
          </Button>
        </div>
      </section>
      <section class="card" aria-labelledby="connect-service">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            connecting.run(() => post("/api/service/connect", { url, token }));
            // It is the server's from here on.
            setToken("");
          }}
        >
          <h3 id="connect-service">Connect to one that runs</h3>
          <p class="quiet">
            One that <code>packsmith service</code> or a test has started on this machine.
          </p>
          <TextField label="URL" value={url} onValue={setUrl} placeholder="http://127.0.0.1:4711/apis/v1" required />
          <TextField
            label="Token"
            type="password"
            value={token}
            onValue={setToken}
            hint="It goes to packsmith dev and never comes back."
            required
          />
          {connecting.failure !== undefined && <FailureNotice failure={connecting.failure} />}
          <div>
            <Button type="submit" isBusy={connecting.isBusy} disabled={url.trim() === "" || token.trim() === ""}>
              Connect
            </Button>
          </div>
        </form>
      </section>
    </div>
  );
}
