import { useState } from "preact/hooks";
import type { McpToolView } from "../../wire/mcp.ts";
import type { PackView } from "../../wire/pack.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Pill, Tabs } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { Split } from "../parts/split.tsx";
import { useFirstProblem } from "../parts/use-first-problem.ts";
import { ConnectHere } from "../run/connect-here.tsx";
import { commandLine } from "../run/form-values.ts";
import { keepInputs, readInputs } from "../run/kept-inputs.ts";
import { describeNeed } from "../run/run-state.ts";
import { type RunAccounts, useRun } from "../run/use-run.ts";
import { EFFECTS } from "./effects.ts";
import { ToolField } from "./tool-field.tsx";
import { ToolOutcome } from "./tool-outcome.tsx";
import {
  initialToolValues,
  parseObject,
  readToolArguments,
  type ToolValues,
  textFor,
  withOtherFields,
  writeToolValues,
} from "./tool-values.ts";

interface ToolPanelProps {
  pack: PackView;
  tool: McpToolView;
  accounts: RunAccounts;
  /** Undefined for the account "default". */
  account: string | undefined;
}

/**
 * The arguments of a tool, as a form or as JSON, and the result of a call. The key of this
 * component is the name of the tool.
 */
export function ToolPanel({ pack, tool, accounts, account }: ToolPanelProps) {
  const target = `Mcp:call:${tool.name}`;
  const inputs = useToolInputs(pack.file, target, tool);
  const control = useRun();
  const call = (): void => {
    const args = inputs.submit();
    if (args !== undefined) control.start({ target, args: [JSON.stringify(args)], account });
  };
  const entry = (
    <>
      <ToolForm
        tool={tool}
        inputs={inputs}
        canRun={pack.canRun}
        isBusy={control.state.isBusy}
        onCall={call}
        onStop={control.cancel}
        command={() =>
          commandLine(pack.file, target, [JSON.stringify(inputs.args ?? inputs.value)], {
            "--account": account,
          })
        }
      />
      {accounts.slot !== undefined && (
        <ConnectHere
          {...accounts}
          slot={accounts.slot}
          target={tool.name}
          account={account ?? "default"}
          need={describeNeed(control.state)}
          onConnected={() => {
            control.note({ type: "connected" });
            call();
          }}
        />
      )}
    </>
  );
  return (
    <Split
      name="run-form"
      label="Width of the form"
      limits={FORM_WIDTHS}
      first={entry}
      second={<ToolOutcome tool={tool} target={target} state={control.state} />}
    />
  );
}

/** What the user enters: the fields of a form, or one text of JSON. */
function useToolInputs(file: string, target: string, tool: McpToolView) {
  const [values, setValues] = useState<ToolValues>(
    () => keptValues(file, target) ?? initialToolValues(tool.fields),
  );
  // The arguments as JSON, while they are edited in this form.
  const [json, setJson] = useState<string | undefined>(undefined);
  // Problems are marked after the first attempt to call.
  const [refusals, setRefusals] = useState(0);
  const fields = withOtherFields(tool.fields, values);
  const { value, problems } = readToolArguments(fields, values);
  const shown = json === undefined ? "form" : "json";
  const typed = json === undefined ? undefined : parseObject(json);
  const args = json === undefined ? (problems.size === 0 ? value : undefined) : typed;
  const change = (next: ToolValues): void => {
    setValues(next);
    keepInputs(file, target, { named: next, repeated: [] });
  };
  return {
    values,
    change,
    json,
    setJson,
    shown,
    fields,
    /** What the fields contain. */
    value,
    problems,
    /** What a call sends; undefined while something is wrong. */
    args,
    /** How often a call or a change of the form was refused. */
    refusals,
    show(as: "form" | "json"): void {
      if (as === shown) return;
      const isLost =
        as === "form"
          ? typed === undefined
          : [...problems.keys()].some((name) => textFor(name, values) !== "");
      setRefusals(isLost ? refusals + 1 : 0);
      if (isLost) return;
      setJson(as === "json" ? JSON.stringify(value, undefined, 2) : undefined);
      if (typed !== undefined) change(writeToolValues(tool.fields, typed));
    },
    clear(): void {
      setRefusals(0);
      setJson(undefined);
      change(initialToolValues(tool.fields));
    },
    /** @returns the arguments; undefined marks what is wrong */
    submit() {
      setRefusals(args === undefined ? refusals + 1 : 0);
      return args;
    },
  } as const;
}

