import type { Seed, SeedRow } from "./seed.ts";
import type { SeedAnalytics } from "./seed-analytics.ts";

/** Readable ids, so that examples and tests can name them. */
const DEMO_DOC_ID = "demoDoc001";
const DEMO_TITLE = "Demo document";
const SECOND_TITLE = "Demo notes";
const DEMO_RULE_ID = "grid-auto-demoRule01";

const PROJECTS = [
  "Atlas",
  "Beacon",
  "Cedar",
  "Delta",
  "Ember",
  "Fjord",
  "Grove",
  "Harbor",
  "Island",
  "Juniper",
  "Kestrel",
  "Lagoon",
  "Meadow",
  "Nimbus",
  "Orchid",
  "Pioneer",
  "Quarry",
  "Ripple",
  "Summit",
  "Tundra",
] as const;
const STATUSES = ["To do", "In progress", "In review", "Done"] as const;
const VERBS = [
  "Draft",
  "Review",
  "Publish",
  "Test",
  "Measure",
  "Translate",
  "Archive",
  "Plan",
] as const;
const SUBJECTS = ["the welcome guide", "the price list", "the release notes"] as const;
const TAGS = ["writing", "design", "research", "urgent", "internal"] as const;
const PEOPLE = [
  { name: "First Owner", email: "first.owner@service.example", role: "Admin" },
  { name: "First Editor", email: "first.editor@service.example", role: "Editor" },
  { name: "Second Editor", email: "second.editor@service.example", role: "Editor" },
  { name: "First Viewer", email: "first.viewer@service.example", role: "Editor" },
] as const;

/**
 * What a service holds that was given no seed: a document with tasks, their projects and views of
 * them, and a second one without tables.
 */
export function demoSeed(): Seed {
  return {
    workspace: { id: "ws-demo000001", name: "Demo workspace", isEnterprise: true },
    analytics: demoAnalytics(),
    users: PEOPLE.map((person) => ({ ...person })),
    docs: [
      {
        id: DEMO_DOC_ID,
        title: DEMO_TITLE,
        timezone: "America/New_York",
        icon: "rocket",
        createdAt: "2026-01-05T09:00:00.000Z",
        permissions: [
          { email: "first.editor@service.example", access: "write" },
          { email: "second.editor@service.example", access: "write" },
          { email: "first.viewer@service.example", access: "readonly" },
        ],
        pages: [
          {
            id: "canvas-demoStart1",
            name: "Start",
            subtitle: "What there is to do",
            icon: "star",
            content:
              "# Welcome\n\nEvery task has an **owner** and a *due date*.\n\n- [ ] read the tasks\n- [x] open this document\n\n> Ask before you close one.",
          },
          { id: "canvas-demoPlans1", name: "Plans", parent: "Start" },
          { id: "canvas-demoAttic1", name: "Attic", hidden: true },
        ],
        tables: [
          {
            id: "grid-demoTasks1",
            name: "Tasks",
            page: "Start",
            columns: [
              { id: "c-demoTitle1", name: "Title", display: true },
              {
                id: "c-demoStatus",
                name: "Status",
                type: "select",
                format: {
                  options: STATUSES.map((name) => ({
                    name,
                    backgroundColor: "#EEEEEE",
                    foregroundColor: "#222222",
                  })),
                },
              },
              { id: "c-demoDue001", name: "Due", type: "date", format: { format: "YYYY-MM-DD" } },
              {
                id: "c-demoEstim1",
                name: "Estimate",
                type: "number",
                format: { precision: 0, useThousandsSeparator: true },
              },
              {
                id: "c-demoDone01",
                name: "Done",
                type: "checkbox",
                format: { displayType: "check" },
              },
              { id: "c-demoAssign", name: "Assignee", type: "person" },
              {
                id: "c-demoBudget",
                name: "Budget",
                type: "currency",
                format: { currencyCode: "USD", precision: 2, format: "currency" },
              },
              {
                id: "c-demoTags01",
                name: "Tags",
                type: "select",
                isArray: true,
                format: { options: TAGS.map((name) => ({ name })) },
              },
              {
                id: "c-demoLink01",
                name: "Link",
                type: "link",
                format: { display: "url", force: false },
              },
              { id: "c-demoPhoto1", name: "Photo", type: "image" },
              { id: "c-demoProj01", name: "Project", type: "lookup", table: "Projects" },
              {
                id: "c-demoClose1",
                name: "Close",
                type: "button",
                hidden: true,
                format: { label: "Close", disableIf: "Done" },
                button: { set: { Status: "Done", Done: true } },
              },
            ],
            rows: Array.from({ length: VERBS.length * SUBJECTS.length }, (_, index) => task(index)),
          },
          {
            id: "grid-demoProj01",
            name: "Projects",
            page: "Plans",
            columns: [
              { id: "c-demoName01", name: "Name", display: true },
              { id: "c-demoOwner1", name: "Owner", type: "person" },
              { id: "c-demoStart1", name: "Start", type: "date" },
              { id: "c-demoProgr1", name: "Progress", type: "percent" },
              { id: "c-demoActiv1", name: "Active", type: "checkbox" },
            ],
            rows: PROJECTS.map((name, index) => ({
              Name: name,
              Owner: PEOPLE[index % 3]?.email ?? "",
              Start: formatDay(index * 5),
              Progress: (index * 5) / 100,
              Active: index % 4 !== 3,
            })),
          },
          {
            id: "table-demoOpen1",
            name: "Tasks to do",
            page: "Plans",
            viewOf: "Tasks",
            filter: { column: "Status", equals: "To do" },
            sorts: [{ column: "Estimate", direction: "descending" }],
            visible: ["Title", "Due", "Estimate", "Project"],
          },
          { id: "table-demoAll01", name: "All tasks", page: "Plans", viewOf: "Tasks" },
          {
            id: "table-demoOne01",
            name: "Task details",
            page: "Plans",
            viewOf: "Tasks",
            layout: "detail",
          },
        ],
        formulas: [
          { id: "f-demoOpen01", name: "Open tasks", page: "Start", value: 18 },
          { id: "f-demoNames1", name: "Statuses", page: "Start", value: [...STATUSES] },
        ],
        controls: [
          {
            id: "ctrl-demoStat",
            name: "Shown status",
            page: "Start",
            controlType: "select",
            value: "To do",
          },
          {
            id: "ctrl-demoOnly",
            name: "Only mine",
            page: "Start",
            controlType: "checkbox",
            value: false,
          },
        ],
        automations: [{ id: DEMO_RULE_ID, name: "When a webhook is invoked" }],
      },
      {
        id: "demoDoc002",
        title: SECOND_TITLE,
        timezone: "America/New_York",
        createdAt: "2026-01-04T09:00:00.000Z",
        pages: [
          { id: "canvas-demoNotes1", name: "Notes", content: "Nothing has been written yet." },
        ],
      },
    ],
  };
}

