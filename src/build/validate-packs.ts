import { eachPack, type PacksResult } from "./each-pack.ts";

export interface ValidatePacksOptions {
  cwd: string;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Stops the work with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface ValidateResult extends PacksResult {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
}

/** Checks Packs. A Pack that cannot be loaded does not stop the others. */
export async function validatePacks(files: readonly string[], options: ValidatePacksOptions): Promise<ValidateResult> {
  const result = await eachPack(files, options);
  return { ok: result.failure === undefined, ...result };
}
