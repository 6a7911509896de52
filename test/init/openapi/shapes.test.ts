import { describe, expect, it } from "vitest";
import {
  createObjectShape,
  mergeShapes,
  type ObjectShape,
  type Shape,
  type ShapeMember,
  uniteShapes,
} from "../../../src/init/openapi/shapes.ts";

const text: Shape = { kind: "text" };
const number: Shape = { kind: "number" };
const unknown: Shape = { kind: "unknown" };

function object(members: Record<string, Partial<ShapeMember>>, left: string[] = []): ObjectShape {
  return {
    kind: "object",
    name: undefined,
    members: Object.entries(members).map(([name, member]) => ({
      name,
      shape: text,
      description: undefined,
      isRequired: false,
      isNullable: false,
      ...member,
    })),
    isOpen: Object.keys(members).length === 0,
    left,
  };
}

describe("the shape of an object", () => {
  it("leaves out members without a specific type and those that contain the object", () => {
    const properties = [
      { name: "title", shape: text },
      { name: "parent", shape: undefined },
      { name: "extra", shape: unknown },
      { name: "extras", shape: { kind: "list", items: unknown } as Shape },
    ].map((property) => ({ ...property, isNullable: false, description: undefined }));
    expect(createObjectShape(properties, ["title"])).toEqual(
      object({ title: { isRequired: true } }, [
        "parent: it contains the object itself",
        "extra: it has no specific type",
        "extras: it has no specific type",
      ]),
    );
  });

  it("does not require a nullable member", () => {
    const property = { name: "due", shape: text, isNullable: true, description: "When." };
    expect(createObjectShape([property], ["due"])).toEqual(
      object({ due: { isNullable: true, description: "When." } }),
    );
  });
});

describe("merged shapes", () => {
  it.each<[string, (Shape | undefined)[], string[], Shape]>([
    ["are unknown if there are none", [], [], unknown],
    ["are the first shape if none is an object", [undefined, text, number], [], text],
    [
      "have the members of all objects",
      [object({ a: {} }), text, object({ b: {} })],
      [],
      object({ a: {}, b: {} }),
    ],
    [
      "take the last of two members of one name",
      [object({ a: {} }), object({ a: { shape: number } })],
      [],
      object({ a: { shape: number } }),
    ],
    [
      "require a member that another part defines",
      [object({ a: {} })],
      ["a"],
      object({ a: { isRequired: true } }),
    ],
    [
      "do not require a nullable member",
      [object({ a: { isNullable: true } })],
      ["a"],
      object({ a: { isNullable: true } }),
    ],
    [
      "name each member that was left out once",
      [object({}, ["x: y"]), object({}, ["x: y"])],
      [],
      object({}, ["x: y"]),
    ],
  ])("%s", (_, shapes, required, merged) => {
    expect(mergeShapes(shapes, new Set(required))).toEqual(merged);
  });
});

describe("united shapes", () => {
  it.each<[string, (Shape | undefined)[], Shape]>([
    ["are an open object if there are none", [], object({})],
    ["are one kind without its choices", [{ kind: "text", choices: ["a"] }, text], text],
    ["are unknown for two kinds", [text, number], unknown],
    [
      "are unknown for two lists",
      [
        { kind: "list", items: text },
        { kind: "list", items: text },
      ],
      unknown,
    ],
    [
      "are unknown for an object and a schema that contains itself",
      [object({}), undefined],
      unknown,
    ],
    [
      "require a member only if all objects require it",
      [
        object({ a: { isRequired: true }, b: { isRequired: true } }),
        object({ a: { isRequired: true } }),
      ],
      object({ a: { isRequired: true }, b: {} }),
    ],
    [
      "lose the choices of a text that tells objects apart",
      [
        object({ kind: { shape: { kind: "text", choices: ["a"] } } }),
        object({ kind: { shape: { kind: "text", choices: ["b"] } } }),
      ],
      object({ kind: { shape: { kind: "text", hint: undefined } } }),
    ],
    [
      "leave out a member with several types",
      [object({ a: {} }), object({ a: { shape: number } })],
      object({}, ["a: it has several types"]),
    ],
    [
      "leave out a member that one object leaves out",
      [object({ a: {} }), object({}, ["a: it has no specific type"])],
      object({}, ["a: it has no specific type"]),
    ],
  ])("%s", (_, shapes, united) => {
    expect(uniteShapes(shapes)).toEqual(united);
  });
});
