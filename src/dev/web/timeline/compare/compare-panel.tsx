import { useMemo, useState } from "preact/hooks";
import type { TimelineDetail } from "../../../wire/timeline.ts";
import { Field } from "../../parts/field.tsx";
import { countText } from "../../parts/format.ts";
import { Pill, Scroller, type Tone } from "../../parts/layout.tsx";
import { Name } from "../../parts/name.tsx";
import { type Comparable, compareRequests, type Difference } from "./compare-requests.ts";
import { parseCurl } from "./parse-curl.ts";
import { CommandProblem } from "./shell-words.ts";

const STATES: Readonly<Record<Difference["state"], readonly [tone: Tone, text: string]>> = {
  different: ["bad", "different"],
  missing: ["bad", "not in the command"],
  extra: ["warn", "only in the command"],
  hidden: ["neutral", "secret, not compared"],
  same: ["good", "same"],
};

/**
 * Compares the request with a pasted curl command, such as one that works. The command stays in
 * this browser and is not run.
 */
export function ComparePanel({ detail }: { detail: TimelineDetail }) {
  const [command, setCommand] = useState("");
  const compared = useMemo(() => compare(detail, command), [detail, command]);
  return (
    <div class="stack tight">
      <Field
        label="curl command"
        hint="Paste one that works, such as from the documentation of the API, or from Copy as cURL (bash) in a browser. It is not run, and it stays in this browser."
        problem={"problem" in compared ? compared.problem : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            class="input tall mono"
            rows={4}
            spellcheck={false}
            autocomplete="off"
            value={command}
            onInput={(event) => setCommand(event.currentTarget.value)}
          />
        )}
      </Field>
      {"rows" in compared && <Differences rows={compared.rows} notes={compared.notes} />}
    </div>
  );
}

function Differences({ rows, notes }: { rows: readonly Difference[]; notes: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const isEqual = ({ state }: Difference) => state === "same" || state === "hidden";
  const differing = rows.filter((row) => !isEqual(row));
  const shown = showsAll ? rows : differing;
  return (
    <>
      <div class="row">
        <p role="status">
          {differing.length === 0
            ? "The requests do not differ."
            : countText(differing.length, "difference")}
          {rows.some(({ state }) => state === "hidden") && (
            <span class="quiet small"> The values of secrets are not compared.</span>
          )}
        </p>
        {differing.length < rows.length && (
          <label class="check end">
            <input
              type="checkbox"
              checked={showsAll}
              onChange={(event) => setShowsAll(event.currentTarget.checked)}
            />
            Show equal parts
          </label>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} class="notice warn small">
          {note}
        </p>
      ))}
      {shown.length > 0 && (
        <Scroller label="Differences">
          <table class="table differences">
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">The Pack sent</th>
                <th scope="col">The command sends</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ place, name, sent, pasted, state }) => (
                <tr key={`${place} ${name}`} class={state}>
                  <th scope="row">
                    {place} {name !== "" && <span class="mono">{name}</span>}
                  </th>
                  <Side title="The Pack sent" text={sent} />
                  <Side title="The command sends" text={pasted} />
                  <td>
                    <Pill tone={STATES[state][0]}>{STATES[state][1]}</Pill>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
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
        <span class="mono">
          <Name text={text} />
        </span>
      )}
    </td>
  );
}

type Compared = { rows: Difference[]; notes: readonly string[] } | { problem: string | undefined };

function compare(detail: TimelineDetail, command: string): Compared {
  if (command.trim() === "") return { problem: undefined };
  try {
    const pasted = parseCurl(command);
    return { rows: compareRequests(requestOf(detail), pasted), notes: pasted.notes };
  } catch (error) {
    if (error instanceof CommandProblem) return { problem: error.message };
    throw error;
  }
}

/**
 * The request of the Pack with its credentials, which the curl command of the server has as
 * variables.
 */
function requestOf({ curl, method, url }: TimelineDetail): Comparable {
  const own = parseCurl(curl.text);
  // The command goes where the origin is routed to; the Pack named the origin.
  const origin = /^[a-z]+:\/\/[^/?#]*/i;
  return { ...own, method, url: own.url.replace(origin, origin.exec(url)?.[0] ?? "") };
}