interface ToolFormProps {
  tool: McpToolView;
  inputs: ReturnType<typeof useToolInputs>;
  canRun: boolean;
  isBusy: boolean;
  onCall: () => void;
  onStop: () => void;
  /** The call as a command line. */
  command: () => string;
}

function ToolForm({ tool, inputs, canRun, isBusy, onCall, onStop, command }: ToolFormProps) {
  const { fields, values, change, json, setJson, shown, problems, args, refusals } = inputs;
  const form = useFirstProblem(refusals);
  return (
    <form
      ref={form}
      class="card stack"
      aria-label={tool.name}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onCall();
      }}
    >
      <ToolTitle tool={tool} />
      <Tabs label="Arguments" tabs={FORMS} current={shown} onPick={inputs.show}>
        {json === undefined ? (
          <div class="stack">
            {fields.length === 0 && <p class="quiet">The tool has no arguments.</p>}
            {fields.map((field) => (
              <ToolField
                key={field.name}
                field={field}
                value={textFor(field.name, values)}
                onValue={(text) => change({ ...values, [field.name]: text })}
                problem={refusals > 0 ? problems.get(field.name) : undefined}
              />
            ))}
          </div>
        ) : (
          <JsonField json={json} setJson={setJson} isRefused={refusals > 0 && args === undefined} />
        )}
      </Tabs>
      <div class="row">
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={!canRun}>
          Call
        </Button>
        {isBusy && <Button onClick={onStop}>Stop</Button>}
        <span class="row end">
          <Button isSmall kind="plain" onClick={inputs.clear}>
            Clear
          </Button>
          <CopyButton text={command}>Copy as command</CopyButton>
        </span>
      </div>
      <details>
        <summary>Input schema</summary>
        <pre class="block" tabIndex={0} role="region" aria-label="Input schema">
          {JSON.stringify(tool.inputSchema, undefined, 2)}
        </pre>
      </details>
    </form>
  );
}

function ToolTitle({ tool }: Pick<ToolFormProps, "tool">) {
  return (
    <div class="stack tight">
      <div class="row">
        <h3 class="mono wrap">
          <Name text={tool.name} />
        </h3>
        {tool.effect !== undefined && (
          <Pill tone={EFFECTS[tool.effect][1]}>{EFFECTS[tool.effect][0]}</Pill>
        )}
      </div>
      {tool.title !== undefined && <p class="wrap">{tool.title}</p>}
      {tool.description !== "" && <p class="quiet wrap lines">{tool.description}</p>}
    </div>
  );
}

interface JsonFieldProps {
  json: string;
  setJson: (json: string) => void;
  isRefused: boolean;
}

function JsonField({ json, setJson, isRefused }: JsonFieldProps) {
  return (
    <Field
      label="Arguments as JSON"
      problem={isRefused ? 'Enter a JSON object, such as {"name": "value"}.' : undefined}
    >
      {(attributes) => (
        <textarea
          {...attributes}
          class="input tall mono"
          rows={8}
          spellcheck={false}
          value={json}
          onInput={(event) => setJson(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

const FORMS = [
  ["form", "Form"],
  ["json", "JSON"],
] as const;
const FORM_WIDTHS = { initial: 480, least: 320, most: 900 };

/**
 * What was entered before a reload. The schema may have changed: other arguments are shown as JSON.
 */
function keptValues(file: string, target: string): ToolValues | undefined {
  const kept = readInputs(file, target)?.named;
  if (kept === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
