import { useMemo, useState } from "preact/hooks";
import type { TimelineDetail } from "../../../wire/timeline.ts";
import { type Difference, isEqual } from "../../parts/difference.ts";
import { DifferenceTable, EqualParts } from "../../parts/difference-table.tsx";
import { Field } from "../../parts/field.tsx";
import { countText } from "../../parts/format.ts";
import { type Comparable, compareRequests } from "./compare-requests.ts";
import { parseCurl } from "./parse-curl.ts";
import { CommandProblem } from "./shell-words.ts";

const WORDS: Readonly<Record<Difference["state"], string>> = {
  different: "different",
  missing: "not in the command",
  extra: "only in the command",
  hidden: "secret, not compared",
  same: "same",
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
        hint="Paste a curl command that works, for example from the API documentation or from Copy as cURL (bash) in your browser. This page does not run the command or send it to a server."
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
  const differing = rows.filter((row) => !isEqual(row));
  return (
    <>
      <EqualParts rows={rows} showsAll={showsAll} onShow={setShowsAll}>
        {differing.length === 0
          ? "The requests do not differ."
          : countText(differing.length, "difference")}
        {rows.some(({ state }) => state === "hidden") && (
          <span class="quiet small"> Secrets are not compared.</span>
        )}
      </EqualParts>
      {notes.map((note) => (
        <p key={note} class="notice warn small">
          {note}
        </p>
      ))}
      <DifferenceTable
        label="request and command"
        sides={["The Pack sent", "The command sends"]}
        words={WORDS}
        rows={showsAll ? rows : differing}
      />
    </>
  );
}

type Compared = { rows: Difference[]; notes: readonly string[] } | { problem: string | undefined };

function compare(detail: TimelineDetail, command: string): Compared {
  if (command.trim() === "") return { problem: undefined };
  try {
    const pasted = parseCurl(command);
    return { rows: compareRequests(getRequest(detail), pasted), notes: pasted.notes };
  } catch (error) {
    if (error instanceof CommandProblem) return { problem: error.message };
    throw error;
  }
}

/**
 * The request of the Pack with its credentials, which the curl command of the server has as
 * variables.
 */
function getRequest({ curl, method, url }: TimelineDetail): Comparable {
  const own = parseCurl(curl.text);
  // The command goes where the origin is routed to; the Pack named the origin.
  const origin = /^[a-z]+:\/\/[^/?#]*/i;
  return { ...own, method, url: own.url.replace(origin, origin.exec(url)?.[0] ?? "") };
}
