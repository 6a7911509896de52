import type { LocalDocuments } from "../../connect/rehearsal/rehearsal-options.ts";

/** The document service of the session, for the rehearsals of accounts. */
export interface LocalDocumentService {
  /** Says how to get a running service: the current one, or a new one. */
  offer(get: () => Promise<LocalDocuments>): void;
  get(): Promise<LocalDocuments>;
}

export function createLocalDocumentService(): LocalDocumentService {
  let current: (() => Promise<LocalDocuments>) | undefined;
  return {
    offer(get) {
      current = get;
    },
    get() {
      if (current === undefined)
        throw new TypeError("This session does not include a document service.");
      return current();
    },
  };
}
