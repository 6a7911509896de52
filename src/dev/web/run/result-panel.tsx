import { useState } from "preact/hooks";
import type { RunFailureView, RunView } from "../../wire/run.ts";
import { findFailure, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { CodeFrame, FailureNotice } from "../parts/failure-notice.tsx";
import { countText } from "../parts/format.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { Pill } from "../parts/layout.tsx";
import { ValueView } from "../parts/value-view.tsx";
import { linkTo } from "../route.ts";

/** The result of a formula, as its schema describes it or as data. */
export function ValueResult({ run }: { run: RunView }) {
  const [isData, setIsData] = useState(false);
  if (run.excerpt !== undefined) {
    return (
      <div class="stack tight">
        <p class="quiet">The result is too long to show in full. It starts with:</p>
        <pre class="block">{run.excerpt}…</pre>
      </div>
    );
  }
  return (
    <div class="stack tight">
      {isData ? (
        <JsonTree value={run.value} />
      ) : (
        <ValueView value={run.value} schema={run.schema} run={run.id} />
      )}
      <div class="row">
        <Button isSmall kind="plain" isPressed={isData} onClick={() => setIsData(!isData)}>
          {isData ? "Show as in a document" : "Show as data"}
        </Button>
      </div>
    </div>
  );
}

/** Why a run failed, with the source around it. */
export function RunFailure({ failure, run }: { failure: RunFailureView; run: string }) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const open = (frame: number) => {
    setProblem(undefined);
    post("/api/stack/open", { run, frame }).catch((error: unknown) =>
      setProblem(findFailure(error).message),
    );
  };
  const [first] = failure.stack;
  return (
    <FailureNotice failure={failure}>
      <CodeFrame
        lines={failure.frame}
        label={
          first === undefined ? "Source" : `Source at ${first.file}:${first.line}:${first.column}`
        }
      />
      {failure.stack.length > 0 && (
        <ul class="plain stack-frames" aria-label="Stack trace">
          {failure.stack.map(({ text, file }, index) => (
            <li key={text}>
              {file === undefined ? (
                <span class="mono quiet small">{text}</span>
              ) : (
                <Button kind="plain" isSmall title="Open in the editor" onClick={() => open(index)}>
                  <span class="mono">{text}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && <p class="problem">{problem}</p>}
    </FailureNotice>
  );
}

const TONES = { error: "bad", warn: "warn" } as const;

/** What the Pack wrote to the console. */
export function Console({ logs }: { logs: RunView["logs"] }) {
  if (logs.length === 0) return null;
  return (
    <section class="card" aria-label="Console">
      <header>
        <h3>Console</h3>
        <span class="quiet small">{logs.length}</span>
      </header>
      <ol class="plain console">
        {logs.map(({ level, message }, index) => (
          <li key={index}>
            <Pill tone={level === "error" || level === "warn" ? TONES[level] : "neutral"}>
              {level}
            </Pill>
            <span class="mono wrap" dir="auto">
              {message}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** How long the run took, and how many requests it sent. */
export function RunFacts({ run }: { run: Pick<RunView, "id" | "requests" | "durationMs"> }) {
  return (
    <span class="quiet small">
      {Math.round(run.durationMs)} ms
      {run.requests > 0 && (
        <>
          {" · "}
          <a href={linkTo("timeline", run.id)}>{countText(run.requests, "request")}</a>
        </>
      )}
    </span>
  );
}
