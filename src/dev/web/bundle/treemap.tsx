import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TileView } from "../../wire/bundle.ts";
import { get } from "../api.ts";
import { changeText, sizeText } from "../parts/format.ts";

interface TreemapProps {
  revision: number;
  /** Size of the bundle. */
  bytes: number;
  /** How much each file changed, by its path. */
  changes: ReadonlyMap<string, number>;
  current: string | undefined;
  onPick: (path: string) => void;
}

const HEIGHT = 420;
/** How many colours the styles define. */
const HUES = 8;
/** Smaller tiles have no label. */
const MIN_LABEL_WIDTH = 48;
/** A name of which less than this fits says nothing: the tile shows it when it is chosen. */
const MIN_LABEL_LETTERS = 8;
const MIN_LABEL_HEIGHT = 18;
/** Of a letter of a name, which is bold. */
const CHARACTER_WIDTH = 7.8;
const LINE_HEIGHT = 15;

/**
 * Files as rectangles, with their size in the bundle as area. The arrow keys move to the nearest
 * tile on that side.
 */
export function Treemap({ revision, bytes, changes, current, onPick }: TreemapProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [tiles, setTiles] = useState<readonly TileView[]>([]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    const gone = new AbortController();
    get<TileView[]>(`/api/bundle/treemap?width=${width}&height=${HEIGHT}`, {
      signal: gone.signal,
    }).then(setTiles, () => {});
    return () => gone.abort();
  }, [width, revision]);

  const chosen = tiles.findIndex(({ path }) => path === current);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextTile(tiles, chosen, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onPick(next.path);
  };
  return (
    <div class="treemap" ref={box}>
      <div
        role="listbox"
        tabIndex={0}
        aria-label="Files of the bundle by size. The table below lists the same files."
        aria-activedescendant={chosen === -1 ? undefined : `${id}-${chosen}`}
        onKeyDown={onKeyDown}
        onFocus={() => chosen === -1 && tiles[0] !== undefined && onPick(tiles[0].path)}
      >
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${Math.max(1, width)} ${HEIGHT}`}
          role="presentation"
        >
          {tiles.map((tile, index) => (
            <Tile
              key={tile.path}
              tile={tile}
              id={`${id}-${index}`}
              share={tile.bytes / bytes}
              change={changes.get(tile.path) ?? 0}
              isCurrent={index === chosen}
              onPick={() => onPick(tile.path)}
            />
          ))}
        </svg>
      </div>
    </div>
  );
}

interface TileProps {
  tile: TileView;
  id: string;
  share: number;
  change: number;
  isCurrent: boolean;
  onPick: () => void;
}

function Tile({
  tile: { path, part, bytes, group, x, y, width, height },
  id,
  share,
  change,
  isCurrent,
  onPick,
}: TileProps) {
  const most = Math.floor((width - 12) / CHARACTER_WIDTH);
  const lines = [
    nameFor(path, part, most),
    sizeText(bytes),
    change === 0 ? "" : changeText(change),
  ];
  const isReadable = Math.min(MIN_LABEL_LETTERS, lines[0]?.length ?? 0) <= most;
  const fits = width >= MIN_LABEL_WIDTH && isReadable ? Math.floor((height - 6) / LINE_HEIGHT) : 0;
  const said = `${path}, ${sizeText(bytes)}, ${(share * 100).toFixed(1)}%${change === 0 ? "" : `, ${changeText(change)}`}`;
  return (
    // The list has the focus and handles keys; a click only selects a tile.
    <g
      id={id}
      class={`tile hue-${group % HUES}${change > 0 ? " grown" : ""}${isCurrent ? " current" : ""}`}
      role="option"
      aria-selected={isCurrent}
      onClick={onPick}
    >
      <title>{said}</title>
      <rect
        x={x + 1}
        y={y + 1}
        width={Math.max(0, width - 2)}
        height={Math.max(0, height - 2)}
        rx={width > 12 && height > 12 ? 4 : 1}
      />
      {height >= MIN_LABEL_HEIGHT &&
        lines
          .filter((line, index) => line !== "" && (index === 0 || line.length <= most))
          .slice(0, Math.max(0, fits))
          .map((line, index) => (
            <text
              key={line}
              x={x + 8}
              y={y + 18 + index * LINE_HEIGHT}
              class={index === 0 ? "name" : "fact"}
            >
              {line.length > most ? `${line.slice(0, Math.max(1, most - 1))}…` : line}
            </text>
          ))}
    </g>
  );
}

/**
 * As much of a path as fits: the full path of the author's own files, or folder and name, or only
 * the name.
 */
function nameFor(path: string, part: string, most: number): string {
  const steps = path.split("/");
  const names = [
    ...(part === "your code" ? [path] : []),
    steps.slice(-2).join("/"),
    steps.at(-1) ?? path,
  ];
  return names.find((name) => name.length <= most) ?? names.at(-1) ?? path;
}

/** The tile that a key moves to: the nearest one on that side, or the first or last one. */
function nextTile(tiles: readonly TileView[], chosen: number, key: string): TileView | undefined {
  if (key === "Home") return tiles[0];
  if (key === "End") return tiles.at(-1);
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
    key
  ];
  const from = tiles[chosen] ?? tiles[0];
  if (direction === undefined || from === undefined) return undefined;
  const [across = 0, down = 0] = direction;
  const getMiddle = ({ x, y, width, height }: TileView) => [x + width / 2, y + height / 2] as const;
  const [fromX, fromY] = getMiddle(from);
  const found = tiles
    .filter((tile) => tile !== from)
    .map((tile) => {
      const [x, y] = getMiddle(tile);
      const along = (x - fromX) * across + (y - fromY) * down;
      const aside = Math.abs((x - fromX) * down) + Math.abs((y - fromY) * across);
      return { tile, along, distance: along + 2 * aside };
    })
    .filter(({ along }) => along > 0.5)
    .sort((a, b) => a.distance - b.distance);
  return found[0]?.tile;
}
