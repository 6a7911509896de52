export { type ConnectPackOptions, connectPack, type PackAccount } from "./commands/connect-pack.ts";
export { type InProcessTransportOptions, inProcessTransport } from "./commands/in-process-transport.ts";
export { type ExecuteFormulaOptions, executeFormula } from "./commands/test-formula.ts";
export type { ProviderOptions } from "./provider/options.ts";
export { type LocalProvider, startProvider } from "./provider/provider.ts";
export type { Seed } from "./service/local/seed.ts";
export { type LocalService, type ServiceOptions, startService } from "./service/local/service.ts";
