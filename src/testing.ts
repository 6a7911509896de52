export type { CassetteOptions, CassetteReport } from "./commands/cassette-session.ts";
export { type ConnectPackOptions, connectPack, type PackAccount } from "./commands/connect-pack.ts";
export { type EmulatorFetcherOptions, emulatorFetcher } from "./commands/emulator-fetcher.ts";
export { createFakeClock, type FakeClock } from "./commands/fake-clock.ts";
export { type InProcessTransportOptions, inProcessTransport } from "./commands/in-process-transport.ts";
export { type MockAnswer, type MockedRequest, type MockFetcher, type MockResponse, mockFetcher } from "./commands/mock-fetcher.ts";
export type { GivenCredentials } from "./commands/open-connections.ts";
export {
  type ExecuteFormulaOptions,
  type ExecuteOptions,
  executeFormula,
  executeMetadata,
  executeSyncTable,
  executeUpdate,
} from "./commands/test-formula.ts";
export { type BlobStore, type BlobStoreOptions, createBlobStore } from "./execute/blob-store.ts";
export type { SyncTableResult } from "./execute/execute-sync-table.ts";
export type { UpdateOutcome } from "./execute/execute-update.ts";
export { createResponseCache, type ResponseCache } from "./execute/fetch-cache.ts";
export type { Fault } from "./provider/faults.ts";
export type { ProviderOptions } from "./provider/options.ts";
export type { ProviderProfile } from "./provider/profile.ts";
export { findProfile, PROVIDER_PROFILES } from "./provider/profiles/catalogue.ts";
export { type LocalProvider, startProvider } from "./provider/provider.ts";
export type { Seed } from "./service/local/seed.ts";
export { type LocalService, type ServiceOptions, startService } from "./service/local/service.ts";
