import type { PackView } from "../../wire/pack.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { Field, SelectField } from "../parts/field.tsx";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { Split } from "../parts/split.tsx";
import { useFirstProblem } from "../parts/use-first-problem.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ConnectHere } from "./connect-here.tsx";
import {
  commandLine,
  type FieldValue,
  initialGroup,
  initialValues,
  isNeeded,
  type Runnable,
} from "./form-values.ts";
import { Outcome } from "./outcome.tsx";
import { ParameterField } from "./parameter-field.tsx";
import { describeNeed } from "./run-state.ts";
import { isAction, type RunForm, useRunForm } from "./use-run-form.ts";

/**
 * The form of a formula or a table, and its result. The key of this component is the name of the
 * formula or table.
 */
export function RunPanel({ pack, runnable }: { pack: PackView; runnable: Runnable }) {
  const form = useRunForm(pack, runnable);
  const table = "columns" in runnable ? runnable : undefined;
  return (
    <Split
      name={table === undefined ? "run-form" : "run-table"}
      label="Width of the form"
      limits={FORM_WIDTHS}
      first={<Entry form={form} />}
      second={<Outcome pack={pack} table={table} control={form.control} />}
    />
  );
}

const FORM_WIDTHS = { initial: 480, least: 320, most: 900 };

function Entry({ form }: { form: RunForm }) {
  const { runnable, accounts, account, control, refusals } = form;
  const { names } = accounts;
  const element = useFirstProblem(refusals);
  return (
    <>
      <form
        ref={element}
        class="card stack"
        aria-label={runnable.name}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <Heading runnable={runnable} />
        <Parameters form={form} />
        {runnable.varargs.length > 0 && <RepeatedParameters form={form} />}
        {"columns" in runnable && runnable.isDynamic && <DynamicUrl form={form} />}
        {names.length > 1 && (
          <SelectField
            label="Account"
            value={account ?? "default"}
            onValue={form.chooseAccount}
            options={names.map((name) => [name, name] as const)}
          />
        )}
        <RunButtons form={form} />
      </form>
      {accounts.slot !== undefined && (
        <ConnectHere
          {...accounts}
          slot={accounts.slot}
          target={runnable.name}
          account={account ?? "default"}
          need={describeNeed(control.state)}
          onConnected={form.noteConnection}
        />
      )}
    </>
  );
}

function Heading({ runnable }: { runnable: Runnable }) {
  return (
    <div>
      <div class="row">
        <h3 class="mono wrap">
          <Name text={runnable.name} />
        </h3>
        {isAction(runnable) && <Pill tone="accent">action</Pill>}
        {"columns" in runnable && <Pill>table</Pill>}
        {"result" in runnable && runnable.result !== "" && <Pill>{runnable.result}</Pill>}
      </div>
      {runnable.description !== "" && (
        <p class="quiet wrap" dir="auto">
          {runnable.description}
        </p>
      )}
      {[...runnable.parameters, ...runnable.varargs].some(isNeeded) && (
        <p class="quiet small" aria-hidden="true">
          Fields with <span class="star">*</span> are required.
        </p>
      )}
    </div>
  );
}

function Parameters({ form }: { form: RunForm }) {
  const { runnable, values, change } = form;
  return runnable.parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values.named[parameter.name]}
      onValue={(value) =>
        change({ ...values, named: { ...values.named, [parameter.name]: value } })
      }
      problem={form.describeProblem(parameter.name)}
      choiceRequest={() => form.describeInputs({})}
    />
  ));
}

function RepeatedParameters({ form }: { form: RunForm }) {
  const { values, change } = form;
  const { varargs } = form.runnable;
  const setGroups = (repeated: Record<string, FieldValue>[]) => change({ ...values, repeated });
  return (
    <fieldset class="stack tight">
      <legend class="visually-hidden">Repeated parameters</legend>
      {values.repeated.map((group, index) => (
        <div class="repeated" key={index}>
          {varargs.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={group[parameter.name]}
              onValue={(value) =>
                setGroups(values.repeated.with(index, { ...group, [parameter.name]: value }))
              }
              problem={form.describeProblem(parameter.name, index)}
              choiceRequest={() => form.describeInputs(group)}
            />
          ))}
          <Button
            isSmall
            kind="plain"
            label={`Remove group ${index + 1}`}
            onClick={() => setGroups(values.repeated.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <span>
        <Button isSmall onClick={() => setGroups([...values.repeated, initialGroup(varargs)])}>
          Add {varargs.map(({ name }) => name).join(" and ")}
        </Button>
      </span>
    </fieldset>
  );
}

function DynamicUrl({ form }: { form: RunForm }) {
  return (
    <Field label="Dynamic URL" note="address of the table">
      {(control) => (
        <ChoiceField
          control={control}
          label="Dynamic URL"
          value={form.dynamicUrl}
          onValue={form.setDynamicUrl}
          choiceRequest={() => ({ ...form.describeInputs({}), parameter: "" })}
        />
      )}
    </Field>
  );
}

function RunButtons({ form }: { form: RunForm }) {
  const { pack, runnable, control, repeats, setRepeats, change } = form;
  const { run, isBusy } = control.state;
  // While a table is synced, its result has the buttons to pause and to stop.
  const isWaitingForFirstPage = isBusy && (run?.state !== "running" || run.pages === 0);
  return (
    <div class="row">
      <Button type="submit" kind="primary" isBusy={isWaitingForFirstPage} disabled={!pack.canRun}>
        {"columns" in runnable ? "Sync" : "Run"}
      </Button>
      {isWaitingForFirstPage && <Button onClick={control.cancel}>Stop</Button>}
      {!isAction(runnable) && (
        <label class="check small">
          <input
            type="checkbox"
            checked={repeats}
            onChange={(event) => setRepeats(event.currentTarget.checked)}
          />
          Run again after each save
        </label>
      )}
      <span class="row end">
        <Button isSmall kind="plain" onClick={() => change(initialValues(runnable))}>
          Clear
        </Button>
        <CopyButton text={() => writeCommand(form)}>Copy as command</CopyButton>
      </span>
    </div>
  );
}

function writeCommand({ pack, account, dynamicUrl, request }: RunForm): string {
  const { target, args } = request();
  return commandLine(pack.file, target, args, {
    "--account": account,
    "--dynamic-url": dynamicUrl,
  });
}
