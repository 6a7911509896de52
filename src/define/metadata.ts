import type { ExecutionContext } from "./context.ts";

/** What a metadata function may return: plain JSON data. */
export type MetadataResult = string | number | boolean | null | undefined | MetadataResult[] | { [member: string]: MetadataResult };

/** The values of the other parameters, by name, while one of them is completed. */
export type MetadataContext = Record<string, unknown>;

/** A function of the Pack that answers a question about it: the label of an account, the options of a step. */
export type MetadataFunction = (
  context: ExecutionContext,
  search: string,
  parameters: MetadataContext,
) => MetadataResult | Promise<MetadataResult>;
