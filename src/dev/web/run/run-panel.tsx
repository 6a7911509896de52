import { useEffect, useRef, useState } from "preact/hooks";
import type { PackView } from "../../wire/pack.ts";
import type { RunRequest } from "../../wire/run.ts";
import { Button, CopyButton } from "../parts/button.tsx";
import { Field, SelectField } from "../parts/field.tsx";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { Split } from "../parts/split.tsx";
import { keepSetting, readSetting } from "../parts/stored.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ConnectHere, needsReconnection } from "./connect-here.tsx";
import {
  argumentsOf,
  commandLine,
  emptyFields,
  type FieldValue,
  type FormValues,
  fieldKey,
  fittingValues,
  initialGroup,
  initialValues,
  isNeeded,
  type Runnable,
  valuesByName,
} from "./form-values.ts";
import { keepInputs, readInputs } from "./kept-inputs.ts";
import { Outcome } from "./outcome.tsx";
import { ParameterField } from "./parameter-field.tsx";
import { chosenAccount, useRun, useRunAccounts } from "./use-run.ts";

/**
 * The form of a formula or a table, and its result. The key of this component is the name of the
 * formula or table.
 */
export function RunPanel({ pack, runnable }: { pack: PackView; runnable: Runnable }) {
  const table = "columns" in runnable ? runnable : undefined;
  const isAction = "isAction" in runnable && runnable.isAction;
  const [kept, setKept] = useState<FormValues>(
    () => readInputs(pack.file, runnable.name) ?? initialValues(runnable),
  );
  // The parameters may have changed with the latest save.
  const values = fittingValues(kept, runnable);
  const [account, setAccount] = useState("");
  const [dynamicUrl, setDynamicUrl] = useState("");
  const [repeats, setRepeats] = useState(() => readSetting<boolean>("repeat", true));
  const accounts = useRunAccounts(runnable.connection);
  const { names } = accounts;
  const chosen = chosenAccount(accounts, account);
  const control = useRun();
  const { run, isBusy } = control;
  const ranRevision = useRef<number | undefined>(undefined);
  const isRefused = needsReconnection(run?.failure);
  const form = useRef<HTMLFormElement>(null);
  const empty = emptyFields(runnable, values);
  // How often the user tried to run with empty fields since the last run: from the first time on,
  // they are marked.
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const change = (next: FormValues): void => {
    setKept(next);
    keepInputs(pack.file, runnable.name, next);
  };
  const setNamed = (name: string, value: FieldValue): void =>
    change({ ...values, named: { ...values.named, [name]: value } });
  const request = (): RunRequest => ({
    target: runnable.name,
    args: argumentsOf(runnable, values),
    account: chosen,
    dynamicUrl: dynamicUrl || undefined,
  });
  // The user chose Run, but no account can be used: the run starts when one is connected.
  const [waitsForAccount, setWaitsForAccount] = useState(false);
  const start = (): void => {
    setRefusals(0);
    setWaitsForAccount(false);
    ranRevision.current = pack.revision;
    control.start(request());
  };
  useEffect(() => {
    // An action changes something outside, so only the user runs it again.
    if (
      empty.size > 0 ||
      accounts.isMissing ||
      !repeats ||
      isAction ||
      pack.status !== "ready" ||
      ranRevision.current === undefined ||
      ranRevision.current === pack.revision
    )
      return;
    start();
  }, [pack.revision]);

  const choiceRequest = (group: Record<string, FieldValue>) => () => ({
    of: runnable.name,
    values: {
      ...valuesByName(runnable.parameters, values.named),
      ...valuesByName(runnable.varargs, group),
    },
    account: chosen,
  });
  const problemOf = (name: string, group?: number): string | undefined => {
    if (refusals > 0 && empty.has(fieldKey(name, group))) return `Enter a value for ${name}.`;
    return run?.failure?.parameter === name ? run.failure.message : undefined;
  };
  const entry = (
    <>
      <form
        ref={form}
        class="card stack"
        aria-label={runnable.name}
        onSubmit={(event) => {
          event.preventDefault();
          if (empty.size > 0) setRefusals(refusals + 1);
          else if (accounts.isMissing) setWaitsForAccount(true);
          else if (!isBusy) start();
        }}
      >
        <div>
          <div class="row">
            <h3 class="mono wrap">
              <Name text={runnable.name} />
            </h3>
            {isAction && <Pill tone="accent">action</Pill>}
            {table !== undefined && <Pill>table</Pill>}
            {table === undefined && "result" in runnable && <Pill>{runnable.result}</Pill>}
          </div>
          {runnable.description !== "" && <p class="quiet wrap">{runnable.description}</p>}
          {[...runnable.parameters, ...runnable.varargs].some(isNeeded) && (
            <p class="quiet small" aria-hidden="true">
              Fields with <span class="star">*</span> are required.
            </p>
          )}
        </div>
        {runnable.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values.named[parameter.name]}
            onValue={(value) => setNamed(parameter.name, value)}
            problem={problemOf(parameter.name)}
            choiceRequest={choiceRequest({})}
          />
        ))}
        {runnable.varargs.length > 0 && (
          <fieldset class="stack tight">
            <legend class="visually-hidden">Repeated parameters</legend>
            {values.repeated.map((group, index) => (
              <div class="repeated" key={index}>
                {runnable.varargs.map((parameter) => (
                  <ParameterField
                    key={parameter.name}
                    parameter={parameter}
                    value={group[parameter.name]}
                    onValue={(value) =>
                      change({
                        ...values,
                        repeated: values.repeated.with(index, {
                          ...group,
                          [parameter.name]: value,
                        }),
                      })
                    }
                    problem={problemOf(parameter.name, index)}
                    choiceRequest={choiceRequest(group)}
                  />
                ))}
                <Button
                  isSmall
                  kind="plain"
                  label={`Remove group ${index + 1}`}
                  onClick={() =>
                    change({ ...values, repeated: values.repeated.toSpliced(index, 1) })
                  }
                >
                  Remove
                </Button>
              </div>
            ))}
            <span>
              <Button
                isSmall
                onClick={() =>
                  change({
                    ...values,
                    repeated: [...values.repeated, initialGroup(runnable.varargs)],
                  })
                }
              >
                Add {runnable.varargs.map(({ name }) => name).join(" and ")}
              </Button>
            </span>
          </fieldset>
        )}
        {table?.isDynamic === true && (
          <Field label="Dynamic URL" note="address of the table">
            {(control) => (
              <ChoiceField
                control={control}
                label="Dynamic URL"
                value={dynamicUrl}
                onValue={setDynamicUrl}
                choiceRequest={() => ({ ...choiceRequest({})(), parameter: "" })}
              />
            )}
          </Field>
        )}
        {names.length > 1 && (
          <SelectField
            label="Account"
            value={chosen ?? "default"}
            onValue={setAccount}
            options={names.map((name) => [name, name] as const)}
          />
        )}
        <div class="row">
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy && (run?.state !== "running" || run.pages === 0)}
            disabled={!pack.canRun}
          >
            {table === undefined ? "Run" : "Sync"}
          </Button>
          {isBusy && (run === undefined || run.pages === 0 || run.state !== "running") && (
            <Button onClick={control.cancel}>Stop</Button>
          )}
          {!isAction && (
            <label class="check small">
              <input
                type="checkbox"
                checked={repeats}
                onChange={(event) => {
                  setRepeats(event.currentTarget.checked);
                  keepSetting("repeat", event.currentTarget.checked);
                }}
              />
              Run again after each save
            </label>
          )}
          <span class="row end">
            <Button isSmall kind="plain" onClick={() => change(initialValues(runnable))}>
              Clear
            </Button>
            <CopyButton
              text={() => {
                const { target, args } = request();
                return commandLine(pack.file, target, args, {
                  "--account": chosen,
                  "--dynamic-url": dynamicUrl,
                });
              }}
            >
              Copy as command
            </CopyButton>
          </span>
        </div>
      </form>
      {accounts.slot !== undefined && (
        <ConnectHere
          runId={run?.id}
          {...accounts}
          slot={accounts.slot}
          target={runnable.name}
          account={chosen ?? "default"}
          failure={run?.failure}
          isWaited={waitsForAccount}
          onConnected={() => {
            if (waitsForAccount || isRefused) start();
          }}
        />
      )}
    </>
  );
  return (
    <Split
      name={table === undefined ? "run-form" : "run-table"}
      label="Width of the form"
      limits={FORM_WIDTHS}
      first={entry}
      second={<Outcome pack={pack} table={table} control={control} />}
    />
  );
}

const FORM_WIDTHS = { initial: 480, least: 320, most: 900 };
