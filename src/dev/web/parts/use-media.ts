import { useEffect, useState } from "preact/hooks";

/** Narrower than this, the page has one column and shows only what a phone has room for. */
export const PHONE = "(max-width: 40rem)";
/** Narrower than this, there is no room for a list next to its details. */
export const ONE_COLUMN = "(max-width: 45rem)";

/** Whether a media query applies now. Use it where the elements differ; CSS covers the rest. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = () => setMatches(list.matches);
    onChange();
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, [query]);
  return matches;
}
