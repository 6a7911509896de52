import { useState } from "preact/hooks";
import type { IssueView } from "../../wire/pack.ts";
import { failureOf, post } from "../api.ts";
import { Button } from "./button.tsx";
import { CodeFrame } from "./code-frame.tsx";
import { Pill } from "./pill.tsx";

/** What is wrong with the Pack, each with its place. */
export function IssueList({ issues, revision }: { issues: readonly IssueView[]; revision: number }) {
  return (
    <ul class="plain stack">
      {issues.map((issue, index) => (
        <Issue key={`${issue.code} ${issue.file}:${issue.line}:${issue.column}`} issue={issue} index={index} revision={revision} />
      ))}
    </ul>
  );
}

function Issue({ issue, index, revision }: { issue: IssueView; index: number; revision: number }) {
  const { code, severity, message, hint, file, line, column, frame } = issue;
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isError = severity === "error";
  const place = `${file}:${line ?? 1}:${column ?? 1}`;
  const open = () => {
    setProblem(undefined);
    post("/api/issues/open", { issue: index, revision }).catch((error: unknown) => setProblem(failureOf(error).message));
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
