/**
 * Attempts to get hold of an object of another realm. Each is the body of an asynchronous formula.
 * What it returns, throws or
 * gives to `look` is searched for such objects, with all that can be reached from it; a text that
 * it gives to `found` is a success
 * in itself. `args`, `ctx` and `overflow` are in scope: `overflow(work)` calls `work` at every
 * depth of a full stack, and looks at
 * all errors on the way back.
 */
export const WALKED_ATTEMPTS: Readonly<Record<string, string>> = {
  ...heldValues(),
  ...fullStacks(),
  ...stackTraces(),
  ...promises(),
  ...codeFromText(),
  ...dataAcrossTheBorder(),
  ...pollutedPrototypes(),
  ...restOfTheLanguage(),
  ...makersOfCode(),
  ...callsFromInside(),
  ...newerLanguage(),
};

/** What a Pack holds without doing anything. */
function heldValues(): Record<string, string> {
  return named("holding", {
    globalThis: "look(globalThis, 60000);",
    "the names of globalThis":
      "for (const key of Reflect.ownKeys(globalThis)) { look(globalThis[key]); look(Object.getOwnPropertyDescriptor(globalThis, key)); }",
    "the arguments of the formula": "look(args);",
    "the arguments object":
      "look((function () { return arguments; })(1, 2)); look(outerArguments);",
    "this of a loose function": `look(new Function("return this")()); look(outerThis);`,
    "the context": "look(ctx);",
    "the fetcher": "look(ctx.fetcher); look(ctx.fetcher.fetch.bind); look(ctx.fetcher.fetch.call);",
    "the blob storage": "look(ctx.temporaryBlobStorage);",
    "the promise of a request": `const promise = ctx.fetcher.fetch({ method: "GET", url: "https://undeclared.example/" }); look(promise); await promise.catch(look);`,
    "a response": `look(await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }));`,
    "a binary response": `const { body } = await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/bytes" }); look(body); look(body.buffer); look(body.constructor);`,
    "a response that is made of parsed text": `look((await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/text" })).body);`,
    "a response that is made of bytes": `look((await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/raw" })).body);`,
    "a response that is made of text": `look((await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/plain" })).body);`,
    "a refused blob": `await ctx.temporaryBlobStorage.storeBlob(new Uint8Array(3), "text/plain").catch(look);`,
    "module and exports": "look(module); look(exports); look(module.exports);",
    "the console": `look(console); look(console.log("x"));`,
    crypto: "look(crypto); look(crypto.getRandomValues(new Uint8Array(4)));",
    Buffer: `look(Buffer); look(Buffer.from("x")); look(Buffer.prototype); look(Buffer.from("x").buffer); look(Buffer.alloc(2).parent);`,
    "objects of Intl": `look(Intl); look(new Intl.DateTimeFormat("en").formatToParts(0)); look(new Intl.NumberFormat("de").resolvedOptions()); look(Intl.getCanonicalLocales("en"));`,
    iterators: `for (const one of [[].values(), "x"[Symbol.iterator](), new Map().entries(), new Set().values(), "a".matchAll(/a/g), (function* () {})(), (async function* () {})()]) look(one);`,
    "the prototypes of all kinds of functions":
      "for (const one of [() => 1, async () => 1, function* () {}, async function* () {}, class {}, { get x() { return 1; } }]) look(one);",
    "eval and Function": "look(eval); look(Function); look(Function.prototype);",
    "the thrower of strict arguments": `const strict = (function () { "use strict"; return arguments; })(); look(Object.getOwnPropertyDescriptor(strict, "callee")); look(Object.getOwnPropertyDescriptor(Function.prototype, "caller"));`,
    "new.target": "look(new (class { constructor() { this.target = new.target; } })());",
  });
}