/** Two weeks of counts that grow from day to day. */
function demoAnalytics(): SeedAnalytics {
  const days = Array.from({ length: 14 }, (_, index) => index + 1);
  const daily = (counts: (day: number) => Record<string, number | string>) =>
    days.map((day) => ({ date: formatDay(day - 1), ...counts(day) }));
  const sessions = (day: number) => ({
    sessionsDesktop: 4 * day,
    sessionsMobile: 2 * day,
    sessionsOther: day,
    totalSessions: 7 * day,
  });
  const use = (day: number) => ({
    docsActivelyUsing: day,
    docsActivelyUsing7Day: 2 * day,
    workspacesActivelyUsing: 1,
  });
  return {
    docs: [
      {
        doc: DEMO_TITLE,
        publishedAt: "2026-01-06T09:00:00.000Z",
        metrics: daily((day) => ({
          views: 10 * day,
          copies: day % 3,
          likes: day % 4,
          ...sessions(day),
        })),
      },
      {
        doc: SECOND_TITLE,
        metrics: daily((day) => ({ views: day, copies: 0, likes: day % 2, ...sessions(day) })),
      },
    ],
    pages: ["Start", "Plans"].map((page, at) => ({
      doc: DEMO_TITLE,
      page,
      metrics: daily((day) => ({
        views: (6 - 2 * at) * day,
        sessions: 3 * day,
        users: day,
        averageSecondsViewed: 40 + day,
        medianSecondsViewed: 30 + day,
        tabs: day,
      })),
    })),
    packs: [
      {
        id: 1001,
        name: "Tasks",
        createdAt: "2026-01-02T09:00:00.000Z",
        metrics: daily((day) => ({
          docInstalls: 1,
          workspaceInstalls: day % 2,
          numFormulaInvocations: 20 * day,
          numActionInvocations: 5 * day,
          revenueUsd: "0.00",
          ...use(day),
        })),
        formulas: [
          {
            name: "ListTasks",
            type: "formula",
            metrics: daily((day) => ({
              formulaInvocations: 20 * day,
              errors: day % 5,
              medianLatencyMs: 120 + day,
              medianResponseSizeBytes: 2_048,
              ...use(day),
            })),
          },
          {
            name: "SaveTask",
            type: "action",
            metrics: daily((day) => ({
              formulaInvocations: 5 * day,
              errors: day % 2,
              medianLatencyMs: 180 + day,
              medianResponseSizeBytes: 128,
              ...use(day),
            })),
          },
        ],
      },
    ],
  };
}

function task(index: number): SeedRow {
  const status = STATUSES[index % STATUSES.length] ?? "To do";
  return {
    Title: `${VERBS[index % VERBS.length]} ${SUBJECTS[index % SUBJECTS.length]}`,
    Status: status,
    Due: formatDay(60 + index * 3),
    Estimate: ((index * 5) % 13) + 1,
    Done: status === "Done",
    // Some cells are blank, as in documents that people fill in.
    ...(index % 6 === 5 ? {} : { Assignee: PEOPLE[index % 3]?.email ?? "" }),
    Budget: 100 + index * 37.5,
    Tags:
      index % 7 === 6
        ? []
        : [
            ...new Set([
              TAGS[index % TAGS.length] ?? "",
              TAGS[(index * 2 + 1) % TAGS.length] ?? "",
            ]),
          ],
    Link: `https://docs.service.example/tasks/${index + 1}`,
    ...(index % 3 === 0 ? { Photo: `https://docs.service.example/photos/${index + 1}.png` } : {}),
    Project: PROJECTS[index % PROJECTS.length] ?? "",
  };
}

/** A day of 2026 by its number. */
function formatDay(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
}
