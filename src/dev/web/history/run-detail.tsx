import { useMemo, useState } from "preact/hooks";
import type { HistoryDetail, HistoryRow } from "../../wire/history.ts";
import type { PackView } from "../../wire/pack.ts";
import type { RunView } from "../../wire/run.ts";
import { post } from "../api.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { DataGrid } from "../parts/data-grid.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { countText, formatDuration } from "../parts/format.ts";
import { Name } from "../parts/name.tsx";
import { linkTo } from "../route.ts";
import { argumentValues, commandLine } from "../run/form-values.ts";
import { keepInputs } from "../run/kept-inputs.ts";
import { Console, RunFailure, ValueResult } from "../run/result-panel.tsx";
import { listColumns } from "../run/rows-result.tsx";
import { SaveForm } from "../timeline/save-form.tsx";
import { useAction, useLive } from "../use-server.ts";
import { findEarlier } from "./filter-history.ts";
import { RunState } from "./run-list.tsx";

interface RunDetailProps {
  pack: PackView;
  rows: readonly HistoryRow[];
  id: string;
}

/** One run: what it was given, what it returned, and what can be done with it. */
export function RunDetail({ pack, rows, id }: RunDetailProps) {
  const { data, failure } = useLive<HistoryDetail>(
    `/api/history/${encodeURIComponent(id)}`,
    ({ type }) => type === "history",
  );
  if (data === undefined)
    return failure === undefined ? <p class="quiet">…</p> : <FailureNotice failure={failure} />;
  return (
    <>
      <section class="card stack" aria-label="Run">
        <Heading detail={data} />
        <Facts detail={data} />
        <Actions pack={pack} rows={rows} detail={data} />
      </section>
      <section class="card stack tight" aria-label="Result">
        <header>
          <h3>Result</h3>
          <span class="quiet small">{describeRows(data)}</span>
        </header>
        {renderResult(data)}
      </section>
      <Console logs={data.run.logs} />
    </>
  );
}

function Heading({ detail }: { detail: HistoryDetail }) {
  const { id, name, target } = detail;
  const [edited, setEdited] = useState<string>();
  const rename = useAction();
  const save = () =>
    void rename
      .run(() => post(`/api/history/${id}/name`, { name: edited }))
      .then((isDone) => isDone && setEdited(undefined));
  if (edited !== undefined)
    return (
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label="Name of this run" value={edited} onValue={setEdited} />
        <div class="row">
          <Button type="submit" kind="primary" isSmall isBusy={rename.isBusy}>
            Save name
          </Button>
          <Button isSmall onClick={() => setEdited(undefined)}>
            Cancel
          </Button>
        </div>
        <FailureNotice failure={rename.failure} />
      </form>
    );
  return (
    <div class="row">
      <h3 class={name === "" ? "mono wrap" : "wrap"} dir="auto">
        <Name text={name === "" ? target : name} />
      </h3>
      <RunState row={detail} />
      <span class="end">
        <Button isSmall onClick={() => setEdited(name)}>
          {name === "" ? "Name this run" : "Rename"}
        </Button>
      </span>
    </div>
  );
}

function Facts({ detail }: { detail: HistoryDetail }) {
  const { id, name, target, args, account, dynamicUrl, startedAtMs, durationMs, revision, state } =
    detail;
  const facts: [string, string][] = [
    ...(name === "" ? [] : [["Runs", target] as [string, string]]),
    ...(account === undefined ? [] : [["Account", account] as [string, string]]),
    ...(dynamicUrl === undefined ? [] : [["Dynamic URL", dynamicUrl] as [string, string]]),
    ["Started", new Date(startedAtMs).toLocaleString()],
    ...(state === "running" ? [] : [["Took", formatDuration(durationMs)] as [string, string]]),
    ["Build of the Pack", `number ${revision}`],
  ];
  return (
    <dl class="facts">
      {args.map(({ name, text }) => (
        <Fact key={`argument ${name}`} name={name} text={text === "" ? "empty" : text} isCode />
      ))}
      {facts.map(([name, text]) => (
        <Fact key={name} name={name} text={text} />
      ))}
      <dt>Requests</dt>
      <dd>
        {detail.sent.length === 0 ? (
          countText(detail.requests, "request")
        ) : (
          <a href={linkTo("timeline", id)}>{countText(detail.requests, "request")}</a>
        )}
      </dd>
    </dl>
  );
}

