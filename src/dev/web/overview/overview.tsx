import type { ComponentChildren } from "preact";
import type {
  AuthenticationView,
  FormatView,
  FormulaView,
  PackView,
  ParameterView,
  SkillView,
  TableView,
} from "../../wire/pack.ts";
import { countText } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { PACK_STATUS } from "../parts/pack-status.ts";
import { linkTo, type ViewProps } from "../route.ts";
import { Problems } from "./problems.tsx";

/** More formulas than this are shown in columns, below the other parts. */
const MANY_FORMULAS = 16;

/** The Pack at a glance: its problems and its parts. */
export function Overview({ pack }: ViewProps) {
  const isMany = pack.formulas.length > MANY_FORMULAS;
  const formulas = (
    <Section
      title="Formulas"
      items={pack.formulas}
      render={formula}
      none="Add a formula with pack.addFormula."
    />
  );
  return (
    <div class="view stack">
      <header>
        <h2>{pack.name}</h2>
        {pack.version !== undefined && <span class="quiet">version {pack.version}</span>}
        <span class="aside quiet small">{formatSummary(pack)}</span>
      </header>
      <Problems pack={pack} />
      {isMany ? (
        <div class="stack many-formulas">
          <Others pack={pack} />
          {formulas}
        </div>
      ) : (
        <div class="columns">
          {formulas}
          <Others pack={pack} />
        </div>
      )}
    </div>
  );
}

/** Everything but the formulas. */
function Others({ pack }: Pick<ViewProps, "pack">) {
  return (
    <div class="stack others">
      <Section
        title="Sync tables"
        items={pack.tables}
        render={table}
        none="Add a table with pack.addSyncTable."
      />
      <Section
        title="Accounts"
        items={pack.authentications}
        render={authentication}
        none="The Pack has no authentication, so requests contain no credentials. Add authentication with pack.setUserAuthentication."
      />
      <Domains domains={pack.domains} />
      {pack.mcpServer !== undefined && (
        <Section title="MCP server" items={[pack.mcpServer]} render={mcpServer} none="" />
      )}
      {pack.formats.length > 0 && (
        <Section title="Column formats" items={pack.formats} render={format} none="" />
      )}
      {pack.skills.length > 0 && (
        <Section title="Skills" items={pack.skills} render={skill} none="" />
      )}
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

function Section<Item extends { name: string } | { slot: string }>({
  title,
  items,
  render,
  none,
}: SectionProps<Item>) {
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

function formula({
  name,
  description,
  parameters,
  varargs,
  result,
  isAction,
  connection,
}: FormulaView) {
  const texts = [
    ...parameters.map(parameterText),
    ...varargs.map((parameter) => `…${parameter.name}`),
  ];
  return (
    <>
      <div class="row">
        <a class="signature mono wrap" href={linkTo("run", name)}>
          <span class="name">
            <Name text={name} />
          </span>
          <span class="parameters">
            {texts.length === 0 && "()"}
            {texts.map((text, index) => (
              <span
                key={text}
              >{`${index === 0 ? "(" : ""}${text}${index < texts.length - 1 ? ", " : ")"}`}</span>
            ))}
          </span>
        </a>
        <span class="row end">
          {isAction && <Pill tone="accent">action</Pill>}
          {connection !== "none" && (
            <Pill>{connection === "required" ? "account" : "optional account"}</Pill>
          )}
          {result !== "" && <Pill>{result}</Pill>}
        </span>
      </div>
      <p class="quiet small wrap" dir="auto">
        {description}
      </p>
    </>
  );
}

function parameterText({ name, isOptional }: ParameterView): string {
  return isOptional ? `${name}?` : name;
}

function table({ name, description, columns, isDynamic, isTwoWay }: TableView) {
  return (
    <>
      <div class="row">
        <a class="mono wrap" href={linkTo("run", name)}>
          <Name text={name} />
        </a>
        <span class="row end">
          {isDynamic && <Pill tone="accent">dynamic</Pill>}
          {isTwoWay && <Pill tone="accent">two-way</Pill>}
          <Pill>{countText(columns.length, "column")}</Pill>
        </span>
      </div>
      <p class="quiet small wrap" dir="auto">
        {description}
      </p>
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
        <dl class="facts small">
          {facts.map(([name, value]) => [
            <dt key={`${name} name`}>{name}</dt>,
            <dd key={name}>
              <Name text={value} />
            </dd>,
          ])}
        </dl>
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
        <p class="quiet">
          The Pack does not declare a domain, so packsmith refuses every request. Declare one with
          pack.addNetworkDomain.
        </p>
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

function mcpServer({ name, endpointUrl }: NonNullable<PackView["mcpServer"]>) {
  return (
    <>
      <a href={linkTo("mcp")}>{name}</a>
      <p class="quiet small mono wrap">{endpointUrl}</p>
    </>
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
      {instructions !== undefined && (
        <p class="quiet small wrap" dir="auto">
          {instructions}
        </p>
      )}
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
      <p class="quiet small wrap" dir="auto">
        {description}
      </p>
    </>
  );
}

function formatSummary({ formulas, tables, durationMs, status }: PackView): string {
  const outcome =
    status === "ready"
      ? `built in ${Math.max(1, Math.round(durationMs))} ms`
      : PACK_STATUS[status][1];
  return `${countText(formulas.length, "formula")}, ${countText(tables.length, "table")} · ${outcome}`;
}
