import { useState } from "preact/hooks";
import type { LiveDifference } from "../../../publish/difference.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Pill } from "../parts/layout.tsx";
import { useLive } from "../use-server.ts";

interface SourceProps {
  /** Changes when the registry has changed. */
  ended: number;
  /** Changes when the source has changed. */
  revision: number;
  canUpload: boolean;
  onUpload: (notes: string) => Promise<boolean>;
}

/** What would change for users, and the upload. */
export function Source({ ended, revision, canUpload, onUpload }: SourceProps) {
  const { data, failure } = useLive<LiveDifference>(
    `/api/publish/difference?after=${revision}.${ended}`,
    () => false,
  );
  const [notes, setNotes] = useState("");
  return (
    <section class="card stack" aria-labelledby="publish-source">
      <h3 id="publish-source">Your source</h3>
      <FailureNotice failure={failure} />
      {data === undefined && failure === undefined && (
        <p class="quiet">Comparing your source with the registry…</p>
      )}
      {data !== undefined && failure === undefined && <Difference difference={data} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void onUpload(notes).then((isStarted) => isStarted && setNotes(""));
        }}
      >
        <TextField
          label="Notes"
          value={notes}
          onValue={setNotes}
          placeholder="What is new in this version"
        />
        <div>
          <Button kind="primary" type="submit" disabled={!canUpload}>
            Upload
          </Button>
        </div>
      </form>
      <p class="quiet small">
        An upload does not change anything for users. They get a version only when you release it.
      </p>
    </section>
  );
}

const TONES = { breaking: "bad", review: "warn", safe: "good" } as const;

function Difference({
  difference: { released, newest, nextVersion, uploaded, source, changes },
}: {
  difference: LiveDifference;
}) {
  return (
    <>
      <dl class="facts">
        <dt>Users have</dt>
        <dd>{released ?? "no version"}</dd>
        <dt>Newest upload</dt>
        <dd>{newest ?? "none"}</dd>
        <dt>Next version</dt>
        <dd>{nextVersion ?? "1.0.0, or the version in your source"}</dd>
      </dl>
      {changes === undefined ? (
        <>
          <Findings
            title={`Your source against ${newest ?? "nothing"}`}
            findings={source}
            empty="The definition is the same."
          />
          {uploaded.length > 0 && (
            <Findings
              title={`Uploaded but not released: ${newest} (released: ${released})`}
              findings={uploaded}
              empty=""
            />
          )}
        </>
      ) : (
        <div>
          <h4>What would change for users</h4>
          {changes.length === 0 && <p class="quiet">Nothing changes for users.</p>}
          <ul class="plain stack tight changes">
            {changes.map(({ class: kind, subject, message }) => (
              <li key={`${subject} ${message}`} class="row">
                <Pill tone={TONES[kind]}>{kind}</Pill>
                <span class="wrap">
                  <strong>{subject}</strong> {message}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

export function Findings({
  title,
  findings,
  empty,
}: {
  title: string;
  findings: readonly string[];
  empty: string;
}) {
  return (
    <div>
      <h4>{title}</h4>
      {findings.length === 0 && <p class="quiet">{empty}</p>}
      <ul>
        {findings.map((finding) => (
          <li key={finding} class="wrap">
            {finding}
          </li>
        ))}
      </ul>
    </div>
  );
}