/** The end of the stack, in everything that native code calls back. */
function fullStacks(): Record<string, string> {
  const callbacks: Record<string, string> = {
    "a plain function": "",
    "reading a stack": "void new Error('x').stack;",
    "reading the stack of a caught error": "try { null.x; } catch (error) { void error.stack; }",
    "reading the stack of an error whose name is a symbol":
      "const error = new Error('x'); error.name = Symbol('x'); void error.stack;",
    "capturing a stack": "const target = {}; Error.captureStackTrace(target); void target.stack;",
    "preparing a stack":
      "Error.prepareStackTrace = (error, frames) => frames.map(String); void new Error('x').stack;",
    "a getter": "void ({ get x() { return work(); } }).x;",
    "a setter": "({ set x(value) { work(); } }).x = 1;",
    "a proxy's get": "void new Proxy({}, { get: work }).x;",
    "a proxy's has": "void ('x' in new Proxy({}, { has: work }));",
    "a proxy's ownKeys": "Object.keys(new Proxy({}, { ownKeys: () => { work(); return []; } }));",
    "a proxy's getPrototypeOf":
      "Object.getPrototypeOf(new Proxy({}, { getPrototypeOf: () => { work(); return null; } }));",
    "a proxy's construct":
      "new (new Proxy(class {}, { construct: () => { work(); return {}; } }))();",
    toString: "void ('' + { toString: () => { work(); return 'x'; } });",
    valueOf: "void (+{ valueOf: () => { work(); return 1; } });",
    "Symbol.toPrimitive": "void (+{ [Symbol.toPrimitive]: () => { work(); return 1; } });",
    "Symbol.hasInstance":
      "void ({} instanceof { [Symbol.hasInstance]: () => { work(); return true; } });",
    "Symbol.species":
      "class Own extends Array { static get [Symbol.species]() { work(); return Array; } } new Own(1).map((x) => x);",
    "Symbol.iterator":
      "[...{ [Symbol.iterator]: () => { work(); return [][Symbol.iterator](); } }];",
    "a comparator": "[2, 1].sort(() => { work(); return 0; });",
    "a comparator of a typed array": "new Uint8Array(2).sort(() => { work(); return 0; });",
    "a mapper": "Array.from([1], work);",
    "a replacer of text": "'x'.replace(/x/, () => { work(); return ''; });",
    "Symbol.replace": "'x'.replace({ [Symbol.replace]: () => { work(); return ''; } }, '');",
    "exec of a pattern":
      "const pattern = /x/; pattern.exec = () => { work(); return null; }; pattern.test('x');",
    "a reviver": "JSON.parse('[1]', (key, value) => { work(); return value; });",
    "a replacer": "JSON.stringify([1], (key, value) => { work(); return value; });",
    toJSON: "JSON.stringify({ toJSON: () => { work(); return 1; } });",
    "an executor": "new Promise(() => { work(); }).catch(() => {});",
    "a thenable": "Promise.resolve({ get then() { work(); return undefined; } }).catch(() => {});",
    "an asynchronous function": "(async () => { work(); })().catch(() => {});",
    "a generator": "[...(function* () { yield work(); })()];",
    "an asynchronous generator": "(async function* () { yield work(); })().next().catch(() => {});",
    "a tagged template": "((strings) => { look(strings); return work(); })`xy`;",
    "a static block": "class Own { static { work(); } }",
    "a default parameter": "((x = work()) => x)();",
    eval: "(0, eval)('1'); work();",
    "a function from text": "new Function('work', 'return work()')(work);",
    "a pattern from text": "try { new RegExp('('); } catch (error) { look(error); } work();",
    console: "console.log({ get x() { return work(); } });",
    "an error in the console": "console.log(new Error('x')); work();",
    "a request": "ctx.fetcher.fetch({ get url() { return work(); } }).catch(() => {});",
    "a Buffer":
      "Buffer.from({ valueOf: () => { work(); return 'x'; } }); Buffer.from('x').toString('hex');",
    "random values": "crypto.getRandomValues(new Uint8Array(1)); work();",
    "a format of Intl":
      "new Intl.NumberFormat('en', { get style() { work(); return 'decimal'; } });",
    "a date": "new Date({ valueOf: () => { work(); return 0; } });",
    "a reaction of a promise": "Promise.reject(new Error('x')); work();",
  };
  return named(
    "a full stack in",
    Object.fromEntries(
      Object.entries(callbacks).map(([name, code]) => [
        name,
        `overflow((work) => { ${code} work(); });`,
      ]),
    ),
  );
}

