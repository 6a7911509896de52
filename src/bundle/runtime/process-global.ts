// What `process` means where nothing declares it.
export { default as process } from "./process.ts";
