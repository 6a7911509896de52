import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { ActionCall } from "../../../src/service/local/edits/edit.ts";
import type { Seed } from "../../../src/service/local/store/seed.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

const SEED: Seed = {
  users: [{ name: "Owner", email: "owner@service.example" }],
  tokens: [{ token: "one-table", docId: "buttons", tableId: "grid-tasks" }],
  docs: [
    {
      id: "buttons",
      title: "Buttons",
      tables: [
        {
          id: "grid-tasks",
          name: "Tasks",
          columns: [
            { name: "Title" },
            { name: "Done", type: "checkbox" },
            {
              name: "Close",
              type: "button",
              format: { disableIf: "Done" },
              button: { set: { Done: true } },
            },
            {
              name: "Log",
              type: "button",
              button: {
                insert: [{ table: "Log", row: { Text: { column: "Title" }, Kind: "push" } }],
              },
            },
            { name: "Remove", type: "button", button: { deleteRow: true } },
            {
              name: "Send",
              type: "button",
              button: {
                action: {
                  pack: "tasks",
                  formula: "SaveTask",
                  args: [{ column: "Title" }, 2, true],
                },
              },
            },
            { name: "Nothing", type: "button" },
            { name: "Lost", type: "button", button: { insert: [{ table: "None", row: {} }] } },
          ],
          rows: [
            { Title: "one", Done: false },
            { Title: "two", Done: true },
          ],
        },
        { id: "grid-log", name: "Log", columns: [{ name: "Text" }, { name: "Kind" }] },
      ],
      automations: [
        { id: "grid-auto-on", name: "On" },
        { id: "grid-auto-off", name: "Off", enabled: false },
        { id: "grid-auto-time", name: "Daily", trigger: "time" },
      ],
    },
  ],
};

const ROWS = "/docs/buttons/tables/grid-tasks/rows";

async function push(test: ServiceUnderTest, row: string, button: string, token?: string) {
  const { status, body } = await test.write(
    "POST",
    `${ROWS}/${row}/buttons/${button}`,
    undefined,
    token,
  );
  if (status !== 202) return status;
  await test.service.settle();
  return (await test.send(`/mutationStatus/${body["requestId"]}`)).body;
}

async function readValues(test: ServiceUnderTest, table: string) {
  const { body } = await test.send(`/docs/buttons/tables/${table}/rows?useColumnNames=true`);
  return (body["items"] as { values: Record<string, unknown> }[]).map(({ values }) => values);
}

