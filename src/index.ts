export type { FetchRequest } from "./define/fetch.ts";
