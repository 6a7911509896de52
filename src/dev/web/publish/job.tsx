import type { PublishJobView } from "../../wire/publish.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { formatSize } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { useAction } from "../use-server.ts";

/** The upload or release that was started last: how far it is, and how it ended. */
export function Job({ job }: { job: PublishJobView }) {
  const { state, result, failure, issues } = job;
  return (
    <div class="stack tight">
      <div role="status">
        {state === "running" && <Progress job={job} />}
        {state === "done" && <p class="notice good">{result}</p>}
      </div>
      <FailureNotice failure={failure} />
      {issues.length > 0 && <Issues issues={issues} />}
    </div>
  );
}

function Progress({ job: { kind, sent } }: { job: PublishJobView }) {
  const stop = useAction();
  return (
    <div class="notice row">
      <span class="spinner" aria-hidden="true" />
      <span>{formatText(kind, sent)}</span>
      {sent !== undefined && (
        <progress max={sent.totalBytes} value={sent.bytes} aria-label="Sent bytes" />
      )}
      <span class="end">
        <Button
          isSmall
          isBusy={stop.isBusy}
          onClick={() => stop.run(() => post("/api/publish/stop"))}
        >
          Stop
        </Button>
      </span>
    </div>
  );
}

function formatText(kind: PublishJobView["kind"], sent: PublishJobView["sent"]): string {
  if (kind === "release") return "Releasing…";
  if (sent === undefined) return "Building and checking…";
  const size = `${formatSize(sent.bytes)} of ${formatSize(sent.totalBytes)}`;
  if (sent.attempt > 1) return `Sending again, attempt ${sent.attempt}: ${size}`;
  return sent.bytes === sent.totalBytes
    ? `Sent ${size}. The registry checks the Pack…`
    : `Sending ${size}`;
}

function Issues({ issues }: Pick<PublishJobView, "issues">) {
  return (
    <ul class="plain stack tight">
      {issues.map(({ code, severity, message, hint, file, line, column }) => (
        <li
          key={`${code} ${file}:${line}:${column} ${message}`}
          class={`notice ${severity === "error" ? "bad" : "warn"}`}
        >
          <p class="row">
            <Pill tone={severity === "error" ? "bad" : "warn"}>{severity}</Pill>
            <span class="code">{code}</span>
            {file !== undefined && (
              <span class="end mono small wrap">
                {file}:{line ?? 1}:{column ?? 1}
              </span>
            )}
          </p>
          <p class="title">{message}</p>
          {hint !== "" && <p class="hint">{hint}</p>}
        </li>
      ))}
    </ul>
  );
}
