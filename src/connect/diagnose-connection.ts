import { PackError } from "../errors.ts";
import type { LoadedPack } from "../load/load-pack.ts";
import { diagnose } from "../oauth/diagnosis.ts";
import { createLocator } from "../validate/positions.ts";

/** Adds to a failed connection what it is about: the clause of the standard, and the line of the definition. */
export type ConnectionDiagnosis = (error: PackError) => PackError;

/** @param path where the Pack's definition holds the authentication, such as `["defaultAuthentication"]` */
export function createConnectionDiagnosis({ definition, bundle }: LoadedPack, path: readonly (string | number)[]): ConnectionDiagnosis {
  return (error) => {
    const diagnosis = error.place === undefined ? diagnose(error) : undefined;
    if (diagnosis === undefined) return error;
    const { position } = createLocator(definition, bundle.sources);
    const place = position(diagnosis.member === undefined ? [...path] : [...path, diagnosis.member]);
    const { code, message, details, hint, cause, stack } = error;
    const diagnosed = new PackError(code, message, { details, hint: diagnosis.hint ?? hint, rule: diagnosis.rule, place, cause });
    // Where it was thrown first is what --debug is for.
    if (stack !== undefined) diagnosed.stack = stack;
    return diagnosed;
  };
}
