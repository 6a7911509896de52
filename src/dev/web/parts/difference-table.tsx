import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { type Difference, isEqual } from "./difference.ts";
import { Pill, Scroller, type Tone } from "./layout.tsx";
import { Name } from "./name.tsx";

type Words = Readonly<Record<Difference["state"], string>>;

interface DifferenceTableProps {
  label: string;
  /** Heads of the two columns. */
  sides: readonly [left: string, right: string];
  words: Words;
  rows: readonly Difference[];
}

const TONES: Readonly<Record<Difference["state"], Tone>> = {
  different: "bad",
  missing: "bad",
  extra: "warn",
  hidden: "neutral",
  same: "good",
};
/** How many rows are shown at first. */
const SHOWN_ROWS = 200;

/** Two things side by side, part by part, with a word about each. Nothing without rows. */
export function DifferenceTable({ label, sides, words, rows }: DifferenceTableProps) {
  const [count, setCount] = useState(SHOWN_ROWS);
  if (rows.length === 0) return null;
  return (
    <>
      <Scroller label={`Differences: ${label}`}>
        <table class="table differences">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">{sides[0]}</th>
              <th scope="col">{sides[1]}</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map(({ place, name, left, right, state }) => (
              <tr key={`${place} ${name}`} class={state}>
                <th scope="row">
                  {place} {name !== "" && <span class="mono">{name}</span>}
                </th>
                <Side title={sides[0]} text={left} />
                <Side title={sides[1]} text={right} />
                <td>
                  <Pill tone={TONES[state]}>{words[state]}</Pill>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      {rows.length > count && (
        <div>
          <Button isSmall onClick={() => setCount(count + SHOWN_ROWS)}>
            {`Show more (${rows.length} in total)`}
          </Button>
        </div>
      )}
    </>
  );
}

/** @param title shown in front of the text on a phone, where the table has no columns */
function Side({ title, text }: { title: string; text: string | undefined }) {
  return (
    <td data-title={title}>
      {text === undefined ? (
        <span class="quiet">nothing</span>
      ) : (
        <span class="mono" dir="auto">
          <Name text={text} />
        </span>
      )}
    </td>
  );
}

interface EqualPartsProps {
  rows: readonly Difference[];
  showsAll: boolean;
  onShow: (showsAll: boolean) => void;
  /** A sentence about the differences. */
  children: ComponentChildren;
}

/** What a comparison found, and a check box for the parts that are equal. */
export function EqualParts({ rows, showsAll, onShow, children }: EqualPartsProps) {
  return (
    <div class="row">
      <p role="status">{children}</p>
      {rows.some(isEqual) && (
        <label class="check end">
          <input
            type="checkbox"
            checked={showsAll}
            onChange={(event) => onShow(event.currentTarget.checked)}
          />
          Show equal parts
        </label>
      )}
    </div>
  );
}
