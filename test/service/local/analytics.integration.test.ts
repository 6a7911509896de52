import { describe, expect, it } from "vitest";
import { type LocalService, startService } from "../../../src/service/local/service.ts";

interface Item {
  doc: { id: string; title: string };
  page: { name: string };
  pack: { id: number; name: string };
  formula: { name: string; type: string };
  metrics: ({ date: string; revenueUsd: string } & Record<string, number>)[];
}

interface Answer {
  items: Item[];
  nextPageToken?: string;
  nextPageLink?: string;
  message: string;
}

const metrics = (views: number[], name = "views") =>
  views.map((count, index) => ({ date: `2026-01-0${index + 1}`, [name]: count }));
const SEED = {
  workspace: { name: "W", isEnterprise: true },
  users: [{ name: "First Owner", email: "first.owner@service.example" }],
  docs: [
    {
      title: "Alpha",
      pages: [{ name: "One" }, { name: "Two" }],
      createdAt: "2026-01-01T00:00:00Z",
    },
    { title: "Beta", createdAt: "2026-01-02T00:00:00Z" },
    { title: "Gamma", createdAt: "2026-01-03T00:00:00Z" },
  ],
  analytics: {
    docs: [
      { doc: "Alpha", publishedAt: "2026-01-04T00:00:00Z", metrics: metrics([1, 2, 3]) },
      { doc: "Beta", metrics: metrics([10, 20, 30]) },
    ],
    pages: [{ doc: "Alpha", page: "One", metrics: metrics([4, 5]) }],
    packs: [
      {
        id: 7,
        name: "Tasks",
        metrics: [
          {
            date: "2026-01-01",
            docInstalls: 2,
            numFormulaInvocations: 3,
            numActionInvocations: 4,
            revenueUsd: "1.50",
          },
          { date: "2026-01-02", docInstalls: 1, revenueUsd: "2.25" },
        ],
        formulas: [
          {
            name: "List",
            type: "formula" as const,
            metrics: metrics([5, 6], "formulaInvocations"),
          },
          { name: "Save", type: "action" as const, metrics: metrics([7, 8], "formulaInvocations") },
        ],
      },
      { id: 8, name: "Reports", isPublished: false, metrics: metrics([9], "docInstalls") },
    ],
  },
};

