import type { Section } from "./section.ts";

/** Every part of the bench, in the order of its results. */
export const SECTIONS: readonly Section[] = [
  {
    name: "builds",
    title: "Builds",
    load: async () => (await import("./builds.ts")).measureBuilds,
  },
  {
    name: "package-managers",
    title: "Builds with each package manager",
    load: async () => (await import("./package-managers.ts")).measurePackageManagers,
  },
  {
    name: "workspaces",
    title: "Builds of a workspace",
    load: async () => (await import("./workspaces.ts")).measureWorkspaces,
  },
  {
    name: "types",
    title: "Types and validation",
    load: async () => (await import("./types.ts")).measureTypes,
  },
  {
    name: "run-path",
    title: "Running formulas",
    load: async () => (await import("./run-path-section.ts")).measureRuns,
  },
  {
    name: "oauth",
    title: "Connections",
    load: async () => (await import("./oauth-section.ts")).measureConnections,
  },
  {
    name: "masking",
    title: "Masking",
    load: async () => (await import("./masking.ts")).measureMasking,
  },
  {
    name: "service",
    title: "The document service",
    load: async () => (await import("./service-section.ts")).measureServer,
  },
  {
    name: "design",
    title: "The document service at its design sizes",
    load: async () => (await import("./design-section.ts")).measureDesignSizes,
  },
  {
    name: "design-postgres",
    title: "The document service at its design sizes on a PostgreSQL server",
    load: async () => (await import("./design-section.ts")).measureDesignSizesOnServer,
  },
  {
    name: "backlog",
    title: "Edits of one document that waited",
    load: async () => (await import("./backlog-section.ts")).measureBacklogs,
  },
  {
    name: "processes",
    title: "Several processes of the document service on one PostgreSQL server",
    load: async () => (await import("./processes-section.ts")).measureServers,
  },
  {
    name: "client",
    title: "The client of the service",
    load: async () => (await import("./client-section.ts")).measureCalls,
  },
  {
    name: "watch",
    title: "Watching",
    load: async () => (await import("./watch-section.ts")).measureWatching,
  },
  {
    name: "dev",
    title: "The page",
    load: async () => (await import("./dev-section.ts")).measurePage,
  },
];
