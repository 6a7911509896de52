import { useState } from "preact/hooks";
import type { ReleaseChangesView } from "../../wire/publish.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Dialog } from "../parts/layout.tsx";
import { useLive } from "../use-server.ts";
import { Findings } from "./source.tsx";

interface ReleaseDialogProps {
  version: string;
  released: string | undefined;
  onRelease: (notes: string) => void;
  onClose: () => void;
}

/** Asks before users get another version, and says what changes for them. */
export function ReleaseDialog({ version, released, onRelease, onClose }: ReleaseDialogProps) {
  const [notes, setNotes] = useState("");
  return (
    <Dialog title={`Release ${version}?`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRelease(notes);
        }}
      >
        <p>
          {released === undefined
            ? "Users have no version yet."
            : `All users will be updated from ${released} to ${version}.`}{" "}
          To release an older version again, packsmith uploads its source from git as a new version.
        </p>
        {released !== undefined && <Changes from={released} to={version} />}
        <TextField label="Notes for users" value={notes} onValue={setNotes} />
        <div class="row">
          <Button kind="primary" type="submit">
            Release to users
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Changes({ from, to }: { from: string; to: string }) {
  const path = `/api/publish/changes?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
  const { data, failure } = useLive<ReleaseChangesView>(path, () => false);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (data === undefined) return <p class="quiet">Comparing the versions…</p>;
  return (
    <Findings title="What changes" findings={data.findings} empty="The definition is the same." />
  );
}
