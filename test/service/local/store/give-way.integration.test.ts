import { expect, it } from "vitest";
import { giveWay, mapInPieces } from "../../../../src/service/local/store/give-way.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

/** Longer than statements of an embedded database follow each other without a pause. */
const PIECE_MS = 12;

it("a request of ten statements waits for two pieces of long work at most, not for one with each statement", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const read = () => storage.db.selectFrom("settings").select("name").execute();
  let [pieces, isOver] = [0, false];
  const work = async () => {
    for (; !isOver; pieces++) {
      await read();
      for (const endMs = performance.now() + PIECE_MS; performance.now() < endMs; );
      await giveWay();
    }
  };
  const working = work();
  while (pieces < 2) await new Promise(setImmediate);
  const before = pieces;
  for (let statements = 0; statements < 10; statements++) await read();
  expect(pieces - before).toBeLessThanOrEqual(2);
  isOver = true;
  await working;
});

it("others run between the pieces of a long list, and a short one is not interrupted", async () => {
  const countTurns = async (items: number) => {
    let [turns, isOver] = [0, false];
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const mapped = await mapInPieces(Array.from({ length: items }), 100, () => "mapped");
    isOver = true;
    expect(mapped).toEqual(Array.from({ length: items }, () => "mapped"));
    return turns;
  };
  expect(await countTurns(100)).toBe(0);
  expect(await countTurns(500)).toBeGreaterThanOrEqual(4);
});
