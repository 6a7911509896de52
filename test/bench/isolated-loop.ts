import { type ChildProcessByStdio, spawn } from "node:child_process";
import http from "node:http";
import type { Readable, Writable } from "node:stream";

/**
 * Parses pages and renames members in a context and a process of its own, and has nothing else that
 * a sandbox needs. A message is
 * a text without line breaks, and a line break.
 */
const CHILD = `const { readSync, writeSync } = require("node:fs");
const vm = require("node:vm");
const context = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
const rowsOf = vm.runInContext("(text) => JSON.parse(text).map(({ id, name, count, done }) => ({ id, title: name, count, done }))", context);
const write = vm.runInContext("JSON.stringify", context);
const send = (text) => {
  const bytes = Buffer.from(text + "\\n");
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
};
const buffer = Buffer.alloc(1 << 16);
let parts = [];
for (let count; (count = readSync(0, buffer)) > 0; ) {
  const end = buffer.indexOf(10);
  if (end < 0 || end >= count) { parts.push(Buffer.from(buffer.subarray(0, count))); continue; }
  const rows = rowsOf(Buffer.concat([...parts, buffer.subarray(0, end)]).toString());
  parts = [];
  send("next");
  send(write(rows));
}`;

export interface IsolatedLoop {
  /** @returns how many rows came */
  run(urls: readonly string[]): Promise<number>;
  stop(): void;
}

/**
 * Starts the least that a sync can be whose Pack runs in a process of its own: the next page is
 * asked for before the rows of this
 * one are written; nothing is checked, limited or recorded.
 */
export function startIsolatedLoop(): IsolatedLoop {
  const child = spawn(process.execPath, ["-e", CHILD], { stdio: ["pipe", "pipe", "inherit"] });
  const agent = new http.Agent({ keepAlive: true });
  const fetchText = (url: string) =>
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
          if (url !== undefined)
            fetchText(url).then((text) => child.stdin.write(`${text}\n`), reject);
        };
        const stopReading = readLines(child, (line) => {
          if (line === "next") return ask();
          count += (JSON.parse(line) as unknown[]).length;
          read += 1;
          if (read < urls.length) return;
          stopReading();
          resolve(count);
        });
        ask();
      }),
    stop() {
      agent.destroy();
      child.kill();
    },
  };
}

/** @returns a function that ends the reading */
function readLines(
  { stdout }: ChildProcessByStdio<Writable, Readable, null>,
  onLine: (line: string) => void,
): () => void {
  let parts: Buffer[] = [];
  const take = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      parts = [];
      rest = rest.subarray(end + 1);
      onLine(line);
    }
    if (rest.length > 0) parts.push(rest);
  };
  stdout.on("data", take);
  return () => stdout.off("data", take);
}
