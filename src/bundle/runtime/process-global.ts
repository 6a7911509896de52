// The global `process` for code that does not declare one.
export { default as process } from "./process.ts";
