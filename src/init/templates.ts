/** A template of a project. */
export interface Template {
  description: string;
  /** A command that works right after the installation, without an account and a network. */
  firstRun: string;
}

/** The templates, in the order of the help and the prompts. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  blank: {
    description: "one formula, no authentication",
    firstRun: "npx packsmith execute pack.ts Hello World",
  },
  "api-key": {
    description: "users connect with an API key",
    firstRun: "npx packsmith execute pack.ts ListTasks open --replay cassettes",
  },
  oauth2: {
    description: "users connect with OAuth2 and PKCE",
    firstRun: "npx packsmith execute pack.ts MyName --replay cassettes",
  },
  "client-credentials": {
    description: "connects without a user, with a client ID and secret",
    firstRun: "npx packsmith execute pack.ts GrantedScopes --replay cassettes",
  },
  "sync-table": {
    description: "a sync table that reads an API page by page",
    firstRun: "npx packsmith execute pack.ts Tasks --replay cassettes",
  },
  "two-way": {
    description: "a sync table that saves the edits of users",
    firstRun: "npx packsmith execute pack.ts Tasks --replay cassettes",
  },
  service: {
    description: "reads and writes documents of the document service",
    firstRun: "npx packsmith execute pack.ts TasksByStatus demoDoc001 Done --replay cassettes",
  },
  monorepo: { description: "two Packs with shared code, built with a cache", firstRun: "npm test" },
};

/** The files that all templates share. A template's own file replaces the shared one. */
export const SHARED_FILES = "_shared";