onEachDatabase("buttons", (start) => {
  // docs/rules.md: service 57
  it("a button runs its script, also on other tables and for a token that does not reach them", async () => {
    await using test = await start({ seed: SEED });
    expect(await push(test, "one", "Close")).toEqual({ completed: true });
    const pushed = await test.write("POST", `${ROWS}/one/buttons/Log`, undefined, "one-table");
    expect(pushed.status).toBe(202);
    expect(await readValues(test, "Log")).toEqual([{ Text: "one", Kind: "push" }]);
    expect(await readValues(test, "Tasks")).toMatchObject([{ Done: true }, { Done: true }]);
    expect(await push(test, "one", "Remove")).toEqual({ completed: true });
    expect(await readValues(test, "Tasks")).toHaveLength(1);
  });

  // docs/rules.md: service 57
  it("a disabled button, one without a script and one that misses its table complete with a warning", async () => {
    await using test = await start({ seed: SEED });
    expect(await push(test, "two", "Close")).toEqual({
      completed: true,
      warning: "The button is disabled in this row.",
    });
    expect(await push(test, "two", "Nothing")).toMatchObject({
      warning: expect.stringContaining("no scripted action"),
    });
    expect(await push(test, "two", "Lost")).toMatchObject({
      warning: expect.stringContaining('"None"'),
    });
    expect(await push(test, "two", "Title")).toBe(400);
    expect(await push(test, "two", "No%20such")).toBe(404);
    expect(await push(test, "three", "Close")).toBe(404);
  });

  it("runs the action of a Pack with the cells of the row, and completes when the action has", async () => {
    const calls: ActionCall[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await using test = await start({
      seed: SEED,
      actions: async (call) => {
        calls.push(call);
        await finished;
      },
    });
    const { body } = await test.write("POST", `${ROWS}/one/buttons/Send`);
    const status = async () => (await test.send(`/mutationStatus/${body["requestId"]}`)).body;
    expect(await status()).toEqual({ completed: false });
    // Later edits of the document do not wait for an action: it may send some itself.
    await test.write("POST", ROWS, {
      rows: [{ cells: [{ column: "Title", value: "meanwhile" }] }],
    });
    expect(await readValues(test, "Tasks")).toHaveLength(3);
    finish();
    await test.service.settle();
    expect(await status()).toEqual({ completed: true });
    const [row] = (await test.send(ROWS)).body["items"] as { id: string }[];
    expect(calls).toEqual([
      {
        pack: "tasks",
        formula: "SaveTask",
        args: ["one", 2, true],
        docId: "buttons",
        tableId: "grid-tasks",
        rowId: row?.id,
      },
    ]);
  });

  it("an action that fails, or that nothing runs, is a warning", async () => {
    await using failing = await start({
      seed: SEED,
      actions: async () => {
        throw new Error("no such task");
      },
    });
    expect(await push(failing, "one", "Send")).toEqual({
      completed: true,
      warning: "The action failed: no such task",
    });
    await using without = await start({ seed: SEED });
    const { body } = await without.write("POST", `${ROWS}/one/buttons/Send`);
    await without.service.settle();
    // Another process could still have the Pack, if the database is shared.
    await without.control("/clock", { advanceMs: 300_000 });
    await expect
      .poll(async () => (await without.send(`/mutationStatus/${body["requestId"]}`)).body, {
        timeout: 30_000,
      })
      .toMatchObject({
        completed: true,
        warning: expect.stringMatching(/started without actions|has the Pack of SaveTask/),
      });
  });
});

onEachDatabase("automations", (start) => {
  it("deliver what was sent to an address of this machine", async () => {
    const received: unknown[] = [];
    await using receiver = await receive(received, 200);
    await using refusing = await receive([], 500);
    const automations = [
      { id: "grid-auto-good", name: "Good", deliverTo: receiver.url },
      { id: "grid-auto-bad", name: "Bad", deliverTo: refusing.url },
      { id: "grid-auto-gone", name: "Gone", deliverTo: "http://127.0.0.1:1/" },
    ];
    await using test = await start({
      seed: { ...SEED, docs: [{ id: "buttons", title: "B", automations }] },
    });
    const trigger = async (rule: string, body?: unknown) => {
      const answer = await test.write("POST", `/docs/buttons/hooks/automation/${rule}`, body);
      await test.service.settle();
      return (await test.send(`/mutationStatus/${answer.body["requestId"]}`)).body;
    };
    expect(await trigger("grid-auto-good", { a: [1, { b: null }] })).toEqual({ completed: true });
    expect(await trigger("grid-auto-good")).toEqual({ completed: true });
    expect(received).toEqual([{ a: [1, { b: null }] }, {}]);
    expect(await trigger("grid-auto-bad")).toMatchObject({
      warning: expect.stringContaining("status 500"),
    });
    expect(await trigger("grid-auto-gone")).toMatchObject({
      warning: "The delivery of the automation failed.",
    });
  });

  it("take a form, too", async () => {
    const received: unknown[] = [];
    await using receiver = await receive(received, 204);
    const automations = [{ id: "grid-auto-good", name: "Good", deliverTo: receiver.url }];
    await using test = await start({
      seed: { ...SEED, docs: [{ id: "buttons", title: "B", automations }] },
    });
    await test.send("/docs/buttons/hooks/automation/grid-auto-good", {
      method: "POST",
      body: new URLSearchParams({ a: "1 2" }),
    });
    await test.service.settle();
    expect(received).toEqual([{ a: "1 2" }]);
  });

  it("answer 422 when they cannot run", async () => {
    await using test = await start({ seed: SEED });
    const trigger = async (rule: string, body: unknown = {}) =>
      (await test.write("POST", `/docs/buttons/hooks/automation/${rule}`, body)).status;
    expect([
      await trigger("grid-auto-on"),
      await trigger("grid-auto-off"),
      await trigger("grid-auto-time"),
    ]).toEqual([202, 422, 422]);
    expect([await trigger("grid-auto-none"), await trigger("grid-auto-on", [1])]).toEqual([
      404, 400,
    ]);
  });

  it("never deliver to another machine", async () => {
    const docs = [
      { title: "D", automations: [{ name: "Away", deliverTo: "https://collector.example/" }] },
    ];
    await expect(start({ seed: { ...SEED, docs } })).rejects.toMatchObject({
      code: "SEED_INVALID",
    });
  });
});

async function receive(received: unknown[], status: number) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    received.push(JSON.parse(text));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
