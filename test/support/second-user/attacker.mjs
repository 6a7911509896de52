// Another user of the machine: reads all that it can find, and tries everything that it found.
// Standard input says where to look, standard output what worked.
import * as fs from "node:fs";
import { createConnection, createServer } from "node:net";
import { setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const MAX_BYTES = 1_000_000;
const MAX_FILES = 2_000;
const MAX_CANDIDATES = 400;

const { pids, ports, folders, known, redirectPath, state } = JSON.parse(await text(process.stdin));
const worked = new Set();
const texts = [];

/** @returns what the work gives, or undefined if the system refuses */
function attempt(name, work) {
  try {
    const value = work();
    if (name !== undefined) worked.add(name);
    return value;
  } catch {
    return undefined;
  }
}

function readFile(name, path) {
  const read = attempt(name, () => {
    const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_BYTES);
      return bytes.subarray(0, fs.readSync(file, bytes)).toString("latin1");
    } finally {
      fs.closeSync(file);
    }
  });
  if (read !== undefined) texts.push(read);
}

// The processes.
const PRIVATE_PARTS = ["environ", "auxv", "syscall", "io"];
for (const pid of pids) {
  readFile(undefined, `/proc/${pid}/cmdline`);
  for (const part of PRIVATE_PARTS) readFile(`process: ${part}`, `/proc/${pid}/${part}`);
  attempt("process: fd", () => fs.readdirSync(`/proc/${pid}/fd`));
  attempt("process: fd", () => fs.readlinkSync(`/proc/${pid}/fd/1`));
  attempt("process: output", () => fs.closeSync(fs.openSync(`/proc/${pid}/fd/1`, "a")));
  attempt("process: working folder", () => fs.readdirSync(`/proc/${pid}/cwd`));
  attempt("process: root", () => fs.readdirSync(`/proc/${pid}/root`));
  attempt("process: memory maps", () => fs.readFileSync(`/proc/${pid}/maps`));
  for (const mode of ["r", "r+"])
    attempt("process: memory", () => fs.closeSync(fs.openSync(`/proc/${pid}/mem`, mode)));
  attempt("process: priority", () => setPriority(Number(pid), 1));
  attempt("process: out of memory", () => fs.writeFileSync(`/proc/${pid}/oom_score_adj`, "900"));
  // Opens Node's debugger.
  if (process.getuid() !== 0)
    for (const signal of [0, "SIGUSR1", "SIGWINCH", "SIGTERM"])
      attempt("process: signal", () => process.kill(Number(pid), signal));
}

// The files.
let files = 0;
function walk(folder, depth) {
  for (const entry of attempt(undefined, () => fs.readdirSync(folder, { withFileTypes: true })) ??
    []) {
    const path = join(folder, entry.name);
    texts.push(path);
    if (entry.isSymbolicLink()) texts.push(attempt(undefined, () => fs.readlinkSync(path)) ?? "");
    else if (entry.isDirectory() && depth > 0 && entry.name !== "node_modules")
      walk(path, depth - 1);
    else if (entry.isFile() && ++files < MAX_FILES) readFile(undefined, path);
  }
}
for (const folder of folders.visible) walk(folder, 6);
for (const folder of folders.private) {
  attempt("home: list", () => fs.readdirSync(folder));
  for (const name of ["vault.key", "vault.db", "trusted", "links/x", "dev/x", "services/x"]) {
    readFile("home: read", join(folder, name));
    attempt("home: overwrite", () => fs.closeSync(fs.openSync(join(folder, name), "r+")));
    attempt("home: create", () =>
      fs.writeFileSync(`${join(folder, name)}.new`, "", { flag: "wx" }),
    );
    attempt("home: rename", () => fs.renameSync(join(folder, name), `${join(folder, name)}.old`));
    attempt("home: link", () => {
      const link = `/tmp/link-${process.pid}`;
      fs.linkSync(join(folder, name), link);
      fs.rmSync(link);
    });
  }
  attempt("home: mode", () => fs.chmodSync(folder, 0o777));
  attempt("home: rename", () => fs.renameSync(folder, `${folder}.old`));
}
for (const folder of folders.visible)
  attempt("project: create", () => fs.writeFileSync(join(folder, "new.ts"), ""));

// The sockets.
const listed = attempt(undefined, () => fs.readFileSync("/proc/net/unix", "utf8")) ?? "";
const isOurs = (path) => [...folders.visible, ...folders.private].some((f) => path.startsWith(f));
for (const [, path] of listed.matchAll(/ (\/\S+)$/gm))
  if (isOurs(path)) await connect(`socket: ${path}`, { path });
for (const [, port] of listPorts()) if (port === 9229) await connect("debugger", { port });
for (const port of Object.values(ports))
  for (const host of ["127.0.0.1", "0.0.0.0", "localhost"]) await listen(port, host);

function listPorts() {
  const table = attempt(undefined, () => fs.readFileSync("/proc/net/tcp", "utf8")) ?? "";
  return [...table.matchAll(/^\s*\d+: [0-9A-F]{8}:([0-9A-F]{4}) \S+ 0A .*? (\d+) +\d+ \d+ /gm)]
    .filter(([, , uid]) => uid === "0")
    .map(([, port]) => [port, Number.parseInt(port, 16)]);
}

function connect(name, address) {
  return new Promise((resolve) => {
    const socket = createConnection(address, () => {
      worked.add(name);
      socket.destroy();
      resolve();
    });
    socket.on("error", resolve);
  });
}

