import { expect, it } from "vitest";
import { createRunRequests } from "../../../src/sandbox/host/run-requests.ts";

const MIB = 1024 * 1024;

it("requests with large bodies are all answered, and few of their bytes are in memory at once", async () => {
  let heldBytes = 0;
  let mostBytes = 0;
  let answered = 0;
  const { promise, resolve } = createPromise();
  const requests = createRunRequests({
    async post() {
      // The sandbox takes its time.
      await new Promise(setImmediate);
      heldBytes -= 20 * MIB;
      answered += 1;
      if (answered === 16) resolve();
    },
  });
  for (let id = 0; id < 16; id++)
    requests.answer(id, {}, async (growBody) => {
      for (let count = 0; count < 20; count++) {
        await growBody(MIB);
        heldBytes += MIB;
        mostBytes = Math.max(mostBytes, heldBytes);
        await new Promise(setImmediate);
      }
      return { ok: true, response: { status: 200 } };
    });
  await promise;
  expect(mostBytes / MIB).toBeGreaterThan(16);
  // The room for all, and the rest of the oldest body.
  expect(mostBytes / MIB).toBeLessThanOrEqual(16 + 20);
});

function createPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
