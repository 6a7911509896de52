export { type VaultLocation, vaultLocation } from "./accounts/vault-location.ts";
export type { AppliedFix } from "./build/applied-fix.ts";
export { type BuildPacksOptions, type BuildReport, buildPacks } from "./build/build-packs.ts";
export type { BuildResult } from "./build/build-result.ts";
export { type FixResult, fixPacks } from "./build/fix-packs.ts";
export type { PackGone, PackRebuild, PackTypes, RebuildEvent } from "./build/rebuild-event.ts";
export { type RebuildPacksOptions, rebuildPacks } from "./build/rebuild-packs.ts";
export {
  type ValidatePacksOptions,
  type ValidateResult,
  validatePacks,
} from "./build/validate-packs.ts";
export type { WatchEvent, WatchPacksOptions } from "./build/watch-event.ts";
export { type PackWatch, watchPacks } from "./build/watch-packs.ts";
export { connectAccount } from "./connect/connect-account.ts";
export type { ConnectAccountOptions, ConnectedAccount } from "./connect/connect-options.ts";
export {
  type AccountOptions,
  type ListAccountsOptions,
  listAccounts,
  type RevokeResult,
  refreshAccount,
  revokeAccount,
} from "./connect/manage-accounts.ts";
export type { CheckName, Examination, Finding } from "./doctor/examination.ts";
export { type ExamineOptions, examineMachine } from "./doctor/examine-machine.ts";
export {
  type AnyPackError,
  type ExitClass,
  isPackError,
  PackError,
  type PackErrorCode,
  type PackErrorDetails,
} from "./errors.ts";
export type {
  Elicit,
  Elicitation,
  ElicitationAnswer,
  ElicitationField,
  ElicitedValue,
  FormElicitation,
  UrlElicitation,
} from "./execute/mcp/elicitation.ts";
export type { Pack } from "./execute/open-pack.ts";
export {
  type NetworkMode,
  type RunFormulaOptions,
  type RunResult,
  runFormula,
} from "./execute/run-target.ts";
export { type InitOptions, initProject } from "./init/init-project.ts";
export type { InitResult } from "./init/init-result.ts";
export { type ReleasePackOptions, releasePack } from "./publish/release-pack.ts";
export type { ReleaseResult } from "./publish/release-result.ts";
export type { Failure } from "./shared/failures.ts";
export { homeDirectory } from "./shared/folders.ts";
export { createRedactor, type Redactor } from "./shared/redact.ts";
export { explain, explainOne, listCodes } from "./validate/explanations/explain.ts";
export type { Explained, ExplainedChange } from "./validate/explanations/explained.ts";
export { renderGithub } from "./validate/formats/github.ts";
export { renderGitlab } from "./validate/formats/gitlab.ts";
export { renderJson } from "./validate/formats/json.ts";
export { renderSarif, type SarifOptions } from "./validate/formats/sarif.ts";
export { renderText, type TextOptions } from "./validate/formats/text.ts";
export type { Fix, Issue, SourceEdit } from "./validate/issue.ts";
