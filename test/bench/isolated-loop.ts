import http from "node:http";
import { Worker } from "node:worker_threads";

/** Parses pages and renames members in a context of its own, in a thread of its own, and has nothing that an isolate needs beside. */
const WORKER = `const { parentPort } = require("node:worker_threads");
const vm = require("node:vm");
const context = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
const rowsOf = vm.runInContext("(text) => JSON.parse(text).map(({ id, name, count, done }) => ({ id, title: name, count, done }))", context);
const write = vm.runInContext("JSON.stringify", context);
parentPort.on("message", (text) => {
  const rows = rowsOf(text);
  parentPort.postMessage("next");
  parentPort.postMessage(write(rows));
});`;

export interface IsolatedLoop {
  /** @returns how many rows came */
  run(urls: readonly string[]): Promise<number>;
  stop(): void;
}

/**
 * Starts the least that a sync can be whose Pack runs in a thread of its own: the next page is asked for before the rows of this one
 * are written; nothing is checked, limited or recorded.
 */
export function startIsolatedLoop(): IsolatedLoop {
  const worker = new Worker(WORKER, { eval: true });
  const agent = new http.Agent({ keepAlive: true });
  const textOf = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const request = http.get(url, { agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
        response.on("error", reject);
      });
      request.on("error", reject);
    });
  return {
    run: (urls) =>
      new Promise((resolve, reject) => {
        let asked = 0;
        let read = 0;
        let count = 0;
        const ask = (): void => {
          const url = urls[asked++];
          if (url !== undefined) textOf(url).then((text) => worker.postMessage(text), reject);
        };
        const take = (message: string): void => {
          if (message === "next") {
            ask();
            return;
          }
          count += (JSON.parse(message) as unknown[]).length;
          read += 1;
          if (read < urls.length) return;
          worker.off("message", take);
          resolve(count);
        };
        worker.on("message", take);
        ask();
      }),
    stop() {
      agent.destroy();
      void worker.terminate();
    },
  };
}