function listen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ port, host }, () => {
      worked.add("port: listens in the place of a server");
      server.close(resolve);
    });
  });
}

// The servers, with every word that could be a key.
const found = texts.join("\n");
const words = new Set(known);
for (const [word] of found.matchAll(/[\w-]{16,64}/g)) words.add(word);
for (const [url] of found.matchAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+[\w./?=&%-]*/g))
  words.add(url);

const json = { "content-type": "application/json" };
const YEAR_MS = 365 * 86_400_000;
const advance = (path) => ({
  method: "POST",
  path,
  headers: json,
  body: JSON.stringify({ advanceMs: YEAR_MS }),
});

/** Requests that a word could open. */
function* requestsWith(word) {
  const { dev, callback, provider, service } = ports;
  yield ["dev: link", dev, { path: `/?launch=${word}` }];
  const cookie = `packsmith_dev_${dev}=${word}`;
  yield ["dev: cookie", dev, { path: "/api/pack", headers: { cookie } }];
  const headers = { "x-packsmith-instance": word };
  yield ["dev: instance", dev, { method: "POST", path: "/instance/link", headers }];
  yield ["dev: instance reads", dev, { path: "/api/pack", headers }];
  const page = { cookie, origin: `http://127.0.0.1:${dev}`, "x-packsmith-token": word, ...json };
  const run = { method: "POST", path: "/api/runs", body: "{}" };
  yield ["dev: run", dev, { ...run, headers: page }];
  if (callback !== undefined) {
    yield ["login: link", callback, { path: `/start?launch=${word}` }];
    const path = `${redirectPath}?code=${word}&state=${state}`;
    yield ["login: code", callback, { path }];
    yield ["login: code and cookie", callback, { path, headers: { cookie: `${word}=${word}` } }];
  }
  yield ["provider: control", provider, advance(`/__provider/${word}/clock`)];
  yield ["provider: requests", provider, { path: `/__provider/${word}/requests` }];
  yield ["service: control", service, advance(`/__emulator/${word}/clock`)];
  yield ["service: state", service, { path: `/__emulator/${word}/state` }];
  const authorization = `Bearer ${word}`;
  yield ["service: documents", service, { path: "/apis/v1/docs", headers: { authorization } }];
}

/** Requests without any key. */
function* requestsWithout() {
  const { dev, callback, provider, service } = ports;
  for (const path of ["/", "/index.html", "/?launch=", "/?launch", "/api/pack", "//api/pack"])
    yield ["dev: page", dev, { path }];
  for (const path of ["/api/events", "/api/history", "/api/timeline", "/api/accounts"])
    yield ["dev: data", dev, { path }];
  for (const path of ["/api/runs", "/api/service/start", "/api/publish/upload"])
    yield ["dev: change", dev, { method: "POST", path, headers: json, body: "{}" }];
  yield ["dev: method", dev, { method: "PUT", path: "/api/runs", headers: json, body: "{}" }];
  if (callback !== undefined) {
    for (const path of ["/start", "/start?launch=", "/start?launch[]=x", "/done"])
      yield ["login: page", callback, { path }];
    for (const query of [`code=x&state=${state}`, `error=access_denied&state=${state}`, "code=x"])
      yield ["login: end", callback, { path: `${redirectPath}?${query}` }];
    const body = `code=x&state=${state}`;
    yield ["login: form", callback, { method: "POST", path: redirectPath, body }];
  }
  for (const key of ["", "x", "%00", ".", "..%2f", "__proto__", "x/..", "undefined"]) {
    for (const path of ["clock", "reset", "faults"]) {
      yield ["provider: control", provider, advance(`/__provider/${key}/${path}`)];
      yield ["service: control", service, advance(`/__emulator/${key}/${path}`)];
    }
    yield ["service: state", service, { path: `/__emulator/${key}/state` }];
    yield ["provider: requests", provider, { path: `/__provider/${key}/requests` }];
  }
  for (const path of ["/apis/v1/docs", "/apis/v1/whoami", "/apis/v1/packs"])
    yield ["service: documents", service, { path }];
  const doc = JSON.stringify({ title: "Stranger's" });
  yield [
    "service: change",
    service,
    { method: "POST", path: "/apis/v1/docs", headers: json, body: doc },
  ];
}

async function send([name, port, { path, ...init }]) {
  try {
    const url = `http://127.0.0.1:${port}${path}`;
    const response = await fetch(url, { redirect: "manual", ...init });
    await response.body?.cancel();
    if (response.status < 400 || response.headers.has("set-cookie")) worked.add(name);
  } catch {
    // A word that cannot be in a URL or in a header.
  }
}

for (const request of requestsWithout()) await send(request);
const urls = [...words].filter((word) => word.startsWith("http:"));
for (const url of urls) {
  const { port, pathname, search } = new URL(url);
  const name = Object.entries(ports).find(([, each]) => String(each) === port)?.[0];
  if (name !== undefined) await send([`${name}: found link`, port, { path: pathname + search }]);
}
const keys = [...words].filter((word) => /^[\w-]+$/.test(word)).slice(0, MAX_CANDIDATES);
for (const key of keys) await Promise.all([...requestsWith(key)].map(send));
for (const folder of ["/dev/shm", "/run", "/var/tmp", "/tmp"]) walk(folder, 0);

console.log(
  JSON.stringify({ worked: [...worked].sort(), found: texts.join("\n"), tried: keys.length }),
);