/** What V8 and Node do for `error.stack`. */
function stackTraces(): Record<string, string> {
  const use = "try { look(error.stack); } catch (thrown) { look(thrown); }";
  return named("a stack trace of", {
    "an error whose name is a symbol": `const error = new Error("x"); error.name = Symbol("x"); ${use}`,
    "an error whose message is a symbol": `const error = new Error("x"); Object.defineProperty(error, "message", { value: Symbol("x") }); ${use}`,
    "an error whose name throws": `const error = new Error("x"); Object.defineProperty(error, "name", { get() { throw new Error("y"); } }); ${use}`,
    "an error whose name is an object that cannot be text": `const error = new Error("x"); error.name = Object.create(null); ${use}`,
    "an error whose toString is another": `const error = new Error("x"); error.toString = function (...given) { look(this); look(given); return "x"; }; ${use}`,
    "an error without a prototype": `const error = new Error("x"); Object.setPrototypeOf(error, null); ${use}`,
    "an error whose prototype is a proxy": `const error = new Error("x"); Object.setPrototypeOf(error, new Proxy(Error.prototype, { get(...given) { look(given); return undefined; }, getPrototypeOf(target) { look(target); return null; } })); ${use}`,
    "an object": `const error = {}; Error.captureStackTrace(error); ${use}`,
    "a function": `const error = () => {}; Error.captureStackTrace(error); ${use}`,
    globalThis: `Error.captureStackTrace(globalThis); const error = globalThis; ${use} delete globalThis.stack;`,
    "a proxy": `const error = new Proxy({}, { defineProperty(target, name, descriptor) { look(descriptor); return Reflect.defineProperty(target, name, descriptor); } }); try { Error.captureStackTrace(error); } catch (thrown) { look(thrown); } ${use}`,
    "a frozen object": `const error = Object.freeze({}); try { Error.captureStackTrace(error); } catch (thrown) { look(thrown); }`,
    "an error of errors": `const error = new AggregateError([new Error("a"), 1], "x"); ${use}`,
    "an error with a cause that contains it": `const error = new Error("x"); error.cause = error; console.log(error); ${use}`,
    "an error in eval": `let error; try { (0, eval)("null.x"); } catch (thrown) { error = thrown; } ${use}`,
    "a syntax error": `let error; try { (0, eval)("let ;"); } catch (thrown) { error = thrown; } look(error); ${use}`,
    "an error after many awaits": `const dive = async (n) => { if (n === 0) throw new Error("x"); await null; return dive(n - 1); }; let error; await dive(30).catch((thrown) => { error = thrown; }); ${use}`,
    "an error from native code": `let error; try { [3].reduce(() => null.x, 0); } catch (thrown) { error = thrown; } look(error); ${use}`,
    "any number of frames": `Error.stackTraceLimit = Infinity; const error = new Error("x"); ${use} if (/node:|packsmith:|\\/|\\\\/.test(error.stack)) found("a path of the host: " + error.stack);`,
    "a limit that is a getter": `Object.defineProperty(Error, "stackTraceLimit", { get() { look(this); return 10; } }); const error = new Error("x"); ${use}`,
    "a limit that is an object": `Error.stackTraceLimit = { valueOf() { look(this); return 5; } }; const error = new Error("x"); ${use}`,
    "prepared frames": `Error.prepareStackTrace = (error, frames) => { look(error); look(frames); for (const frame of frames) { look(frame); for (const name of ["getThis", "getFunction", "getEvalOrigin", "getTypeName", "getFileName"]) look(frame[name]()); if (frame.getThis() !== undefined || frame.getFunction() !== undefined) found("a function of a frame"); } return ""; }; const error = new Error("x"); ${use}`,
    "prepared frames with this": `Error.prepareStackTrace = function (...given) { look(this); look(given); look(arguments.callee); return given; }; const error = new Error("x"); ${use}`,
    "prepared frames of a syntax error": `Error.prepareStackTrace = (...given) => { look(given); return ""; }; let error; try { (0, eval)("("); } catch (thrown) { error = thrown; } ${use}`,
    "a preparation that throws": `Error.prepareStackTrace = () => { throw Symbol("x"); }; const error = new Error("x"); ${use}`,
    "a preparation that prepares": `let depth = 0; Error.prepareStackTrace = (error, frames) => { look(frames); if (depth++ < 50) void new Error("y").stack; return frames; }; const error = new Error("x"); ${use}`,
    "a preparation that is a proxy": `Error.prepareStackTrace = new Proxy(() => "", { apply(target, self, given) { look(self); look(given); return ""; } }); const error = new Error("x"); ${use}`,
    "a preparation behind a getter": `Object.defineProperty(Error, "prepareStackTrace", { get() { look(this); return (...given) => { look(given); return ""; }; } }); const error = new Error("x"); ${use}`,
    "another Error": `globalThis.Error = class extends Error { static prepareStackTrace(...given) { look(given); return ""; } }; const error = new Error("x"); ${use}`,
    "frames after patching all arrays": `Object.defineProperty(Array.prototype, 0, { set(value) { look(this); look(value); }, configurable: true }); const error = new Error("x"); ${use} delete Array.prototype[0];`,
  });
}

/** Promises, and what V8 reports about them. */
function promises(): Record<string, string> {
  const trap = `{ get(target, name, receiver) { look(receiver); look(target); return Reflect.get(target, name); }, ownKeys(target) { look(target); return Reflect.ownKeys(target); }, getPrototypeOf(target) { look(target); return Reflect.getPrototypeOf(target); } }`;
  return named("promises:", {
    "a rejection that is never handled": `Promise.reject(new Error("x"));`,
    "a rejection that is handled late": `const late = Promise.reject(new Error("x")); await null; await null; late.catch(look);`,
    "a rejection that is handled after a request": `const late = Promise.reject(new Error("x")); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); late.catch(look);`,
    "a late rejection with a getter of process on all objects": `Object.defineProperty(Object.prototype, "domain", { get() { look(this); return undefined; }, configurable: true }); const late = Promise.reject(new Error("x")); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); late.catch(look); delete Object.prototype.domain;`,
    "a rejection with a proxy": `Promise.reject(new Proxy(new Error("x"), ${trap})); await null;`,
    "a rejection with an object that has a custom inspector": `Promise.reject({ [Symbol.for("nodejs.util.inspect.custom")](...given) { look(given); look(this); return "x"; } }); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" });`,
    "an error with a custom inspector": `const error = new Error("x"); error[Symbol.for("nodejs.util.inspect.custom")] = function (...given) { look(given); return "x"; }; Promise.reject(error); console.log(error); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); throw error;`,
    "a revoked proxy as a reason": `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); Promise.reject(proxy); await null;`,
    "many rejections": `for (let i = 0; i < 5000; i++) Promise.reject(new Error("x".repeat(100)));`,
    "a rejection in a reaction to a rejection": `Promise.reject(1).catch(() => { throw Promise.reject(2); }); await null;`,
    "resolving twice": `new Promise((resolve, reject) => { look(resolve); look(reject); resolve(1); reject(new Error("x")); resolve(2); });`,
    "a class of promises": `class Own extends Promise { constructor(run) { super((resolve, reject) => { look(resolve); look(reject); run(resolve, reject); }); } } look(await Own.resolve(1).then((x) => x)); return Own.reject(new Error("x"));`,
    "the species of promises": `Object.defineProperty(Promise, Symbol.species, { get() { look(this); return Promise; }, configurable: true }); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }).then(look);`,
    "another then of all promises": `const { then } = Promise.prototype; Promise.prototype.then = function (...given) { look(this); look(given); return Reflect.apply(then, this, given); }; await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); Promise.prototype.then = then;`,
    "another constructor of all promises": `Object.defineProperty(Promise.prototype, "constructor", { get() { look(this); return Promise; }, configurable: true }); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" });`,
    "another Promise": `const Original = Promise; globalThis.Promise = function (run) { return new Original((...given) => { look(given); return run(...given); }); }; look(ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" })); globalThis.Promise = Original;`,
    "a thenable as the result": `return { then(...given) { look(given); look(this); given[0](1); } };`,
    "a thenable that is a proxy": `return new Proxy({}, { get(target, name, receiver) { look(receiver); return name === "then" ? (...given) => { look(given); given[0](1); } : undefined; } });`,
    "an asynchronous iterator": `const iterator = { [Symbol.asyncIterator]() { look(this); return { next: (...given) => { look(given); return Promise.resolve({ done: true, get value() { look(this); return 1; } }); }, return: look }; } }; for await (const x of iterator) look(x);`,
    "an asynchronous generator": `const generator = (async function* () { try { yield 1; } finally { look(await Promise.reject(2).catch((x) => x)); } })(); look(await generator.next()); look(await generator.return(Promise.resolve(3)));`,
    "any of rejected promises": `await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((error) => { look(error); look(error.errors); });`,
    "all that settle": `look(await Promise.allSettled([1, Promise.reject(2)]));`,
    finally: `await Promise.resolve(1).finally(function (...given) { look(this); look(given); });`,
    "a promise of the last run": `look(globalThis.last); globalThis.last = ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" });`,
    "asking after the run": `ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }).then(async () => { for (let i = 0; i < 20; i++) await null; await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }).catch(look); });`,
  });
}

