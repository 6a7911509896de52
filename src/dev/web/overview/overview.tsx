import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { AuthenticationView, FormatView, FormulaView, IssueView, PackView, SkillView, TableView } from "../../wire/pack.ts";
import { failureOf, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { CodeFrame, FailureNotice } from "../parts/failure-notice.tsx";
import { Pill } from "../parts/layout.tsx";
import { linkTo, type ViewProps } from "../route.ts";

/** The Pack at a glance: its problems and its parts. */
export function Overview({ pack }: ViewProps) {
  return (
    <div class="view stack">
      <header>
        <h2>{pack.name}</h2>
        {pack.version !== undefined && <span class="quiet">version {pack.version}</span>}
        <span class="aside quiet small">{summaryOf(pack)}</span>
      </header>
      <Problems pack={pack} />
      <div class="columns">
        <Section title="Formulas" items={pack.formulas} render={formula} none="Add one with pack.addFormula." />
        <div class="stack">
          <Section title="Sync tables" items={pack.tables} render={table} none="Add one with pack.addSyncTable." />
          <Section
            title="Accounts"
            items={pack.authentications}
            render={authentication}
            none="Requests carry no credentials. Declare them with pack.setUserAuthentication."
          />
          <Domains domains={pack.domains} />
          {pack.formats.length > 0 && <Section title="Column formats" items={pack.formats} render={format} none="" />}
          {pack.skills.length > 0 && <Section title="Skills" items={pack.skills} render={skill} none="" />}
        </div>
      </div>
    </div>
  );
}

function Problems({ pack }: { pack: PackView }) {
  const { failure, issues, status, isStale } = pack;
  return (
    <div class="stack" aria-live="polite">
      {failure !== undefined && issues.length === 0 && <FailureNotice failure={failure} />}
      {status === "missing" && (
        <div class="notice bad">
          <p class="title">The file {pack.file} was not found.</p>
          <p class="hint">It was moved, renamed or deleted. Put it back, and this page continues.</p>
        </div>
      )}
      {issues.length > 0 && status !== "missing" && <IssueList issues={issues} revision={pack.revision} />}
      {isStale && pack.canRun && <p class="quiet">Below you see the last version without errors. It still runs.</p>}
    </div>
  );
}

interface SectionProps<Item> {
  title: string;
  items: readonly Item[];
  render: (item: Item) => ComponentChildren;
  /** Shown when there are no items: what to do next. */
  none: string;
}

function Section<Item extends { name: string } | { slot: string }>({ title, items, render, none }: SectionProps<Item>) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="quiet small">{items.length > 0 ? items.length : ""}</span>
      </header>
      {items.length === 0 ? (
        <p class="quiet">None. {none}</p>
      ) : (
        <ul class="list">
          {items.map((item) => (
            <li key={"name" in item ? item.name : item.slot}>{render(item)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function formula({ name, description, parameters, result, isAction, connection }: FormulaView) {
  return (
    <>
      <div class="row">
        <a class="mono wrap" href={linkTo("run", name)}>
          {name}({parameters.map((parameter) => parameter.name + (parameter.isOptional ? "?" : "")).join(", ")})
        </a>
        <span class="row end">
          {isAction && <Pill tone="accent">action</Pill>}
          {connection !== "none" && <Pill>{connection === "required" ? "account" : "optional account"}</Pill>}
          <Pill>{result}</Pill>
        </span>
      </div>
      <p class="quiet small wrap">{description}</p>
    </>
  );
}

function table({ name, description, columns, isDynamic, isTwoWay }: TableView) {
  return (
    <>
      <div class="row">
        <a class="mono wrap" href={linkTo("run", name)}>
          {name}
        </a>
        <span class="row end">
          {isDynamic && <Pill tone="accent">dynamic</Pill>}
          {isTwoWay && <Pill tone="accent">two-way</Pill>}
          <Pill>
            {columns.length} column{columns.length === 1 ? "" : "s"}
          </Pill>
        </span>
      </div>
      <p class="quiet small wrap">{description}</p>
    </>
  );
}

const SLOTS: Readonly<Record<string, string>> = { user: "Each user", system: "The Pack itself" };

function authentication({ slot, type, facts }: AuthenticationView) {
  return (
    <>
      <div class="row">
        <a href={linkTo("accounts")}>{SLOTS[slot] ?? slot.replace("admin:", "Administrator: ")}</a>
        <span class="end">
          <Pill>{type}</Pill>
        </span>
      </div>
      {facts.length > 0 && (
        <dl class="facts small">{facts.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}</dl>
      )}
    </>
  );
}

function Domains({ domains }: { domains: readonly string[] }) {
  return (
    <section class="card" aria-label="Network domains">
      <header>
        <h3>Network domains</h3>
      </header>
      {domains.length === 0 ? (
        <p class="quiet">None. Every request is refused. Allow one with pack.addNetworkDomain.</p>
      ) : (
        <ul class="plain row">
          {domains.map((domain) => (
            <li key={domain}>
              <Pill>
                <span class="mono">{domain}</span>
              </Pill>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function format({ name, formula: shownBy, instructions, matchers }: FormatView) {
  return (
    <>
      <div class="row">
        <strong>{name}</strong>
        <a class="mono end" href={linkTo("run", shownBy)}>
          {shownBy}
        </a>
      </div>
      {instructions !== undefined && <p class="quiet small wrap">{instructions}</p>}
      {matchers.length > 0 && <p class="small mono wrap">{matchers.join("  ")}</p>}
    </>
  );
}

function skill({ name, displayName, description, tools }: SkillView) {
  return (
    <>
      <div class="row">
        <strong>{displayName}</strong>
        <span class="mono quiet small">{name}</span>
        <span class="row end">
          {tools.map((tool) => (
            <Pill key={tool}>{tool}</Pill>
          ))}
        </span>
      </div>
      <p class="quiet small wrap">{description}</p>
    </>
  );
}

function summaryOf({ formulas, tables, durationMs }: PackView): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  return `${count(formulas.length, "formula")}, ${count(tables.length, "table")} · built in ${Math.max(1, Math.round(durationMs))} ms`;
}

/** The problems of the Pack, each with its source. */
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
