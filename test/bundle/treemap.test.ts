import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut } from "../../src/bundle/treemap.ts";

const area = { x: 10, y: 20, width: 400, height: 300 };

describe("layOut", () => {
  it("gives each item its share of the area, inside the area and without overlaps", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 40 }), (sizes) => {
        const items = sizes.map((bytes) => ({ bytes })).sort((a, b) => b.bytes - a.bytes);
        const tiles = layOut(items, area);
        const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
        expect(tiles.map(({ item }) => item)).toEqual(items.filter(({ bytes }) => bytes > 0));
        for (const [index, { item, x, y, width, height }] of tiles.entries()) {
          expect(width * height).toBeCloseTo((item.bytes / total) * area.width * area.height, 3);
          expect(x).toBeGreaterThanOrEqual(area.x - 0.001);
          expect(y).toBeGreaterThanOrEqual(area.y - 0.001);
          expect(x + width).toBeLessThanOrEqual(area.x + area.width + 0.001);
          expect(y + height).toBeLessThanOrEqual(area.y + area.height + 0.001);
          for (const other of tiles.slice(index + 1)) {
            const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
            const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
            expect(Math.min(across, down)).toBeLessThan(0.001);
          }
        }
      }),
    );
  });

  it("keeps equal items near squares", () => {
    const tiles = layOut(
      Array.from({ length: 12 }, () => ({ bytes: 1 })),
      { x: 0, y: 0, width: 400, height: 300 },
    );
    for (const { width, height } of tiles)
      expect(Math.max(width / height, height / width)).toBeLessThan(1.5);
  });
});
