import { expect, it } from "vitest";
import { openVault } from "../../../../src/accounts/vault.ts";
import { startCliServer } from "../../../support/cli.ts";
import { describePostgres } from "../../../support/postgres.ts";
import { startPostgresCluster } from "../../../support/postgres-cluster.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";

interface Facts {
  url: string;
  token: string;
  docId: string;
}

const ROWS = "/tables/Projects/rows";

async function insert({ url, token, docId }: Facts, name: string): Promise<number> {
  const response = await fetch(`${url}/docs/${docId}${ROWS}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ rows: [{ cells: [{ column: "Name", value: name }] }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function namesIn({ url, token, docId }: Facts): Promise<string[]> {
  const names: string[] = [];
  for (
    let next: string | undefined = `${url}/docs/${docId}${ROWS}?limit=500`;
    next !== undefined;
  ) {
    const response: Response = await fetch(next, { headers: { Authorization: `Bearer ${token}` } });
    const page = (await response.json()) as { items: { name: string }[]; nextPageLink?: string };
    names.push(...page.items.map(({ name }) => name));
    next = page.nextPageLink;
  }
  return names;
}

describePostgres("a PostgreSQL server that is restarted under load", () => {
  it("is answered with 503 while it is away; every process stays, and what was accepted is there once", async () => {
    await using cluster = await startPostgresCluster();
    const start = () =>
      startCliServer<Facts>(["service", "--port", "0", "--database", cluster.url]);
    await using one = await start();
    await using two = await start();
    const accepted = new Set<string>();
    const statuses = new Set<number>();
    let isOver = false;
    let number = 0;
    const write = async (facts: Facts, writer: string) => {
      while (!isOver) {
        const name = `${writer} ${number++}`;
        const status = await insert(facts, name);
        statuses.add(status);
        if (status === 202) accepted.add(name);
      }
    };
    const writers = [one, two].flatMap(({ facts }, at) =>
      [0, 1].map((each) => write(facts, `w${at}${each}`)),
    );
    const atLeast = (count: number) => expect.poll(() => accepted.size).toBeGreaterThan(count);
    await atLeast(20);
    for (let round = 0; round < 2; round++) {
      await cluster.stop();
      for (const { facts } of [one, two]) expect(await insert(facts, `away ${round}`)).toBe(503);
      await cluster.start();
      await atLeast(accepted.size + 20);
    }
    isOver = true;
    await Promise.all(writers);
    expect([...statuses].sort()).toEqual([202, 503]);
    for (const { facts } of [one, two]) {
      await expect
        .poll(async () => (await namesIn(facts)).filter((name) => accepted.has(name)).length)
        .toBe(accepted.size);
      const names = await namesIn(facts);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("breaks no vault that is open", async () => {
    await using cluster = await startPostgresCluster();
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path, databaseUrl: cluster.url });
    expect(await vault.list()).toEqual([]);
    await cluster.stop();
    await expect(vault.list()).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
    await cluster.start();
    expect(await vault.list()).toEqual([]);
  });
});
