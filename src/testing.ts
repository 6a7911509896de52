export { type BlobStore, type BlobStoreOptions, createBlobStore } from "./execute/blob-store.ts";
export type { CassetteOptions } from "./execute/cassette/cassette-session.ts";
export { createResponseCache, type ResponseCache } from "./execute/fetch/fetch-cache.ts";
export type { GivenCredentials } from "./execute/open-connections.ts";
export type { CassetteReport } from "./execute/run-document.ts";
export type { SyncTableResult } from "./execute/tables/execute-sync-table.ts";
export type { UpdateOutcome } from "./execute/tables/execute-update.ts";
export type { Fault } from "./provider/faults.ts";
export type { ProviderOptions } from "./provider/options.ts";
export type { ProviderProfile } from "./provider/profile.ts";
export { findProfile, PROVIDER_PROFILES } from "./provider/profiles/catalogue.ts";
export { type LocalIssuer, type LocalProvider, startProvider } from "./provider/provider.ts";
export type { LocalService, ServiceOptions } from "./service/local/service.ts";
export type { Seed } from "./service/local/store/seed.ts";
export { startService } from "./service/packs/start-service.ts";
export { type ConnectPackOptions, connectPack, type PackAccount } from "./testing/connect-pack.ts";
export { type EmulatorFetcherOptions, emulatorFetcher } from "./testing/emulator-fetcher.ts";
export { createFakeClock, type FakeClock } from "./testing/fake-clock.ts";
export {
  type InProcessTransportOptions,
  inProcessTransport,
} from "./testing/in-process-transport.ts";
export {
  type MockAnswer,
  type MockedRequest,
  type MockFetcher,
  type MockResponse,
  mockFetcher,
} from "./testing/mock-fetcher.ts";
export {
  type ExecuteFormulaOptions,
  type ExecuteOptions,
  executeFormula,
  executeMetadata,
  executeSyncTable,
  executeUpdate,
} from "./testing/test-formula.ts";
