/** Kinds of log entries. */
export const LOG_TYPES = [
  "custom",
  "invocation",
  "fetcher",
  "auth",
  "internal",
  "mcp",
  "ingestionLifecycle",
  "ingestionDebug",
  "agentRuntime",
] as const;
