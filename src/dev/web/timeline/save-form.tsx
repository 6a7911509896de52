import { useState } from "preact/hooks";
import type { SaveView, TimelineDetail } from "../../wire/timeline.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { countText } from "../parts/format.ts";
import { useAction } from "../use-server.ts";

type Kind = "test" | "cassette";

interface SaveFormProps {
  /** Where the server saves the run. */
  path: string;
  target: string;
  /** It runs again, and an action has its effects again. */
  isAction: boolean;
  suggested: NonNullable<TimelineDetail["suggested"]>;
}

/** Saves a run as a test or a cassette. Asks before it replaces files. */
export function SaveForm({ path, target, isAction, suggested }: SaveFormProps) {
  const [kind, setKind] = useState<Kind>();
  const [file, setFile] = useState("");
  const save = useAction<SaveView>();
  const open = (next: Kind) => {
    save.clear();
    setKind(next);
    setFile(suggested[next]);
  };
  const rename = (name: string) => {
    save.clear();
    setFile(name);
  };
  const send = (overwrites: boolean) => void save.run(() => post(path, { kind, file, overwrites }));
  const { answer } = save;
  return (
    <>
      <Button isSmall isPressed={kind === "test"} onClick={() => open("test")}>
        Save as test
      </Button>
      <Button isSmall isPressed={kind === "cassette"} onClick={() => open("cassette")}>
        Save as cassette
      </Button>
      {kind !== undefined && (
        <form
          class="save-form stack tight"
          onSubmit={(event) => {
            event.preventDefault();
            send(false);
          }}
        >
          <TextField label="File in the project folder" value={file} onValue={rename} required />
          <p class="quiet small">
            packsmith runs {target} again with the same arguments, and records the requests without
            secrets.
            {isAction && " This formula is an action, so it changes data again."}
          </p>
          <div class="row">
            <Button type="submit" kind="primary" isSmall isBusy={save.isBusy}>
              Run and save
            </Button>
            <Button isSmall onClick={() => setKind(undefined)}>
              Close
            </Button>
          </div>
          <div role="status">
            {answer?.written === true && (
              <p class={answer.failure === undefined ? "notice good small" : "notice warn small"}>
                Saved {answer.files.join(" and ")}, {countText(answer.requests, "request")}.
                {answer.failure !== undefined &&
                  ` The run failed. packsmith recorded the failure: ${answer.failure}`}
              </p>
            )}
          </div>
          {answer?.written === false && (
            <div class="notice warn small stack tight" role="alert">
              <p>
                {answer.exists.join(" and ")} already{" "}
                {answer.exists.length === 1 ? "exists" : "exist"}.
              </p>
              <div>
                <Button isSmall kind="danger" isBusy={save.isBusy} onClick={() => send(true)}>
                  Replace
                </Button>
              </div>
            </div>
          )}
          <FailureNotice failure={save.failure} />
        </form>
      )}
    </>
  );
}