function codeFromText(): Record<string, string> {
  const tried = (code: string) =>
    `try { const made = ${code}; look(made); look(await made); } catch (error) { look(error); }`;
  return named("code from text:", {
    "eval of import()": tried(`eval('import("node:fs")')`),
    "Function with import()": tried(`new Function('return import("node:fs")')()`),
    "an escape in import()": tried(`(0, eval)('\\\\u0069mport("node:fs")')`),
    "import() of data": tried(
      `(0, eval)('im' + 'port("data:text/javascript,export default process")')`,
    ),
    "import.meta": tried(`(0, eval)("import.meta")`),
    "an import declaration": tried(`(0, eval)('import fs from "node:fs"; fs')`),
    "import() in an asynchronous function from text": tried(
      `(async () => {}).constructor('return await import("node:process")')()`,
    ),
    "import() in a generator from text": tried(
      `(function* () {}).constructor('yield import("node:process")')().next()`,
    ),
    "import() in a parameter": tried(`new Function('x = import("node:fs")', 'return x')()`),
    "import() after a comment that ends the parameters": tried(
      `new Function('/*', '*/){ return import("node:fs") }, function(')()`,
    ),
    "import() with an attribute": tried(
      `(0, eval)('import("/etc/passwd", { with: { type: "json" } })')`,
    ),
    "import() with a thenable": tried(
      `(0, eval)('imp' + 'ort({ toString() { look(this); return "node:fs"; } })')`,
    ),
    "a source URL": tried(`(0, eval)("new Error('x')\\n//# sourceURL=node:internal/process")`),
    "a source map": tried(
      `(0, eval)("new Error('x').stack\\n//# sourceMappingURL=file:///etc/passwd")`,
    ),
    "a source map as data": tried(
      `new Function("return new Error('x').stack\\n//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ==")()`,
    ),
    "a comment of HTML": tried(`(0, eval)("<!-- \\nglobalThis\\n--> x")`),
    "a line separator": tried(`(0, eval)("'\\u2028' + this")`),
    "a name that only Node's wrapper has": tried(
      `(0, eval)("typeof require + typeof __filename + typeof __dirname")`,
    ),
    "this of the outermost function": tried("outerThis"),
    "leaving the wrapper of the bundle": tried(`(0, eval)("}); process; (function () {")`),
    "a shadow realm": tried(`new ShadowRealm().evaluate("globalThis")`),
    "the constructor of the constructor": tried(`({}).constructor.constructor("return process")()`),
    "the constructor of a proxy": tried(
      `new Proxy(function () {}, {}).constructor("return process")()`,
    ),
    "the constructor of a bound function": tried(
      `(() => {}).bind().constructor("return process")()`,
    ),
    "the constructor of console": tried(`console.log.constructor("return process")()`),
    "the constructor of a class": tried(`(class {}).constructor("return process")()`),
    "a class that extends Function": tried(`new (class extends Function {})("return process")()`),
    "apply of Function": tried(`Function.apply(null, ["return process"])()`),
    "the global object through a getter from text": tried(
      `Object.getOwnPropertyDescriptor({ get x() { return Function("return this")(); } }, "x").get()`,
    ),
  });
}

