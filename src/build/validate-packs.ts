import { eachPack, type PacksResult } from "./each-pack.ts";

export interface ValidatePacksOptions {
  cwd: string;
  /** Type-checks the Packs, too, where TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Ends the work with its reason. */
  signal?: AbortSignal | undefined;
}

export interface ValidateResult extends PacksResult {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
}

/** Checks Packs one after the other; one that cannot be loaded does not stop the rest. */
export async function validatePacks(files: readonly string[], options: ValidatePacksOptions): Promise<ValidateResult> {
  const result = await eachPack(files, options);
  return { ok: result.failure === undefined, ...result };
}
