import type { Seed } from "../../../src/service/local/store/seed.ts";

/** People of every kind, a document that is shared with each of them, and one that is not. */
export const SHARED: Seed = {
  workspace: {
    id: "ws-one",
    name: "One",
    groups: [{ id: "grp-writers", name: "Writers", members: ["grouped@service.example"] }],
  },
  users: [
    { name: "Owner", email: "owner@service.example" },
    { name: "Writer", email: "writer@service.example" },
    { name: "Editing writer", email: "editor@service.example", role: "Editor" },
    { name: "Commenter", email: "commenter@service.example" },
    { name: "Reader", email: "reader@service.example" },
    { name: "Grouped", email: "grouped@service.example" },
    { name: "Domain", email: "domain@partner.example", isMember: false },
    { name: "Stranger", email: "stranger@elsewhere.example", isMember: false },
  ],
  tokens: [
    ...["writer", "editor", "commenter", "reader", "grouped"].map((name) => ({
      token: name,
      user: `${name}@service.example`,
    })),
    { token: "domain", user: "domain@partner.example" },
    { token: "stranger", user: "stranger@elsewhere.example" },
    { token: "read-only", scopes: ["read"] },
    { token: "write-only", scopes: ["write"] },
    { token: "one-doc", docId: "shared" },
    { token: "one-table", docId: "shared", tableId: "grid-one" },
  ],
  docs: [
    {
      id: "shared",
      title: "Shared",
      timezone: "America/New_York",
      permissions: [
        { email: "writer@service.example", access: "write" },
        { email: "editor@service.example", access: "write" },
        { email: "commenter@service.example", access: "comment" },
        { email: "reader@service.example", access: "readonly" },
        { principal: { type: "group", groupId: "grp-writers" }, access: "write" },
        { principal: { type: "domain", domain: "partner.example" }, access: "readonly" },
      ],
      pages: [
        { id: "canvas-first", name: "First", content: "# Title\n\nText" },
        { id: "canvas-below", name: "Below", parent: "First" },
        { id: "canvas-second", name: "Second" },
        { id: "canvas-embed", name: "Embed", content: { embed: "https://video.example/1" } },
      ],
      tables: [
        {
          id: "grid-one",
          name: "Things",
          page: "Second",
          columns: [
            { id: "c-name", name: "Name", display: true },
            { id: "c-count", name: "Count", type: "number" },
            { id: "c-due", name: "Due", type: "date" },
            { id: "c-sum", name: "Sum", type: "number", formula: "Count + 1" },
            { id: "c-tags", name: "Tags", type: "select", isArray: true },
            { id: "c-twin1", name: "Twin" },
            { id: "c-twin2", name: "Twin" },
            { id: "c-other", name: "Other", type: "lookup", table: "Others" },
          ],
          rows: [
            { Name: "a", Count: 1, Due: "2026-03-04", Sum: 2, Other: "x" },
            { Name: "b", Count: 2, Sum: 3, Tags: ["u", "v"] },
            { Name: "a", Count: 3, Sum: 4 },
          ],
        },
        {
          id: "grid-two",
          name: "Others",
          page: "Second",
          columns: [{ id: "c-other-name", name: "Name" }],
          rows: [{ Name: "x" }, { Name: "x" }],
        },
        {
          id: "table-view",
          name: "Few things",
          page: "First",
          viewOf: "Things",
          filter: { column: "Count", equals: 2 },
          visible: ["Name"],
        },
      ],
      formulas: [{ id: "f-now", name: "Now", value: "2026-01-01" }],
      controls: [{ id: "ctrl-one", name: "Slider", controlType: "slider", value: 5 }],
      automations: [
        { id: "grid-auto-on", name: "On" },
        { id: "grid-auto-off", name: "Off", enabled: false },
        { id: "grid-auto-time", name: "Every day", trigger: "time" },
      ],
    },
    { id: "private", title: "Private", pages: [{ id: "canvas-only", name: "Only" }] },
    {
      id: "starred",
      title: "A starred one",
      starredBy: ["owner@service.example"],
      published: { slug: "starred", discoverable: true },
    },
    { id: "unopened", title: "Never opened", openedBy: [] },
  ],
};
