// The entry that `@codahq/packs-sdk/dist/development` resolves to.
export { ParameterException, ResultValidationException } from "./testing/legacy/exceptions.ts";
export { executeFormulaOrSyncWithVM } from "./testing/legacy/execute-bundle.ts";
export {
  type ContextOptions,
  type ExecuteOptions,
  executeFormulaFromPackDef,
  executeGetPermissionsFormulaFromPackDef,
  executeMetadataFormula,
  executeSyncFormula,
  executeSyncFormulaFromPackDef,
  executeSyncFormulaFromPackDefSingleIteration,
  executeUpdateFormulaFromPackDef,
} from "./testing/legacy/execute-live.ts";
export {
  type MockExecutionContext,
  type MockSyncExecutionContext,
  newJsonFetchResponse,
  newMockExecutionContext,
  newMockSyncExecutionContext,
  type SyncExecutionContextAsMock,
} from "./testing/legacy/mock-context.ts";
export {
  newRealFetcherExecutionContext,
  newRealFetcherSyncExecutionContext,
} from "./testing/legacy/real-context.ts";
