import { type BundleInput, bundleParts, getPart } from "./bundle-parts.ts";

/** A file of a bundle as a rectangle. */
export interface FileTile extends Area {
  path: string;
  /** Name of the part that the file belongs to. */
  part: string;
  bytes: number;
  /** Place of the part among all, the largest is 0: choose the colour by it. */
  group: number;
}

/**
 * Lays out the files of a bundle as a treemap: the area of a rectangle is the file's share, and the
 * files of a part are together.
 */
export function layOutBundle(
  inputs: readonly Pick<BundleInput, "path" | "bundledBytes">[],
  area: Area,
): FileTile[] {
  const files = inputs
    .map(({ path, bundledBytes }) => ({ path, part: getPart(path), bytes: bundledBytes }))
    .sort((a, b) => b.bytes - a.bytes);
  const parts = bundleParts(inputs).map((part, group) => ({ ...part, group }));
  return layOut(parts, area).flatMap(({ item: { name, group }, ...place }) =>
    layOut(
      files.filter(({ part }) => part === name),
      place,
    ).map(({ item, ...tile }) => ({ ...item, group, ...tile })),
  );
}

/** Something with a size. */
export interface Sized {
  bytes: number;
}

/** The rectangle of an item, in the units of the area that was divided. */
export interface Tile<Item> extends Area {
  item: Item;
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Divides an area among items by their size, in rows that keep the rectangles close to squares
 * (Bruls, Huizing, van Wijk: "Squarified
 * treemaps", 2000).
 * @param items the largest first; those without a size get no tile
 */
export function layOut<Item extends Sized>(items: readonly Item[], area: Area): Tile<Item>[] {
  const sized = items.filter(({ bytes }) => bytes > 0);
  const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const scale = (area.width * area.height) / total;
  const tiles: Tile<Item>[] = [];
  let rest = area;
  for (let start = 0; start < sized.length; ) {
    const side = Math.min(rest.width, rest.height);
    let end = start + 1;
    const ratioTo = (stop: number) => worstRatio(sized.slice(start, stop), side, scale);
    while (end < sized.length && ratioTo(end + 1) <= ratioTo(end)) end++;
    rest = placeRow(sized.slice(start, end), rest, scale, tiles);
    start = end;
  }
  return tiles;
}

/** How far the longest rectangle of a row is from a square. */
function worstRatio(row: readonly Sized[], side: number, scale: number): number {
  const thickness = (row.reduce((sum, { bytes }) => sum + bytes, 0) * scale) / side;
  return Math.max(
    ...row.map(({ bytes }) => {
      const length = (bytes * scale) / thickness;
      return Math.max(length / thickness, thickness / length);
    }),
  );
}

/** Puts a row along the shorter side. @returns what is left of the area */
function placeRow<Item extends Sized>(
  row: readonly Item[],
  area: Area,
  scale: number,
  tiles: Tile<Item>[],
): Area {
  const across = area.width >= area.height;
  const side = across ? area.height : area.width;
  const thickness = (row.reduce((sum, { bytes }) => sum + bytes, 0) * scale) / side;
  let at = across ? area.y : area.x;
  for (const item of row) {
    const length = (item.bytes * scale) / thickness;
    tiles.push(
      across
        ? { item, x: area.x, y: at, width: thickness, height: length }
        : { item, x: at, y: area.y, width: length, height: thickness },
    );
    at += length;
  }
  return across
    ? { ...area, x: area.x + thickness, width: area.width - thickness }
    : { ...area, y: area.y + thickness, height: area.height - thickness };
}