function dataAcrossTheBorder(): Record<string, string> {
  const sent = (value: string) =>
    `const sent = ${value}; await ctx.fetcher.fetch({ method: "POST", url: "https://ok.example/", body: sent }).catch(look); console.log(sent); return sent;`;
  const spies = `{ get x() { look(this); return 1; }, toJSON(...given) { look(this); look(given); return 1; }, valueOf() { look(this); return 1; }, toString() { look(this); return "x"; } }`;
  return named("sending", {
    getters: sent(spies),
    "a proxy": sent(
      `new Proxy({ a: 1 }, new Proxy({}, { get(target, trap) { return (...given) => { look(given); return Reflect[trap](...given); }; } }))`,
    ),
    "a proxy of an array": sent(
      `new Proxy([1, 2], { get(target, name, receiver) { look(receiver); return Reflect.get(target, name); } })`,
    ),
    "an array whose length grows": sent(
      `new Proxy([], { get(target, name) { return name === "length" ? 3 : ${spies}; } })`,
    ),
    "a date with another getTime": sent(
      `Object.assign(new Date(), { getTime() { look(this); return 0; }, toISOString() { look(this); return "x"; } })`,
    ),
    "bytes with other getters": sent(
      `Object.defineProperties(new Uint8Array(3), { buffer: { get() { look(this); return new ArrayBuffer(8); } }, byteLength: { get() { look(this); return 1e9; } } })`,
    ),
    "a class of bytes": sent(
      `new (class extends Uint8Array { static get [Symbol.species]() { look(this); return Array; } subarray(...given) { look(given); return []; } })(5)`,
    ),
    "a detached buffer": sent(
      `(() => { const bytes = new Uint8Array(8); try { bytes.buffer.transfer?.(); } catch (error) { look(error); } return bytes; })()`,
    ),
    "a resizable buffer": sent(
      `(() => { try { return new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })); } catch (error) { look(error); return 1; } })()`,
    ),
    "a view of a buffer": sent("new DataView(new ArrayBuffer(8))"),
    "an error": sent(`Object.assign(new Error("x"), { toJSON() { look(this); return 1; } })`),
    "a function": sent("() => 1"),
    "a generator": sent("(function* () { yield 1; })()"),
    "a regular expression": sent(
      `Object.assign(/x/, { toString() { look(this); return "x"; }, exec(...given) { look(given); return null; } })`,
    ),
    "an object that says that it is a date": sent(
      `({ [Symbol.toStringTag]: "Date", getTime() { look(this); return 0; } })`,
    ),
    "an object that says that it is a problem": sent(
      `({ isUnsendable: true, path: { toString() { look(this); return "x"; } }, reason: "x" })`,
    ),
    "an object with the tag of the border": sent(
      `({ $: "bytes", v: { get length() { look(this); return 4; } } })`,
    ),
    "a member named __proto__": sent(
      `JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}')`,
    ),
    "wrapped values": sent("[Object(1), Object('x'), Object(true), Object(Symbol.iterator)]"),
    "deep arrays": sent(
      "(() => { let all = []; for (let i = 0; i < 5000; i++) all = [all]; return all; })()",
    ),
    "an error with getters": `throw { get name() { look(this); return "x"; }, get message() { look(this); return "x"; }, get stack() { look(this); return "x"; }, get isUserVisible() { look(this); return true; }, get statusCode() { look(this); return 404; } };`,
    "an error that is a proxy": `throw new Proxy(new Error("x"), { get(target, name, receiver) { look(receiver); return Reflect.get(target, name); }, has(target) { look(target); return true; } });`,
    "a problem of the border that was forged": `throw { isUnsendable: true, get path() { look(this); return "x"; }, get reason() { look(this); return "y"; } };`,
  });
}

/** Names that Node's code and the sandbox's own code read. */
function pollutedPrototypes(): Record<string, string> {
  const names = {
    options: [
      "timeout",
      "displayErrors",
      "breakOnSigint",
      "filename",
      "cachedData",
      "importModuleDynamically",
      "microtaskMode",
    ],
    "streams and files": ["position", "offset", "length", "encoding", "fd", "buffer", "signal"],
    descriptors: ["value", "writable", "enumerable", "configurable"],
    messages: [
      "k",
      "run",
      "id",
      "call",
      "context",
      "kind",
      "args",
      "name",
      "message",
      "stack",
      "fetchId",
    ],
    errors: [
      "code",
      "cause",
      "errors",
      "isUserVisible",
      "statusCode",
      "isUnsendable",
      "path",
      "reason",
    ],
    promises: ["then", "catch", "domain", "captureRejections", "async_id_symbol"],
    internals: [
      "constructor",
      "prototype",
      "caller",
      "callee",
      "arguments",
      "__proto__",
      "toJSON",
      "inspect",
    ],
  };
  const after = `void new Error("x").stack; console.log({ a: [1, new Date(0)] }); try { null.x; } catch (error) { void error.stack; } Promise.reject(1); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }).catch(look);`;
  const pollute = (target: string, list: readonly string[]) =>
    `const old = {}; for (const name of ${JSON.stringify(list)}) { old[name] = Object.getOwnPropertyDescriptor(${target}, name); try { Object.defineProperty(${target}, name, { get() { look(this, 50); return old[name]?.value; }, set(value) { look(this, 50); look(value, 50); Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); }, configurable: true }); } catch (error) { look(error); } }
     try { ${after} } finally { for (const name of Object.keys(old)) { delete ${target}[name]; if (old[name]) Object.defineProperty(${target}, name, old[name]); } }`;
  const rows = Object.entries(names).flatMap(([topic, list]) =>
    ["Object.prototype", "Function.prototype", "Array.prototype"].map(
      (target) => [`${target} with ${topic}`, pollute(target, list)] as const,
    ),
  );
  return named("polluting", Object.fromEntries(rows));
}

