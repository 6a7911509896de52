import type { AccountSlot } from "../../accounts/account-summary.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import type { LocalProvider } from "../../provider/provider.ts";
import type { SourceFile } from "../../validate/issue.ts";
import type { OwnOptions } from "../simulation/simulated-provider.ts";

/** A document service on this machine, and a token that it accepts. */
export interface LocalDocuments {
  origin: string;
  /** What a client is given. */
  url: string;
  token: string;
  /** A document to begin with. */
  docId?: string | undefined;
  /** Called when the rehearsal ends. */
  close(): Promise<void>;
}

export interface RehearsalOptions {
  definition: PackVersionDefinition;
  /** The Pack's own files: what its requests are read from. */
  sources: readonly SourceFile[];
  /** The Pack as it is now, for the answers of the API. @default as it was at the start */
  latest?: (() => Pick<RehearsalOptions, "definition" | "sources">) | undefined;
  packName: string;
  /** @default the first that the Pack declares: the user's, the Pack's own, an administrator's */
  slot?: AccountSlot | undefined;
  /** How the provider deviates from the specifications. @default it follows them */
  profile?: ProviderProfile | undefined;
  /** Lifetime of access tokens. @default 3600 */
  tokenSeconds?: number | undefined;
  /** Answers to connection variables. @default their defaults, or invented ones */
  variables?: Readonly<Record<string, string>> | undefined;
  /** @default none */
  provider?: OwnOptions | undefined;
  /**
   * Called if the Pack calls a document service. @default its requests are answered like those of
   * another API
   */
  startDocuments?: ((provider: LocalProvider | undefined) => Promise<LocalDocuments>) | undefined;
  now?: (() => number) | undefined;
  random?: ((bytes: number) => Uint8Array) | undefined;
}
