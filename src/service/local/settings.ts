import type { MutationSettings } from "./edits/mutation-settings.ts";

/** How the service behaves where the specification leaves it open. The control plane changes some of it. */
export interface ServiceSettings extends MutationSettings {
  /** Where the specification and the public service differ, which one is followed. */
  dialect: "spec" | "public";
  /** Of equal names any one is found, so that nothing relies on the first (decision 19). */
  shuffleNames: boolean;
  /** Names in a header what of a request was ignored (decision 17). */
  strict: boolean;
  /** The origin of every link; the host of the request when undefined (decision 110). */
  publicUrl: string | undefined;
  /** Origins whose browser links are resolved, beside the service's own (decision 109). */
  canonicalOrigins: readonly string[];
}
