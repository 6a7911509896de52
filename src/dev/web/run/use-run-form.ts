import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PackView } from "../../wire/pack.ts";
import type { RunRequest } from "../../wire/run.ts";
import { keepSetting, readSetting } from "../parts/stored.ts";
import {
  emptyFields,
  type FieldValue,
  type FormValues,
  fieldKey,
  fittingValues,
  initialValues,
  type Runnable,
  toArguments,
  valuesByName,
} from "./form-values.ts";
import { keepInputs, readInputs } from "./kept-inputs.ts";
import { type RunState, startsNow } from "./run-state.ts";
import {
  chosenAccount,
  type RunAccounts,
  type RunControl,
  useRun,
  useRunAccounts,
} from "./use-run.ts";

/** The form of a formula or a table: what the user entered, and the run that it starts. */
export interface RunForm {
  pack: PackView;
  runnable: Runnable;
  values: FormValues;
  change(values: FormValues): void;
  dynamicUrl: string;
  setDynamicUrl(url: string): void;
  accounts: RunAccounts;
  /** Name of the account that runs use; undefined for the account "default". */
  account: string | undefined;
  chooseAccount(name: string): void;
  /** Whether a save of the Pack runs it again. */
  repeats: boolean;
  setRepeats(repeats: boolean): void;
  /** How often the user tried to run with empty fields since the last run. */
  refusals: number;
  control: RunControl;
  request(): RunRequest;
  submit(): void;
  /** An account was connected next to the form. A run that needs it starts. */
  noteConnection(): void;
  /** What is wrong with a field. @param group index of the repetition that the field belongs to */
  describeProblem(name: string, group?: number): string | undefined;
  /** What a function that finds choices gets. */
  describeInputs(group: Record<string, FieldValue>): ChoiceInputs;
}

export interface ChoiceInputs {
  of: string;
  values: ReturnType<typeof valuesByName>;
  account: string | undefined;
}

export function useRunForm(pack: PackView, runnable: Runnable): RunForm {
  const { values, change } = useKeptValues(pack, runnable);
  const [picked, chooseAccount] = useState("");
  const [dynamicUrl, setDynamicUrl] = useState("");
  const { repeats, setRepeats } = useRepeats();
  const accounts = useRunAccounts(runnable.connection);
  const account = chosenAccount(accounts, picked);
  const control = useRun();
  const [refusals, setRefusals] = useState(0);
  const ranRevision = useRef<number | undefined>(undefined);
  const empty = emptyFields(runnable, values);
  const { state, note } = control;

  const request = (): RunRequest => ({
    target: runnable.name,
    args: toArguments(runnable, values),
    account,
    dynamicUrl: dynamicUrl || undefined,
  });
  const start = (): void => {
    setRefusals(0);
    ranRevision.current = pack.revision;
    control.start(request());
  };
  useEffect(() => {
    const ran = ranRevision.current;
    const isNewer = ran !== undefined && ran !== pack.revision;
    const canRun = pack.status === "ready" && empty.size === 0 && !accounts.isMissing;
    // An action changes something outside, so only the user runs it again.
    if (repeats && !isAction(runnable) && isNewer && canRun) start();
  }, [pack.revision]);

  const known = knownAccounts(accounts);
  useLayoutEffect(() => note({ type: "accounts", accounts: known }), [known]);
  const isDue = startsNow(state);
  useLayoutEffect(() => {
    if (isDue) start();
  }, [isDue]);

  return {
    pack,
    runnable,
    values,
    change,
    dynamicUrl,
    setDynamicUrl,
    accounts,
    account,
    chooseAccount,
    repeats,
    setRepeats,
    refusals,
    control,
    request,
    submit() {
      if (empty.size > 0) setRefusals(refusals + 1);
      else note({ type: "asked" });
    },
    noteConnection: () => note({ type: "connected" }),
    describeProblem(name, group) {
      if (refusals > 0 && empty.has(fieldKey(name, group))) return `Enter a value for ${name}.`;
      const failure = state.run?.failure;
      return failure?.parameter === name ? failure.message : undefined;
    },
    describeInputs: (group) => ({
      of: runnable.name,
      values: {
        ...valuesByName(runnable.parameters, values.named),
        ...valuesByName(runnable.varargs, group),
      },
      account,
    }),
  };
}

function knownAccounts({ isLoaded, isMissing }: RunAccounts): RunState["accounts"] {
  return !isLoaded ? "unknown" : isMissing ? "missing" : "present";
}

export function isAction(runnable: Runnable): boolean {
  return "isAction" in runnable && runnable.isAction;
}

/** What the user entered, kept in this browser. The parameters may have changed with a save. */
function useKeptValues(pack: PackView, runnable: Runnable): Pick<RunForm, "values" | "change"> {
  const [kept, setKept] = useState<FormValues>(
    () => readInputs(pack.file, runnable.name) ?? initialValues(runnable),
  );
  return {
    values: fittingValues(kept, runnable),
    change(next) {
      setKept(next);
      keepInputs(pack.file, runnable.name, next);
    },
  };
}

function useRepeats(): Pick<RunForm, "repeats" | "setRepeats"> {
  const [repeats, set] = useState(() => readSetting<boolean>("repeat", true));
  return {
    repeats,
    setRepeats(next) {
      set(next);
      keepSetting("repeat", next);
    },
  };
}