function Fact({ name, text, isCode }: { name: string; text: string; isCode?: boolean }) {
  return (
    <>
      <dt class={isCode === true ? "mono" : undefined}>{name}</dt>
      <dd class={isCode === true ? "mono" : undefined} dir="auto">
        {text}
      </dd>
    </>
  );
}

interface ActionsProps {
  pack: PackView;
  rows: readonly HistoryRow[];
  detail: HistoryDetail;
}

function Actions({ pack, rows, detail }: ActionsProps) {
  const { id, target, kind } = detail;
  const again = useAction<{ id: string }>();
  const earlier = findEarlier(rows, detail);
  const runnable = [...pack.formulas, ...pack.tables].find(({ name }) => name === target);
  const runAgain = () =>
    void again.run(async () => {
      const run = await post<{ id: string }>(`/api/history/${id}/again`);
      location.hash = linkTo("history", run.id);
      return run;
    });
  const edit = () => {
    if (runnable === undefined) return;
    keepInputs(pack.file, target, argumentValues(runnable, detail.args));
    location.hash = linkTo("run", target);
  };
  return (
    <div class="stack tight">
      <div class="row">
        <Button
          kind="primary"
          isSmall
          isBusy={again.isBusy}
          disabled={!pack.canRun}
          onClick={runAgain}
        >
          Run again
        </Button>
        {runnable !== undefined && (
          <Button isSmall onClick={edit}>
            Edit and run
          </Button>
        )}
        {earlier !== undefined && (
          <a class="button small" href={linkTo("history", earlier.id, id)}>
            Compare with an earlier run
          </a>
        )}
        <CopyButton text={() => writeCommand(pack, detail)}>Copy as command</CopyButton>
        {kind !== "tool" && (
          <SaveForm
            path={`/api/history/${id}/save`}
            target={target}
            isAction={kind === "action"}
            suggested={detail.suggested}
          />
        )}
      </div>
      {kind === "action" && (
        <p class="quiet small">This formula is an action. A second run changes data again.</p>
      )}
      <FailureNotice failure={again.failure} />
    </div>
  );
}

/** The same run in a terminal. A secret is a variable that the user sets. */
function writeCommand(
  pack: PackView,
  { target, args, account, dynamicUrl }: HistoryDetail,
): string {
  const secrets = args.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const texts = args.map(({ text }) => text);
  const flags = { "--account": account, "--dynamic-url": dynamicUrl };
  return commandLine(pack.file, target, texts, flags).replaceAll("'••••'", () => {
    const name = secrets.shift() ?? "secret";
    return `"$${name
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .replace(/\W+/g, "_")
      .toUpperCase()}"`;
  });
}

function describeRows({ run }: HistoryDetail): string {
  if (run.kind !== "rows") return "";
  const kept = Array.isArray(run.value) ? run.value.length : 0;
  return kept < run.rowCount
    ? `the first ${kept} of ${countText(run.rowCount, "row")}`
    : countText(run.rowCount, "row");
}

function renderResult({ run }: HistoryDetail) {
  if (run.failure !== undefined) return <RunFailure failure={run.failure} run={run.id} />;
  if (run.state === "running" && run.value === undefined) return <p class="quiet">Running…</p>;
  if (run.kind === "rows") return <KeptRows run={run} />;
  return <ValueResult run={run} />;
}

function KeptRows({ run }: { run: RunView }) {
  const rows = Array.isArray(run.value) ? run.value : [];
  const columns = useMemo(() => listColumns(run), [run]);
  if (rows.length === 0) return <p class="quiet">There are no rows.</p>;
  return (
    <DataGrid
      label={`Rows of ${run.target}`}
      columns={columns}
      rowCount={rows.length}
      source={{ row: (index) => rows[index] as unknown, show() {}, replace() {} }}
    />
  );
}
