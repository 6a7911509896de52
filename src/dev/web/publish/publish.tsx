import { useState } from "preact/hooks";
import type { PublishJobView, PublishView, RegistryPackView } from "../../wire/publish.ts";
import { post } from "../api.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import type { ViewProps } from "../route.ts";
import { useAction, useLive } from "../use-server.ts";
import { Job } from "./job.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { Source } from "./source.tsx";
import { Versions } from "./versions.tsx";

/** The Pack in its registry: versions, what would change, upload and release. */
export function Publish({ pack }: ViewProps) {
  const { data: job } = useLive<PublishJobView | null>(
    "/api/publish/job",
    ({ type }) => type === "publish",
  );
  const ended = job == null ? 0 : job.state === "running" ? job.id - 1 : job.id;
  // The registry is asked when the view opens and after a job, not after every save.
  const { data, failure, reload } = useLive<PublishView>(
    `/api/publish?after=${ended}`,
    () => false,
  );
  return (
    <section class="view stack publish" aria-labelledby="view-title">
      <header>
        <h2 id="view-title">Publish</h2>
        {data?.pack !== undefined && (
          <p class="quiet small">
            {data.pack.name}, Pack {data.pack.id} on <span class="mono">{data.host}</span> as{" "}
            {data.pack.user}
          </p>
        )}
      </header>
      <FailureNotice failure={failure} />
      {data === undefined && failure === undefined && <p class="quiet">Asking the registry…</p>}
      {data?.failure !== undefined && <NotReady view={data} onRetry={reload} />}
      {data?.pack !== undefined && (
        <Registry
          pack={data.pack}
          job={job ?? undefined}
          ended={ended}
          revision={pack.revision}
          canUpload={pack.status === "ready"}
        />
      )}
    </section>
  );
}

/** Why the registry cannot be used, and the command that changes it. */
function NotReady({
  view: { failure, commands },
  onRetry,
}: {
  view: PublishView;
  onRetry: () => void;
}) {
  if (failure === undefined) return null;
  const steps = (
    <>
      {commands.map((command) => (
        <p key={command} class="row command">
          <code class="wrap">{command}</code>
          <CopyButton text={() => command}>Copy</CopyButton>
        </p>
      ))}
      <p class="row">
        <Button isSmall onClick={onRetry}>
          {commands.length > 0 ? "Check again" : "Try again"}
        </Button>
      </p>
    </>
  );
  if (commands.length === 0) return <FailureNotice failure={failure}>{steps}</FailureNotice>;
  // Something to do before the first upload is not an error.
  return (
    <div class="card stack tight first-step">
      <h3>Before the first upload</h3>
      <p>{failure.message}</p>
      {failure.hint !== undefined && <p class="quiet wrap">{failure.hint}</p>}
      {steps}
    </div>
  );
}

interface RegistryProps {
  pack: RegistryPackView;
  job: PublishJobView | undefined;
  /** The number of the last job that has ended. */
  ended: number;
  revision: number;
  canUpload: boolean;
}

function Registry({ pack, job, ended, revision, canUpload }: RegistryProps) {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const start = useAction();
  const isRunning = job?.state === "running";
  const upload = (notes: string) => start.run(() => post("/api/publish/upload", { notes }));
  const release = (version: string, notes: string) => {
    setChosen(undefined);
    void start.run(() => post("/api/publish/release", { version, notes, released: pack.released }));
  };
  return (
    <>
      <FailureNotice failure={start.failure} />
      {job !== undefined && <Job job={job} />}
      <div class="columns">
        <Source
          ended={ended}
          revision={revision}
          canUpload={canUpload && !isRunning}
          onUpload={upload}
        />
        <Versions pack={pack} canRelease={!isRunning} onRelease={setChosen} />
      </div>
      {chosen !== undefined && (
        <ReleaseDialog
          version={chosen}
          released={pack.released}
          onRelease={(notes) => release(chosen, notes)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
