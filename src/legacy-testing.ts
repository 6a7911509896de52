// Accepted from older test suites: what `@codahq/packs-sdk/dist/development` stands for.
export { ParameterException, ResultValidationException } from "./older-testing/exceptions.ts";
export { executeFormulaOrSyncWithVM } from "./older-testing/execute-bundle.ts";
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
} from "./older-testing/execute-live.ts";
export {
  type MockExecutionContext,
  type MockSyncExecutionContext,
  newJsonFetchResponse,
  newMockExecutionContext,
  newMockSyncExecutionContext,
  type SyncExecutionContextAsMock,
} from "./older-testing/mock-context.ts";
export { newRealFetcherExecutionContext, newRealFetcherSyncExecutionContext } from "./older-testing/real-context.ts";
export {
  connectPack,
  createFakeClock,
  executeFormula,
  executeMetadata,
  executeSyncTable,
  executeUpdate,
  mockFetcher,
  startProvider,
  startService,
} from "./testing.ts";
