import type { FormValues } from "./form-values.ts";

/** Inputs that survive a reload of the page. They stay in this tab, and values that look like secrets are not stored. */

const SECRET = /pass(word|phrase|code)|secret|token|credential|api_?key|private_?key/i;

/** Whether the name of a parameter suggests a secret, which must not be stored. */
export function isSecretParameter(name: string): boolean {
  return SECRET.test(name);
}

export function readInputs(file: string, target: string): FormValues | undefined {
  const kept = readKept(keyOf(file, target)) as Partial<FormValues> | undefined;
  if (typeof kept?.named !== "object" || !Array.isArray(kept.repeated)) return undefined;
  return { named: kept.named, repeated: kept.repeated };
}

export function keepInputs(file: string, target: string, { named, repeated }: FormValues): void {
  const open = (group: FormValues["named"]) => Object.fromEntries(Object.entries(group).filter(([name]) => !isSecretParameter(name)));
  writeKept(keyOf(file, target), { named: open(named), repeated: repeated.map(open) });
}

export function readSetting(name: string, otherwise: boolean): boolean {
  const kept = readKept(`packsmith.${name}`);
  return typeof kept === "boolean" ? kept : otherwise;
}

export function keepSetting(name: string, value: boolean): void {
  writeKept(`packsmith.${name}`, value);
}

function keyOf(file: string, target: string): string {
  return `packsmith.inputs ${file} ${target}`;
}

/** A browser may refuse storage. The page works without it. */
function readKept(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function writeKept(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
