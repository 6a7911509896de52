import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

const WORKER = `const { port } = require("node:worker_threads").workerData;
port.on("message", (text) => port.postMessage(text));`;

/**
 * The least that a call into a thread of its own can take: a text goes there and comes back, and is waited for awake.
 * @param runs each after the thread has gone to sleep
 * @returns milliseconds of each
 */
export async function timeTextToThread(runs: number): Promise<number[]> {
  const { port1: port, port2 } = new MessageChannel();
  const worker = new Worker(WORKER, { eval: true, workerData: { port: port2 }, transferList: [port2] });
  const text = "x".repeat(300);
  const times: number[] = [];
  try {
    for (let run = -runs; run < runs; run++) {
      const started = performance.now();
      port.postMessage(text);
      while (receiveMessageOnPort(port) === undefined);
      if (run >= 0) times.push(performance.now() - started);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return times;
  } finally {
    await worker.terminate();
  }
}
