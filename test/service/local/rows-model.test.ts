import fc from "fast-check";
import { expect, it } from "vitest";
import { startTestService } from "../support.ts";

type Command =
  | { kind: "insert"; rows: { Key: string; Value: number }[] }
  | { kind: "upsert"; rows: { Key: string; Value: number }[] }
  | { kind: "update"; at: number; value: number }
  | { kind: "delete"; at: number[] };

const key = fc.constantFrom("a", "b", "c", "", "__proto__", "'; --");
const rows = fc.array(fc.record({ Key: key, Value: fc.integer() }), { maxLength: 4 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), rows }),
  fc.record({ kind: fc.constant("upsert" as const), rows }),
  fc.record({ kind: fc.constant("update" as const), at: fc.nat(20), value: fc.integer() }),
  fc.record({ kind: fc.constant("delete" as const), at: fc.array(fc.nat(20), { maxLength: 3 }) }),
);

it("inserts, upserts, updates and deletes as a plain array of rows does", async () => {
  await using test = await startTestService({
    seed: {
      users: [{ name: "Owner", email: "owner@service.example" }],
      docs: [{ id: "model", title: "Model", tables: [{ name: "T", columns: [{ name: "Key" }, { name: "Value", type: "number" }] }] }],
    },
  });
  const table = test.client.doc("model").table("T").rows;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 8 }), fc.integer({ min: 1, max: 7 }), async (commands, limit) => {
      await test.service.reset();
      let model: { Key: string; Value: number }[] = [];
      for (const step of commands) {
        const ids = (await table.list().all({ max: 1_000 })).map(({ id }) => id);
        if (step.kind === "insert") {
          await table.insert({ rows: step.rows });
          model.push(...step.rows);
        } else if (step.kind === "upsert") {
          await table.upsert({ key: ["Key"], rows: step.rows });
          for (const row of step.rows) {
            if (model.some(({ Key }) => Key === row.Key)) model = model.map((known) => (known.Key === row.Key ? row : known));
            else model.push(row);
          }
        } else if (step.kind === "update") {
          const id = ids[step.at];
          if (id === undefined) continue;
          await table.update(id, { Value: step.value });
          model = model.map((row, at) => (at === step.at ? { ...row, Value: step.value } : row));
        } else {
          await table.deleteMany(step.at.map((at) => ids[at] ?? "i-none"));
          model = model.filter((_, at) => !step.at.includes(at));
        }
      }
      const found = await table.list({ useColumnNames: true, limit }).all({ max: 1_000 });
      expect(found.map(({ values }) => values)).toEqual(model);
      expect(found.map(({ index }) => index)).toEqual(model.map((_, index) => index));
    }),
    { numRuns: 100 },
  );
}, 60_000);
