import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import sinon from "sinon";
import { describe, expect, it } from "vitest";
import { newMockExecutionContext } from "../../../src/testing/legacy/mock-context.ts";
import { createStub } from "../../../src/testing/legacy/sinon.ts";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

type Fetch = (request: { url: string; n?: number }) => Promise<string>;
const make = () => createStub<Fetch>("fetch", () => undefined);

describe("a mock before sinon.assert", () => {
  it.each<[string, (spy: sinon.SinonSpy) => void, (spy: sinon.SinonSpy) => void]>([
    ["called", (spy) => sinon.assert.called(spy), (spy) => sinon.assert.notCalled(spy)],
    ["calledTwice", (spy) => sinon.assert.calledTwice(spy), (spy) => sinon.assert.calledOnce(spy)],
    ["callCount", (spy) => sinon.assert.callCount(spy, 2), (spy) => sinon.assert.callCount(spy, 3)],
    [
      "calledWith",
      (spy) => sinon.assert.calledWith(spy, { url: "b", n: 2 }),
      (spy) => sinon.assert.calledWith(spy, { url: "b" }),
    ],
    [
      "calledWithExactly",
      (spy) => sinon.assert.calledWithExactly(spy, { url: "a" }),
      (spy) => sinon.assert.calledWithExactly(spy, { url: "a" }, "more"),
    ],
    [
      "calledWithMatch",
      (spy) => sinon.assert.calledWithMatch(spy, { n: 2 }),
      (spy) => sinon.assert.calledWithMatch(spy, { n: 3 }),
    ],
    [
      "neverCalledWith",
      (spy) => sinon.assert.neverCalledWith(spy, { url: "c" }),
      (spy) => sinon.assert.neverCalledWith(spy, { url: "a" }),
    ],
    [
      "calledWith a matcher inside",
      (spy) => sinon.assert.calledWith(spy, { url: sinon.match.string, n: sinon.match.number }),
      (spy) => sinon.assert.calledWith(spy, { url: sinon.match.number }),
    ],
    [
      "alwaysCalledWith",
      (spy) => sinon.assert.alwaysCalledWith(spy, sinon.match({ url: sinon.match.string })),
      (spy) => sinon.assert.alwaysCalledWith(spy, { url: "a" }),
    ],
  ])("passes and fails %s as a stub of sinon does", async (_, passes, fails) => {
    const mine = make().resolves("x");
    const theirs = sinon.stub().resolves("x");
    for (const fetch of [mine, theirs as unknown as Fetch]) {
      await fetch({ url: "a" });
      await fetch({ url: "b", n: 2 });
    }
    for (const spy of [mine, theirs]) {
      passes(spy);
      expect(() => fails(spy)).toThrow();
    }
  });

  it("passes calledOnceWithExactly for one such call alone", async () => {
    const fetch = make().resolves("x");
    await fetch({ url: "a" });
    sinon.assert.calledOnceWithExactly(fetch, { url: "a" });
    await fetch({ url: "a" });
    expect(() => sinon.assert.calledOnceWithExactly(fetch, { url: "a" })).toThrow(
      "expected fetch to be called once and with exact arguments",
    );
  });
});

describe("what a mock does", () => {
  it("is what was said last, and nothing before anything was said", async () => {
    const fetch = make();
    expect(fetch({ url: "a" })).toBeUndefined();
    expect(await fetch.resolves("one")({ url: "a" })).toBe("one");
    await expect(fetch.rejects(new TypeError("no"))({ url: "a" })).rejects.toThrow(TypeError);
    const named = (fetch as unknown as { rejects(name: string, message: string): Fetch }).rejects(
      "NotFound",
      "gone",
    );
    await expect(named({ url: "a" })).rejects.toMatchObject({ name: "NotFound", message: "gone" });
    expect(() => fetch.throws(new RangeError("far"))({ url: "a" })).toThrow(RangeError);
    expect(await fetch.callsFake(async ({ url }) => `${url}!`)({ url: "a" })).toBe("a!");
    expect(fetch.lastCall?.args).toEqual([{ url: "a" }]);
    expect(fetch.getCall(4)?.exception).toBeInstanceOf(RangeError);
  });

  it("may differ from call to call, and by arguments, the longer match first", async () => {
    const fetch = make().resolves("usual");
    fetch.onFirstCall().resolves("first").onCall(2).resolves("third");
    expect([
      await fetch({ url: "a" }),
      await fetch({ url: "a" }),
      await fetch({ url: "a" }),
    ]).toEqual(["first", "usual", "third"]);
    const other = make().resolves("usual");
    other
      .withArgs(sinon.match({ url: "b" }))
      .onFirstCall()
      .resolves("b first");
    const withTwo = other as unknown as sinon.SinonStub<unknown[], Promise<string>>;
    withTwo.withArgs(sinon.match({ url: "b" }), 1).resolves("b and 1");
    expect(await other({ url: "b" })).toBe("b first");
    expect(await withTwo({ url: "b" }, 1)).toBe("b and 1");
    expect(await other({ url: "c" })).toBe("usual");
    other.reset();
    expect([other.called, other({ url: "b" })]).toEqual([false, undefined]);
  });
});

