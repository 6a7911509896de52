import type { TimerStrategy } from "../../bundle/run-esbuild.ts";
import type { Pack } from "../../execute/open-pack.ts";
import type { Issue } from "../../validate/issue.ts";
import type { ManyPacksOptions } from "./many-packs.ts";
import type { RegistryClient } from "./registry-client.ts";

export interface UploadOptions extends ManyPacksOptions {
  notes?: string | undefined;
  /** Sends nothing but questions. @default false */
  dryRun?: boolean | undefined;
  /** @default false */
  allowOlderSdkVersion?: boolean | undefined;
  /** @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  onProgress?: ((step: UploadStep) => void) | undefined;
}

export interface UploadStep {
  file: string;
  sentBytes: number;
  totalBytes: number;
  /** Counts from 1: the bytes are sent again when the store fails. */
  attempt: number;
}

/** A Pack and the place where it is uploaded. */
export interface Upload {
  pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">;
  file: string;
  client: RegistryClient;
  packId: number;
  options: UploadOptions;
  onIssues: (issues: Issue[]) => void;
}