function restOfTheLanguage(): Record<string, string> {
  return named("the language:", {
    "weak references": "const ref = new WeakRef({}); look(ref); look(ref.deref());",
    finalisation:
      "const registry = new FinalizationRegistry(look); for (let i = 0; i < 1000; i++) registry.register({}, { i }, {}); look(registry); const all = []; for (let i = 0; i < 200; i++) all.push(new Array(1000).fill(i)); await null;",
    "weak collections": "look(new WeakMap([[{}, 1]])); look(new WeakSet([{}]));",
    "template objects": "look(((strings) => strings)`ab`); look(((strings) => strings.raw)`a`);",
    "the registry of symbols": `for (const name of ["nodejs.util.inspect.custom", "nodejs.rejection", "nodejs.util.promisify.custom", "nodejs.dispose"]) { look(Symbol.for(name)); look(globalThis[Symbol.for(name)]); }`,
    "species of arrays":
      "class Own extends Array {} look(new Own(1, 2).map((x) => x)); look(new Own(3).concat([1]));",
    "iterator helpers": `if (typeof Iterator !== "undefined") { look(Iterator); look([1].values().map((x) => x)); look(Iterator.from({ next: () => ({ done: true }) })); }`,
    "sets and maps":
      "look(Object.groupBy?.([1], (x) => x)); look(Map.groupBy?.([1], (x) => x)); look(new Set([1]).union?.(new Set([2])));",
    "getters of typed arrays":
      "for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(Uint8Array))) look(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array), name));",
    "labels of numbers": `look((1n).toLocaleString("de")); look((1).toLocaleString("ar", { style: "currency", currency: "EUR" }));`,
    "a segmenter": `if (Intl.Segmenter) { const parts = new Intl.Segmenter("en", { granularity: "word" }).segment("a b"); look(parts); look([...parts]); look(parts.containing(0)); }`,
    "collation with a getter": `try { new Intl.Collator("en", new Proxy({}, { get(...given) { look(given); return undefined; } })); } catch (error) { look(error); }`,
    "an invalid locale": `try { "x".localeCompare("y", "not a locale"); } catch (error) { look(error); }`,
    "an invalid array length":
      "try { [].length = -1; } catch (error) { look(error); } try { new Uint8Array(-1); } catch (error) { look(error); }",
    "an invalid date": "try { new Date(NaN).toISOString(); } catch (error) { look(error); }",
    "an invalid code point": "try { String.fromCodePoint(-1); } catch (error) { look(error); }",
    "an invalid URI": `try { decodeURIComponent("%"); } catch (error) { look(error); }`,
    "a text that is too long": `try { "x".repeat(2 ** 30); } catch (error) { look(error); }`,
    "a pattern that is too large": `try { new RegExp("(".repeat(100000) + ")".repeat(100000)); } catch (error) { look(error); }`,
    "a JSON text that is broken": `try { JSON.parse("{"); } catch (error) { look(error); }`,
    "a value used before its definition":
      "try { early; } catch (error) { look(error); } let early = 1;",
    "private members of others":
      "class Own { #x = 1; static read(other) { return other.#x; } } try { Own.read({}); } catch (error) { look(error); }",
    "a revoked proxy":
      "const { proxy, revoke } = Proxy.revocable(() => {}, {}); revoke(); try { proxy(); } catch (error) { look(error); }",
    "a prototype of globalThis that is a proxy": `try { Object.setPrototypeOf(globalThis, new Proxy({}, { get(...given) { look(given[0]); look(given[2]); return undefined; }, has(target) { look(target); return false; } })); void somethingUnknown; } catch (error) { look(error); }`,
    "accessors on globalThis": `Object.defineProperty(globalThis, "trap", { get() { look(this, 100); return 1; }, set(value) { look(this, 100); }, configurable: true }); void trap; trap = 2; look(Object.getOwnPropertyDescriptor(globalThis, "trap"));`,
    "globalThis sealed":
      "try { Object.preventExtensions(globalThis); } catch (error) { look(error); } try { globalThis.added = 1; } catch (error) { look(error); }",
    "names that the sandbox uses": `for (const name of ["sandbox", "bridge", "INSIDE", "packsmith", "process", "require", "internalBinding", "primordials"]) { look(globalThis[name]); try { look((0, eval)(name)); found("there is a " + name); } catch (error) { look(error); } }`,
    "assigning those names": `for (const name of ["sandbox", "bridge", "drain", "step"]) globalThis[name] = new Proxy({}, { get(...given) { look(given); return () => "[]"; } });`,
    "the classes of URLs":
      'look(URL); look(URLSearchParams); const url = new URL("https://ä.example/?a=b"); look(url); look([...url.searchParams]); try { new URL(":"); } catch (error) { look(error); } try { URL.prototype.href; } catch (error) { look(error); }',
    "the classes of URLs where the stack ends":
      'overflow((dive) => { look(new URL("https://ä.example/?a=b").href); dive(); });',
    "a first use of URL that fails":
      'Object.defineProperty(Object.prototype, "get", { get() { look(this, 100); throw new Error("x"); }, configurable: true }); try { look(URL); } catch (error) { look(error); } finally { delete Object.prototype.get; }',
    "the time": "look(Date); look(new Date()); look(Date.prototype.constructor); look(Date.now);",
    "async local state": `for (const name of ["AsyncContext", "AsyncLocalStorage", "queueMicrotask", "setTimeout", "structuredClone", "fetch", "performance"]) if (name in globalThis) found("there is a " + name);`,
  });
}

/**
 * Other ways to a constructor of functions, and other ways to hide `import()` from the check of its
 * text.
 */
