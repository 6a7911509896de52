import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServiceFailure } from "../../../../src/service/local/api/app.ts";
import { isLong } from "../../../support/breadth.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";
import { startTestService } from "../../support.ts";

const TEXT = "x".repeat(80_000);

interface SmallDisk extends Disposable {
  path: string;
}

/** A file system of its own with so many bytes; undefined where the test may not mount one. */
function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const folder = makeTemporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder.path], {
      stdio: "ignore",
    });
  } catch {
    folder[Symbol.dispose]();
    process.stderr.write(
      "The test of a full disk is skipped: this user may not mount a file system.\n",
    );
    return undefined;
  }
  return {
    path: folder.path,
    [Symbol.dispose]: () => {
      // A statement that is still to be collected keeps the file open.
      execFileSync("umount", ["-l", folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

it("with a full disk reads go on and writes answer 507; with space again every accepted edit is there once", async ({
  skip,
}) => {
  using disk = mountSmallDisk(8 * 1_024 * 1_024);
  if (disk === undefined) return skip();
  const failures: ServiceFailure[] = [];
  const filler = join(disk.path, "filler");
  await using test = await startTestService({
    database: join(disk.path, "service.db"),
    // They wait, so that some are still to be applied when the disk is full.
    latency: { ms: 3_600_000 },
    onFailure: (failure) => failures.push(failure),
  });
  const { bavail, bsize } = statfsSync(disk.path);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 2 * 1_024 * 1_024));
  const rows = `/docs/${test.service.docId}/tables/Projects/rows`;
  const insert = (name: string) =>
    test.write("POST", rows, { rows: [{ cells: [{ column: "Name", value: name + TEXT }] }] });
  const accepted: string[] = [];
  let refused = 0;
  for (let at = 0; refused < 3; at++) {
    const answer = await insert(`row ${at} `);
    if (answer.status === 202) accepted.push(`row ${at} `);
    else {
      expect(answer).toMatchObject({
        status: 507,
        body: {
          statusMessage: "Insufficient Storage",
          message: expect.stringMatching(/no space/i),
        },
      });
      expect(failures[refused]).toMatchObject({
        status: 507,
        method: "POST",
        requestId: answer.headers.get("x-request-id"),
      });
      expect(failures[refused]?.reason).toMatch(/no space/i);
      refused++;
    }
  }
  expect(accepted.length).toBeGreaterThan(2);
  // Due now, but there is no space to apply them.
  test.service.clock.advance(3_600_000);
  for (const path of [
    "/docs",
    rows,
    `${rows}?query=${encodeURIComponent('Name:"Atlas"')}`,
    "/whoami",
  ])
    expect((await test.send(path)).status, path).toBe(200);
  expect(failures).toHaveLength(refused);

  rmSync(filler);
  await test.service.settle();
  const { items } = (await test.send(`${rows}?limit=500`)).body as { items: { name: string }[] };
  expect(items.map(({ name }) => name).filter((name) => name.endsWith(TEXT))).toEqual(
    accepted.map((name) => name + TEXT),
  );
  expect((await insert("after ")).status).toBe(202);
});

it.runIf(isLong)(
  "a large edit for which the disk has no space is not seen in part, and goes on when there is",
  async ({ skip }) => {
    using disk = mountSmallDisk(24 * 1_024 * 1_024);
    if (disk === undefined) return skip();
    const filler = join(disk.path, "filler");
    await using test = await startTestService({
      database: join(disk.path, "service.db"),
      latency: { ms: 3_600_000 },
    });
    const table = `/docs/${test.service.docId}/tables/Projects`;
    const before = (await test.send(table)).body["rowCount"] as number;
    const names = Array.from({ length: 3_000 }, (_, at) => `large ${at} ${"x".repeat(500)}`);
    const accepted = await test.write("POST", `${table}/rows`, {
      rows: names.map((value) => ({ cells: [{ column: "Name", value }] })),
    });
    expect(accepted.status).toBe(202);
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 1_024 * 1_024));
    test.service.clock.advance(3_600_000);
    for (let look = 0; look < 5; look++) {
      const answer = await test.send(table);
      expect([answer.status, answer.body["rowCount"]]).toEqual([200, before]);
      expect((await test.send(`${table}/rows?limit=1`)).status).toBe(200);
    }
    rmSync(filler);
    await test.service.settle();
    expect((await test.send(table)).body["rowCount"]).toBe(before + names.length);
    const state = await test.send(`/mutationStatus/${accepted.body["requestId"]}`);
    expect(state.body).toEqual({ completed: true });
    const listed: string[] = [];
    for (
      let path: string | undefined = `${table}/rows?limit=500&sortBy=natural`;
      path !== undefined;
    ) {
      const { body } = await test.send(path);
      listed.push(...(body["items"] as { name: string }[]).map(({ name }) => name));
      path = (body["nextPageLink"] as string | undefined)?.slice(test.service.url.length);
    }
    expect(listed.slice(before)).toEqual(names);
  },
);