const SUITE = `
const context = newMockExecutionContext();
context.fetcher.fetch.withArgs(sinon.match({ url: "a" })).resolves("found");
(async () => {
  const { message } = await context.fetcher.fetch({ method: "GET", url: "b" }).catch((error) => error);
  console.log(await context.fetcher.fetch({ method: "GET", url: "a" }), message);
  sinon.assert.calledWith(context.fetcher.fetch, sinon.match({ url: "b" }));
})();
`;
const ENTRY = "./node_modules/packsmith/dist/legacy-testing.js";

describe("the sinon of a mock context", () => {
  it.each([
    [
      "suite.mjs",
      `import sinon from "sinon";\nimport { newMockExecutionContext } from "${ENTRY}";\n${SUITE}`,
    ],
    [
      "suite.cjs",
      `const sinon = require("sinon");\nimport("${ENTRY}").then(({ newMockExecutionContext }) => {${SUITE}});`,
    ],
  ])("is the copy that %s imports in plain Node, so that its matchers work", async (name, text) => {
    using folder = makeTemporaryFolder();
    linkPackages(folder.path, ["sinon"]);
    writeFileSync(join(folder.path, name), text);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], {
      cwd: folder.path,
    });
    expect(stdout).toBe("found Unhandled fetch: GET b\n");
    expect(stderr).toBe("");
  });

  it("is that of packsmith in a project that has none", async () => {
    using folder = makeTemporaryFolder();
    const text = `import { newMockExecutionContext } from "${ENTRY}";
const context = newMockExecutionContext();
context.fetcher.fetch.resolves("found");
console.log(await context.fetcher.fetch({ url: "a" }), context.fetcher.fetch.callCount);
`;
    linkPackages(folder.path, []);
    writeFileSync(join(folder.path, "suite.mjs"), text);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["suite.mjs"], {
      cwd: folder.path,
    });
    expect(stdout).toBe("found 1\n");
    expect(stderr).toBe("");
  });

  it.each([
    ["suite.mjs", `import sinon, { match } from "sinon";\n`, "import(ENTRY)"],
    ["suite.cjs", `const sinon = require("sinon");\nconst { match } = sinon;\n`, "import(ENTRY)"],
    ["both.cjs", `const sinon = require("sinon");\nconst { match } = sinon;\n`, "require(ENTRY)"],
  ])(
    "is what %s imports in a project that has none, after packsmith/register",
    async (name, imports, load) => {
      using folder = makeTemporaryFolder();
      linkPackages(folder.path, []);
      const text = `${imports}
const ENTRY = "@codahq/packs-sdk/dist/development";
(async () => {
  const { newMockExecutionContext } = await ${load};
  const context = newMockExecutionContext();
  context.fetcher.fetch.withArgs(match({ url: "a" })).resolves("found");
  console.log(await context.fetcher.fetch({ url: "a" }), (await import("sinon")).default === sinon);
  sinon.assert.calledOnce(context.fetcher.fetch);
  const clock = sinon.useFakeTimers(7);
  console.log(Date.now(), sinon.createSandbox().stub() instanceof Function);
  clock.restore();
})();
`;
      writeFileSync(join(folder.path, name), text);
      const args = ["--import=packsmith/register", name];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path });
      expect(stdout).toBe("found true\n7 true\n");
    },
  );

  it("gives a context that refuses what the test did not expect", async () => {
    const context = newMockExecutionContext({ timezone: "UTC" });
    await expect(
      context.fetcher.fetch({ method: "GET", url: "https://a.example" }),
    ).rejects.toThrow("Unhandled fetch: GET https://a.example");
    expect(context.temporaryBlobStorage.storeUrl("https://a.example")).toBeUndefined();
    expect(context.timezone).toBe("UTC");
  });
});