function makersOfCode(): Record<string, string> {
  const tried = (code: string) =>
    `try { const made = ${code}; look(made); look(await made); } catch (error) { look(error); }`;
  const asyncFunction = "Object.getPrototypeOf(async () => {}).constructor";
  return named("made code:", {
    "a new.target whose prototype is a getter": tried(
      `Reflect.construct(Function, ["return this"], new Proxy(function () {}, { get(target, name, receiver) { look(receiver); return name === "prototype" ? { get x() { look(this); } } : target[name]; } }))()`,
    ),
    "a new.target that is another maker": tried(
      `Reflect.construct(Function, ["return import('node:fs')"], ${asyncFunction})()`,
    ),
    "a class that extends the asynchronous maker": tried(
      `new (class extends ${asyncFunction} {})("return await import('node:fs')")()`,
    ),
    "the maker behind the guard's prototype": tried(
      `Object.getPrototypeOf(${asyncFunction})("return import('node:fs')")()`,
    ),
    "the maker after its guard is deleted": tried(
      `(() => { const { prototype } = Function; const own = Object.getOwnPropertyDescriptor(prototype, "constructor"); delete prototype.constructor; try { return (() => {}).constructor("return import('node:fs')")(); } finally { Object.defineProperty(prototype, "constructor", own); } })()`,
    ),
    "a text that changes when it is read again": tried(
      `new Function({ count: 0, toString() { return this.count++ === 0 ? "return 1" : "return import('node:fs')"; } })()`,
    ),
    "a text from Symbol.toPrimitive": tried(
      `new Function({ count: 0, [Symbol.toPrimitive]() { return this.count++ === 0 ? "return 1" : "return import('node:fs')"; } })()`,
    ),
    "an escape with braces": tried(`new Function("return \\\\u{69}mport('node:fs')")()`),
    "import() split by a comment": tried(`new Function("return import/**/('node:fs')")()`),
    "import() after a line that looks like a comment of HTML": tried(
      `new Function("x = 1\\n--> import\\nreturn import('node:fs')")()`,
    ),
    "import() in a template": tried(`new Function('return \`\${import("node:fs")}\`')()`),
    "import() in a template in a template": tried(
      `new Function('return \`\${\`\${import("node:fs")}\`}\`')()`,
    ),
    "import() in a class": tried(
      `new Function("return class { static x = import('node:fs'); }.x")()`,
    ),
    "import() in a computed name": tried(`new Function("return { [import('node:fs')]: 1 }")()`),
    "import() in a default of a destructured parameter": tried(
      `new Function("{ x = import('node:fs') }", "return x")({})`,
    ),
    "import() after a directive": tried(`new Function("'use strict'; return import('node:fs')")()`),
    "import() in eval in a function from text": tried(
      `new Function("return eval(\\"impo\\" + \\"rt('node:fs')\\")")()`,
    ),
    "import() in eval under another name": tried(
      `new Function("const other = eval; return other(\\"impo\\" + \\"rt('node:fs')\\")")()`,
    ),
    "import.source": tried(`(0, eval)("import.source('node:fs')")`),
    "import.defer": tried(`(0, eval)("import.defer('node:fs')")`),
    "a pattern that ends like a comment": tried(
      `new Function("return /[/*]/.test('') || import('node:fs')")()`,
    ),
    "with and a proxy of all names": tried(
      `new Function("names", "with (names) { return [typeof process, typeof require, this]; }")(new Proxy({}, { has(target, name) { look(target); return name !== "Symbol"; }, get(target, name, receiver) { look(receiver); return undefined; } }))`,
    ),
    "a source URL of the sandbox itself": tried(
      `new Function("return new Error('x').stack\\n//# sourceURL=packsmith:sandbox")()`,
    ),
    "a source URL with a line of its own": tried(
      `new Function("return new Error('x')\\n//# sourceURL=x.js\\u2028at process (node:internal/process:1:1)")().stack`,
    ),
  });
}

/**
 * Functions of the Pack that the code inside calls: without strict mode they could see their
 * caller.
 */
