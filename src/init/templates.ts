/** What a project can begin with. */
export interface Template {
  description: string;
  /** The command that shows something right after the installation: no account, no network. */
  firstRun: string;
}

/** The templates, in the order in which help and prompts list them. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  blank: { description: "one formula, no authentication", firstRun: "npx packsmith execute pack.ts Hello World" },
  "api-key": {
    description: "users connect with an API key",
    firstRun: "npx packsmith execute pack.ts ListTasks open --replay cassettes",
  },
  oauth2: { description: "users connect with OAuth2 and PKCE", firstRun: "npx packsmith execute pack.ts MyName --replay cassettes" },
  "client-credentials": {
    description: "a program connects with its client ID and secret",
    firstRun: "npx packsmith execute pack.ts GrantedScopes --replay cassettes",
  },
  "sync-table": {
    description: "a table that is synced page by page",
    firstRun: "npx packsmith execute pack.ts Tasks --replay cassettes",
  },
  "two-way": {
    description: "a table whose edits are written back",
    firstRun: "npx packsmith execute pack.ts Tasks --replay cassettes",
  },
  service: {
    description: "reads and writes documents of the document service",
    firstRun: "npx packsmith execute pack.ts TasksByStatus demoDoc001 Done --replay cassettes",
  },
  monorepo: { description: "two Packs and what they share, built with a cache", firstRun: "npm test" },
};

/** What every template but those with a file of the same name has in common. */
export const SHARED_FILES = "_shared";
