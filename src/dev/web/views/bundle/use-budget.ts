import { useState } from "preact/hooks";

/** The author's own limit of a Pack's bundle, in kB. The browser keeps it. */
export function useBudget(file: string): readonly [text: string, setText: (text: string) => void, bytes: number | undefined] {
  const key = `packsmith budget ${file}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  const kilobytes = Number(text);
  const bytes = text.trim() === "" || !(kilobytes > 0) ? undefined : kilobytes * 1_000;
  const keep = (next: string): void => {
    setText(next);
    localStorage.setItem(key, next);
  };
  return [text, keep, bytes];
}
