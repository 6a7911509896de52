export { type BuildPacksOptions, type BuildResult, type BuiltPack, buildPacks } from "./commands/build-packs.ts";
export { connectAccount } from "./commands/connect-account.ts";
export type { ConnectAccountOptions, ConnectedAccount } from "./commands/connect-options.ts";
export { type Examination, type ExamineOptions, examineMachine } from "./commands/doctor/examine-machine.ts";
export type { CheckName, Finding } from "./commands/doctor/finding.ts";
export { type ExplainedChange, explainOne, listCodes } from "./commands/explain-code.ts";
export { type FindLeaksOptions, findLeaks, type Leak, type LeakReport } from "./commands/find-leaks.ts";
export { type AppliedFix, type FixResult, fixPacks } from "./commands/fix-packs.ts";
export { homeDirectory, type VaultLocation, vaultLocation } from "./commands/home.ts";
export { type InitOptions, type InitResult, initProject } from "./commands/init-project.ts";
export type { CheckedPack } from "./commands/load-pack.ts";
export {
  type AccountOptions,
  type ListAccountsOptions,
  listAccounts,
  type RevokeResult,
  refreshAccount,
  revokeAccount,
} from "./commands/manage-accounts.ts";
export type { Failure } from "./commands/outcome.ts";
export {
  type PackGone,
  type PackRebuild,
  type PackTypes,
  type RebuildEvent,
  type RebuildPacksOptions,
  rebuildPacks,
} from "./commands/rebuild-packs.ts";
export { type ReleasePackOptions, type ReleaseResult, releasePack } from "./commands/release-pack.ts";
export { type RunFormulaOptions, type RunFormulaResult, runFormula } from "./commands/run-formula.ts";
export {
  type KillOutcome,
  type KillResult,
  type StressAccountOptions,
  type StressResult,
  stressAccount,
} from "./commands/stress-account.ts";
export { type ValidatePacksOptions, type ValidateResult, validatePacks } from "./commands/validate-packs.ts";
export { type VerifiedRelease, verifyRelease } from "./commands/verify-release.ts";
export { type PackOutcome, type PackWatch, type WatchPacksOptions, watchPacks } from "./commands/watch-packs.ts";
export { type AnyPackError, type ExitClass, isPackError, PackError, type PackErrorCode, type PackErrorDetails } from "./errors.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export { type Explained, explain } from "./validate/explanations/explain.ts";
export { renderGithub } from "./validate/formats/github.ts";
export { renderGitlab } from "./validate/formats/gitlab.ts";
export { renderJson } from "./validate/formats/json.ts";
export { renderSarif, type SarifOptions } from "./validate/formats/sarif.ts";
export { renderText, type TextOptions } from "./validate/formats/text.ts";
export type { Fix, Issue, SourceEdit } from "./validate/issue.ts";