function callsFromInside(): Record<string, string> {
  const sloppy = (rest = "return 1") =>
    `new Function("look", "const { caller } = arguments.callee; look(caller); look(caller && caller.arguments); look(caller && caller.caller); look(this); look(arguments); ${rest}").bind(null, look)`;
  return named("called from inside:", {
    "a getter of the request": `await ctx.fetcher.fetch(Object.defineProperty({}, "url", { get: ${sloppy()}, enumerable: true })).catch(look);`,
    "a getter of the result": `return Object.defineProperty({}, "x", { get: ${sloppy()}, enumerable: true });`,
    "a getter of an error": `throw Object.defineProperty(new Error("x"), "message", { get: ${sloppy("return 'x'")} });`,
    "a getter of the stack of an error": `throw Object.defineProperty(new Error("x"), "stack", { get: ${sloppy("return 'x'")} });`,
    "a getter for the console": `console.log(Object.defineProperty({}, "x", { get: ${sloppy()}, enumerable: true }));`,
    "toJSON of the result": `return Object.defineProperty({ a: 1 }, "toJSON", { get: ${sloppy("return undefined")} });`,
    "then of the result": `return Object.defineProperty({}, "then", { get: ${sloppy("return undefined")} });`,
    "a getter of all objects": `Object.defineProperty(Object.prototype, "status", { get: ${sloppy()}, configurable: true }); try { await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); } finally { delete Object.prototype.status; }`,
    "a setter of all objects": `Object.defineProperty(Object.prototype, "k", { set: ${sloppy()}, configurable: true }); try { await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); } finally { delete Object.prototype.k; }`,
    "an iterator for the Buffer": `try { look(Buffer.from({ [Symbol.iterator]: ${sloppy("return [][Symbol.iterator]()")}, length: 1 })); } catch (error) { look(error); }`,
    "valueOf for the Buffer": `try { look(Buffer.from({ valueOf: ${sloppy("return 'x'")} })); } catch (error) { look(error); }`,
    "a part of a URL": `try { look(new URL({ toString: ${sloppy("return 'https://a.example'")} })); } catch (error) { look(error); }`,
    "an iterator of query parameters": `try { look(new URLSearchParams({ [Symbol.iterator]: ${sloppy("return [][Symbol.iterator]()")} })); } catch (error) { look(error); }`,
    "text for the encoder": `look(new TextEncoder().encode({ toString: ${sloppy("return 'x'")} }));`,
    "a preparation of stacks": `Error.prepareStackTrace = ${sloppy("return 'x'")}; void new Error("x").stack;`,
    "a limit of stacks": `Object.defineProperty(Error, "stackTraceLimit", { get: ${sloppy("return 9")}, configurable: true }); void new Error("x").stack;`,
    "a thenable that is never settled, then an error": `Promise.resolve({ then: ${sloppy()} }); throw new Error("x");`,
    "a view that is detached while it is read": `const bytes = new Uint8Array(64); const sent = { bytes, get last() { try { look(bytes.buffer.transfer?.()); } catch (error) { look(error); } return bytes; } }; await ctx.fetcher.fetch({ method: "POST", url: "https://ok.example/", sent }).catch(look); return sent;`,
    "a view that shrinks while it is read": `let buffer; try { buffer = new ArrayBuffer(64, { maxByteLength: 64 }); buffer.resize(64); } catch { return; } const bytes = new Uint8Array(buffer); return { get first() { buffer.resize(1); return 1; }, bytes, tail: new Uint8Array(buffer, 1) };`,
    "an array that shrinks while it is read": `const list = [1, { get x() { list.length = 0; return list; } }, 3]; return list;`,
    "a getter that adds members": `const sent = { get a() { sent["b" + Object.keys(sent).length] = sent; return 1; } }; return sent;`,
    "an error whose members are proxies": `throw new Proxy(new Error("x"), { get(target, name, receiver) { look(receiver); return name === "statusCode" ? new Proxy({}, {}) : Reflect.get(target, name); }, getOwnPropertyDescriptor(target, name) { look(target); return Reflect.getOwnPropertyDescriptor(target, name); } });`,
  });
}

/** What newer versions of the language add; older ones skip it. */
function newerLanguage(): Record<string, string> {
  return named("newer:", {
    "raw JSON": `if (JSON.rawJSON) { look(JSON.rawJSON("1")); const raw = JSON.rawJSON("1e999"); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/", raw }).catch(look); return { raw }; }`,
    "the source of parsed JSON": `JSON.parse('[1, "a"]', function (...given) { look(this); look(given); return given[1]; });`,
    "an array from an asynchronous iterator": `if (Array.fromAsync) { look(Array.fromAsync); look(await Array.fromAsync([1])); look(await Array.fromAsync({ [Symbol.asyncIterator]: () => ({ next: async (...given) => { look(given); return { done: true }; } }) })); }`,
    disposal: `for (const name of ["dispose", "asyncDispose"]) look(Symbol[name]); if (globalThis.DisposableStack) { const stack = new DisposableStack(); stack.defer(function (...given) { look(this); look(given); }); look(stack); stack.dispose(); }`,
    "a try of promises":
      "look(Promise.try?.(() => { throw new Error('x'); })?.catch(look)); look(Promise.withResolvers?.());",
    "a registry that unregisters itself": `const registry = new FinalizationRegistry((held) => look(held)); const token = {}; registry.register(token, new Proxy({}, { get(...given) { look(given); } }), token); look(registry.unregister(token)); await null;`,
    "a weak reference to what the runtime made": `const refs = [ctx, ctx.fetcher, args, crypto, console].map((one) => new WeakRef(one)); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/" }); for (const ref of refs) look(ref.deref());`,
    "a symbol as a weak key": `try { look(new WeakMap([[Symbol("x"), 1]])); look(new WeakRef(Symbol("x"))); } catch (error) { look(error); }`,
    "durations and locales": `for (const name of Object.getOwnPropertyNames(Intl)) { try { look(new Intl[name]("en", { type: "region" })); } catch (error) { look(error); } try { look(Intl[name].supportedLocalesOf(new Proxy(["en"], { get(...given) { look(given); return Reflect.get(...given); } }))); } catch (error) { look(error); } }`,
    "patterns with groups and indices": `const found = /(?<year>\\d{4})/d.exec("2020"); look(found); look(found.groups); look(found.indices); look(found.indices.groups);`,
    "the statics of patterns": `/secret/.test("a secret"); await ctx.fetcher.fetch({ method: "GET", url: "https://ok.example/text" }); for (const name of ["input", "lastMatch", "leftContext", "rightContext", "$1", "$_", "$&"]) look(RegExp[name]);`,
    "the same template in two runs": `const tag = (strings) => strings; const once = () => tag\`a\`; look(once()); look(Object.getPrototypeOf(once())); if (once() !== once()) found("another template object");`,
  });
}

function named(topic: string, attempts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attempts).map(([name, code]) => [`${topic} ${name}`, code]),
  );
}
