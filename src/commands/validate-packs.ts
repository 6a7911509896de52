import { eachPack, type PacksResult } from "./each-pack.ts";

export interface ValidateResult extends PacksResult {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
}

/** Checks Packs one after the other; one that cannot be loaded does not stop the rest. */
export async function validatePacks(files: readonly string[], { cwd }: { cwd: string }): Promise<ValidateResult> {
  const { issues, failure } = await eachPack(files, { cwd });
  return { ok: failure === undefined, issues, failure };
}
