import { isSecretParameter } from "../../../shared/secret-parameter.ts";
import { readStored, store } from "../parts/stored.ts";
import type { FormValues } from "./form-values.ts";

/**
 * Inputs that survive a reload of the page. They stay in this tab, and values that look like
 * secrets are not stored.
 */

export function readInputs(file: string, target: string): FormValues | undefined {
  const kept = readStored(sessionStorage, createKey(file, target)) as
    | Partial<FormValues>
    | undefined;
  if (typeof kept?.named !== "object" || !Array.isArray(kept.repeated)) return undefined;
  return { named: kept.named, repeated: kept.repeated };
}

export function keepInputs(file: string, target: string, { named, repeated }: FormValues): void {
  const open = (group: FormValues["named"]) =>
    Object.fromEntries(Object.entries(group).filter(([name]) => !isSecretParameter(name)));
  store(sessionStorage, createKey(file, target), {
    named: open(named),
    repeated: repeated.map(open),
  });
}

function createKey(file: string, target: string): string {
  return `packsmith.inputs ${file} ${target}`;
}
