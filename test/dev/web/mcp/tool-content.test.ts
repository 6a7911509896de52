import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownBlocks } from "../../../../src/dev/web/mcp/tool-content.ts";

const listBlocks = (...content: unknown[]) => shownBlocks({ content }).blocks;

describe("what a tool returned", () => {
  it("is shown as text, and as data if the text is JSON", () => {
    expect(
      listBlocks(
        { type: "text", text: "Done." },
        { type: "text", text: '{"id":8}' },
        { type: "text", text: "8" },
      ),
    ).toEqual([
      { kind: "text", text: "Done." },
      { kind: "data", value: { id: 8 } },
      { kind: "text", text: "8" },
    ]);
  });

  it("is shown once, when the structured content is repeated as text", () => {
    const structuredContent = { id: 8, tags: ["a"] };
    const content = [{ type: "text", text: JSON.stringify(structuredContent, undefined, 2) }];
    expect(shownBlocks({ content, structuredContent })).toEqual({
      blocks: [],
      structured: structuredContent,
      isError: false,
    });
  });

  it("is an image only in a format without scripts, from base64", () => {
    const image = (mimeType: string, data: string) =>
      listBlocks({ type: "image", mimeType, data })[0]?.kind;
    expect(listBlocks({ type: "image", mimeType: "image/png", data: "aGk=" })).toEqual([
      { kind: "image", url: "data:image/png;base64,aGk=" },
    ]);
    expect([
      image("image/svg+xml", "aGk="),
      image("text/html", "aGk="),
      image("image/png;x", "aGk="),
      image("image/png", "a b"),
    ]).toEqual([...["data", "data", "data", "data"]]);
  });

  it("is a link, and the text of a resource", () => {
    const link = { type: "resource_link", uri: "https://tasks.example/7", name: "seven" };
    expect(
      listBlocks(link, { type: "resource", resource: { uri: "file:///a", text: "content" } }),
    ).toEqual([
      { kind: "link", uri: "https://tasks.example/7", title: "seven", description: "" },
      { kind: "text", text: "content" },
    ]);
  });

  it("is shown whatever the server sends, and every unknown block as data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (result, content) => {
        expect(() => shownBlocks(result)).not.toThrow();
        expect(shownBlocks({ content }).blocks).toHaveLength(content.length);
      }),
    );
    expect(shownBlocks({ isError: true }).isError).toBe(true);
    expect(shownBlocks({ isError: "false" }).isError).toBe(false);
  });
});
