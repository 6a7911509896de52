/** A console line of the Pack. */
export interface LogEntry {
  level: "trace" | "debug" | "info" | "warn" | "error" | "log";
  message: string;
}
