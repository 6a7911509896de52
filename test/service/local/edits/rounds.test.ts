import { expect, it } from "vitest";
import { createRounds } from "../../../../src/service/local/edits/rounds.ts";

function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

it("work of one document is done in turn, and that of another does not wait for it", async () => {
  const rounds = createRounds();
  const gate = createGate();
  const done: string[] = [];
  const first = rounds.inTurn("a", async () => {
    await gate.passed;
    done.push("a1");
  });
  const second = rounds.inTurn("a", async () => void done.push("a2"));
  await rounds.inTurn("b", async () => void done.push("b1"));
  expect(done).toEqual(["b1"]);
  gate.open();
  await Promise.all([first, second]);
  expect(done).toEqual(["b1", "a1", "a2"]);
});

it("those who ask before a round begins share it, and later ones get another", async () => {
  const rounds = createRounds();
  const gate = createGate();
  let count = 0;
  const work = async () => {
    count++;
    await gate.passed;
  };
  const waiting = [
    rounds.inTurn("a", () => gate.passed),
    rounds.share("a", work),
    rounds.share("a", work),
  ];
  gate.open();
  await Promise.all(waiting);
  expect(count).toBe(1);
  await rounds.share("a", work);
  expect(count).toBe(2);
});

it("work that fails is an error for who waits, and ends nothing else", async () => {
  const rounds = createRounds();
  const failed = rounds.share("a", () => Promise.reject(new Error("no")));
  const next = rounds.inTurn("a", async () => {});
  await expect(failed).rejects.toThrow("no");
  await expect(next).resolves.toBeUndefined();
  await expect(rounds.idle()).resolves.toBeUndefined();
});
