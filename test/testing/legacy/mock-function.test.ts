import sinon from "sinon";
import { describe, expect, it } from "vitest";
import { createMockFunction } from "../../../src/testing/legacy/mock-function.ts";

type Fetch = (request: { url: string; n?: number }) => Promise<string>;
const make = () => createMockFunction<Fetch>("fetch");

describe("a mock before sinon.assert", () => {
  it.each<[string, (spy: sinon.SinonSpy) => void, (spy: sinon.SinonSpy) => void]>([
    ["called", (spy) => sinon.assert.called(spy), (spy) => sinon.assert.notCalled(spy)],
    ["calledTwice", (spy) => sinon.assert.calledTwice(spy), (spy) => sinon.assert.calledOnce(spy)],
    ["callCount", (spy) => sinon.assert.callCount(spy, 2), (spy) => sinon.assert.callCount(spy, 3)],
    ["calledWith", (spy) => sinon.assert.calledWith(spy, { url: "b", n: 2 }), (spy) => sinon.assert.calledWith(spy, { url: "b" })],
    [
      "calledWithExactly",
      (spy) => sinon.assert.calledWithExactly(spy, { url: "a" }),
      (spy) => sinon.assert.calledWithExactly(spy, { url: "a" }, "more"),
    ],
    ["calledWithMatch", (spy) => sinon.assert.calledWithMatch(spy, { n: 2 }), (spy) => sinon.assert.calledWithMatch(spy, { n: 3 })],
    ["neverCalledWith", (spy) => sinon.assert.neverCalledWith(spy, { url: "c" }), (spy) => sinon.assert.neverCalledWith(spy, { url: "a" })],
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
    await expect(fetch.rejects("NotFound", "gone")({ url: "a" })).rejects.toMatchObject({ name: "NotFound", message: "gone" });
    expect(() => fetch.throws(new RangeError("far"))({ url: "a" })).toThrow(RangeError);
    expect(await fetch.callsFake(async ({ url }) => `${url}!`)({ url: "a" })).toBe("a!");
    expect(fetch.lastCall?.args).toEqual([{ url: "a" }]);
    expect(fetch.getCall(4)?.exception).toBeInstanceOf(RangeError);
  });

  it("may differ from call to call, and by arguments, the longer match first", async () => {
    const fetch = make().resolves("usual");
    fetch.onFirstCall().resolves("first").onCall(2).resolves("third");
    expect([await fetch({ url: "a" }), await fetch({ url: "a" }), await fetch({ url: "a" })]).toEqual(["first", "usual", "third"]);
    const other = make().resolves("usual");
    other
      .withArgs(sinon.match({ url: "b" }))
      .onFirstCall()
      .resolves("b first");
    other.withArgs(sinon.match({ url: "b" }), 1).resolves("b and 1");
    expect(await (other as unknown as (...args: unknown[]) => Promise<string>)({ url: "b" }, 1)).toBe("b and 1");
    expect(await other({ url: "b" })).toBe("b first");
    expect(await other({ url: "c" })).toBe("usual");
    other.reset();
    expect([other.called, other({ url: "b" })]).toEqual([false, undefined]);
  });
});
