import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Moves the focus to the first field with a problem when a form is refused.
 * @param attempt another value for each time; 0 before the first one
 * @returns the reference of the form
 */
export function useFirstProblem(attempt: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempt !== 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  return form;
}