describe("analytics of the local service", () => {
  // docs/rules.md: service 104
  it("lists documents with every metric, by date and then by id", async () => {
    await using service = await startService({ seed: SEED });
    const { items } = await get(service, "/analytics/docs");
    expect(items.map(({ doc }) => doc.title).sort()).toEqual(["Alpha", "Beta", "Gamma"]);
    const alpha = items.find(({ doc }) => doc.title === "Alpha");
    expect(alpha?.doc).toMatchObject({
      type: "doc",
      createdAt: "2026-01-01T00:00:00.000Z",
      publishedAt: "2026-01-04T00:00:00Z",
    });
    expect(alpha?.metrics[1]).toMatchObject({
      date: "2026-01-02",
      views: 2,
      copies: 0,
      totalSessions: 0,
      aiCredits: 0,
    });
    expect(Object.keys(alpha?.metrics[0] ?? {})).toHaveLength(14);
  });

  // docs/rules.md: service 102
  it("counts cumulatively inside the requested range", async () => {
    await using service = await startService({ seed: SEED });
    const { items } = await get(
      service,
      "/analytics/docs?query=bet&scale=cumulative&sinceDate=2026-01-02",
    );
    expect(items.map(({ metrics: days }) => days.map(({ date, views }) => [date, views]))).toEqual([
      [
        ["2026-01-02", 20],
        ["2026-01-03", 50],
      ],
    ]);
  });

  it("orders by a name or by a metric, in both directions, also across pages", async () => {
    await using service = await startService({ seed: SEED });
    const titles = async (query: string) =>
      (await get(service, `/analytics/docs?${query}`)).items.map(({ doc }) => doc.title);
    expect(await titles("orderBy=title&direction=descending")).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await titles("orderBy=views&direction=descending")).toEqual(["Beta", "Alpha", "Gamma"]);
    const seen: string[] = [];
    let next: string | undefined = "/analytics/docs?orderBy=title&direction=descending&limit=1";
    while (next !== undefined) {
      const page: Answer = await get(service, next);
      seen.push(...page.items.map(({ doc }) => doc.title));
      next =
        page.nextPageToken === undefined
          ? undefined
          : `/analytics/docs?pageToken=${page.nextPageToken}`;
    }
    expect(seen).toEqual(["Gamma", "Beta", "Alpha"]);
  });

  // docs/rules.md: service 12, 13, 108
  it("filters by ids, separated by commas, by publication and by workspace", async () => {
    await using service = await startService({ seed: SEED });
    const all = (await get(service, "/analytics/docs")).items.map(({ doc }) => doc.id);
    expect(
      (await get(service, `/analytics/docs?docIds=${all[0]},${all[1]},unknown000`)).items,
    ).toHaveLength(2);
    expect(
      (await get(service, "/analytics/docs?isPublished=true")).items.map(({ doc }) => doc.title),
    ).toEqual(["Alpha"]);
    expect((await get(service, "/analytics/docs?isPublished=false")).items).toHaveLength(3);
    expect((await get(service, "/analytics/docs?workspaceId=ws-other00000")).items).toEqual([]);
  });

  it("lists the counts of both documents of the demo, without a link to the list", async () => {
    await using service = await startService();
    const list = await get(service, "/analytics/docs");
    expect(Object.keys(list)).toEqual(["items"]);
    expect(list.items.map(({ doc }) => doc.title).sort()).toEqual(["Demo document", "Demo notes"]);
    const page = await get(service, "/analytics/docs?limit=1");
    expect(Object.keys(page).sort()).toEqual(["items", "nextPageLink", "nextPageToken"]);
  });

  it("adds up summaries", async () => {
    await using service = await startService();
    expect(await get(service, "/analytics/docs/summary?untilDate=2026-01-02")).toEqual({
      totalSessions: 2 * (7 + 14),
    });
    expect(await get(service, "/analytics/packs/summary?untilDate=2026-01-02")).toEqual({
      totalDocInstalls: 2,
      totalWorkspaceInstalls: 1,
      totalInvocations: 25 + 50,
    });
  });

  // docs/rules.md: service 92
  it("answers 401 for the pages of a document outside an Enterprise workspace", async () => {
    await using enterprise = await startService({ seed: SEED });
    const { items } = await get(enterprise, `/analytics/docs/${enterprise.docId}/pages`);
    expect(
      items.map(({ page, metrics: days }) => [page.name, days.map(({ views }) => views)]),
    ).toEqual(
      expect.arrayContaining([
        ["One", [4, 5]],
        ["Two", []],
      ]),
    );
    await using other = await startService({ seed: { ...SEED, workspace: { name: "W" } } });
    const refused = await fetch(`${other.url}/analytics/docs/${other.docId}/pages`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      {
        statusCode: 401,
        statusMessage: "Unauthorized",
        message: expect.stringContaining("Enterprise"),
      },
    ]);
  });

  // docs/rules.md: service 107
  it("returns revenue as a decimal text, also when it is cumulative", async () => {
    await using service = await startService({ seed: SEED });
    const { items } = await get(service, "/analytics/packs?packIds=7&scale=cumulative");
    expect(
      items[0]?.metrics.map(({ revenueUsd, docInstalls }) => [revenueUsd, docInstalls]),
    ).toEqual([
      ["1.50", 2],
      ["3.75", 3],
    ]);
    expect(
      (await get(service, "/analytics/packs?isPublished=true")).items.map(({ pack }) => pack.id),
    ).toEqual([7]);
  });

  // docs/rules.md: service 106
  it("takes names and types of formulas as pairs", async () => {
    await using service = await startService({ seed: SEED });
    const names = async (query: string) =>
      (await get(service, `/analytics/packs/7/formulas?${query}`)).items.map(
        ({ formula }) => `${formula.type} ${formula.name}`,
      );
    expect(await names("")).toEqual(["action Save", "formula List"]);
    expect(await names("packFormulaNames=List,Save&packFormulaTypes=formula,formula")).toEqual([
      "formula List",
    ]);
    expect(await names("packFormulaTypes=action")).toEqual(["action Save"]);
    expect(await names("orderBy=formulaInvocations&direction=descending")).toEqual([
      "action Save",
      "formula List",
    ]);
    expect(
      (
        await get(
          service,
          "/analytics/packs/7/formulas?packFormulaNames=a,b&packFormulaTypes=action",
          400,
        )
      ).message,
    ).toContain("packFormulaTypes");
  });

  // docs/rules.md: service 105
  it("updated the counts yesterday in US Pacific time of the service's clock", async () => {
    await using service = await startService({ now: () => Date.parse("2026-03-02T05:00:00Z") });
    expect(await get(service, "/analytics/updated")).toEqual({
      docAnalyticsLastUpdated: "2026-02-28",
      packAnalyticsLastUpdated: "2026-02-28",
      packFormulaAnalyticsLastUpdated: "2026-02-28",
    });
  });

  // docs/rules.md: service 103
  it.each([
    "/analytics/docs?sinceDate=2026-02-01&untilDate=2026-01-01",
    "/analytics/docs?sinceDate=yesterday",
    "/analytics/docs?sinceDate=1%20Jan%202026",
    "/analytics/docs?untilDate=2026-13-01",
    "/analytics/docs?limit=0",
    "/analytics/docs?scale=weekly",
    "/analytics/docs?orderBy=__proto__",
    "/analytics/docs?pageToken=forged",
    "/analytics/packs?direction=up",
    "/analytics/packs/0/formulas",
    "/analytics/packs/x/formulas",
    "/analytics/packs/7/formulas?packFormulaTypes=trigger",
  ])("refuses %s with 400", async (path) => {
    await using service = await startService({ seed: SEED });
    expect(await get(service, path, 400)).toMatchObject({
      statusCode: 400,
      statusMessage: "Bad Request",
    });
  });

  it("refuses a seed that counts for a document which is not there", async () => {
    await expect(startService({ seed: { ...SEED, docs: [] } })).rejects.toMatchObject({
      code: "SEED_INVALID",
    });
  });
});

async function get(service: LocalService, path: string, status = 200): Promise<Answer> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  expect({ path, status: response.status }).toEqual({ path, status });
  return (await response.json()) as Answer;
}
