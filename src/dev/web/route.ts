import { useEffect, useState } from "preact/hooks";
import type { PackView } from "../wire/pack.ts";

/** What the address names: `#/run/ListTasks` is the view `run` with one part. */
export interface Place {
  view: string;
  parts: readonly string[];
}

export function parsePlace(hash: string): Place {
  const [view = "", ...parts] = hash.replace(/^#\/?/, "").split("/").map(decodeSegment);
  return { view: view === "" ? "overview" : view, parts: parts.filter((part) => part !== "") };
}

/** The link to a place. */
export function linkTo(view: string, ...parts: readonly string[]): string {
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}`;
}

/** The place that the address names now. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  useEffect(() => {
    const onChange = () => setPlace(parsePlace(location.hash));
    addEventListener("hashchange", onChange);
    // The address may have changed since the first render.
    onChange();
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return place;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The props of every view. */
export interface ViewProps {
  pack: PackView;
  /** What follows the view in the address: `#/run/ListTasks` has `["ListTasks"]`. */
  parts: readonly string[];
}
