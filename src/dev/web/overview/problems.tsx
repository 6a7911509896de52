import { useState } from "preact/hooks";
import type { IssueView, PackView } from "../../wire/pack.ts";
import { findFailure, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { CodeFrame, FailureNotice } from "../parts/failure-notice.tsx";
import { countText } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { groupIssues, type IssueGroup } from "./group-issues.ts";

/** What is wrong with the Pack, by file. */
export function Problems({ pack }: { pack: PackView }) {
  const { failure, issues, status, isStale } = pack;
  return (
    <div class="stack" aria-live="polite">
      {failure !== undefined && issues.length === 0 && <FailureNotice failure={failure} />}
      {status === "missing" && (
        <div class="notice bad">
          <p class="title">The file {pack.file} was not found.</p>
          <p class="hint">
            The file was moved, renamed or deleted. Restore it, and this page continues.
          </p>
        </div>
      )}
      {issues.length > 0 && status !== "missing" && (
        <ProblemFiles issues={issues} revision={pack.revision} />
      )}
      {isStale && pack.canRun && (
        <p class="quiet">
          You can still run the last version without errors, which is shown below.
        </p>
      )}
    </div>
  );
}

/** With more problems than this, only the first file is open at first. */
const OPEN_AT_MOST = 8;

function ProblemFiles({ issues, revision }: { issues: readonly IssueView[]; revision: number }) {
  return (
    <div class="stack tight">
      {groupIssues(issues).map((group, index) => (
        <ProblemFile
          key={group.file ?? ""}
          group={group}
          revision={revision}
          isOpenAtFirst={index === 0 || issues.length <= OPEN_AT_MOST}
        />
      ))}
    </div>
  );
}

function ProblemFile({
  group,
  revision,
  isOpenAtFirst,
}: {
  group: IssueGroup;
  revision: number;
  isOpenAtFirst: boolean;
}) {
  const { file, errors, warnings, issues } = group;
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <details
      class="problem-file"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <span class="mono wrap">{file ?? "Without a source position"}</span>
        {errors > 0 && <Pill tone="bad">{countText(errors, "error")}</Pill>}
        {warnings > 0 && <Pill tone="warn">{countText(warnings, "warning")}</Pill>}
      </summary>
      <ul class="plain stack tight">
        {issues.map(({ issue, index }) => (
          <Issue
            key={`${issue.code} ${issue.line}:${issue.column} ${issue.path}`}
            issue={issue}
            index={index}
            revision={revision}
          />
        ))}
      </ul>
    </details>
  );
}

function Issue({ issue, index, revision }: { issue: IssueView; index: number; revision: number }) {
  const { code, severity, message, hint, file, line, column, frame } = issue;
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isError = severity === "error";
  const place = `${file}:${line ?? 1}:${column ?? 1}`;
  const open = () => {
    setProblem(undefined);
    post("/api/issues/open", { issue: index, revision }).catch((error: unknown) =>
      setProblem(findFailure(error).message),
    );
  };
  return (
    <li class={`notice ${isError ? "bad" : "warn"}`}>
      <div class="row">
        <Pill tone={isError ? "bad" : "warn"}>{severity}</Pill>
        <span class="code">{code}</span>
        {file !== undefined && (
          <span class="end">
            <Button kind="plain" isSmall onClick={open} title="Open in the editor">
              <span class="mono">{place}</span>
            </Button>
          </span>
        )}
      </div>
      <p class="title">{message}</p>
      {hint !== "" && <p class="hint">{hint}</p>}
      {problem !== undefined && <p class="problem">{problem}</p>}
      <CodeFrame lines={frame} label={`Source at ${place}`} />
    </li>
  );
}
