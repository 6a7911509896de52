import { useRef, useState } from "preact/hooks";

export interface Chosen<Value> {
  value: Value;
  /**
   * Shows the value at once, and sends it after the choices before. @param send whether it was
   * accepted
   */
  choose(value: Value, send: () => Promise<boolean>): void;
}

/**
 * A setting of the server that follows the user at once. A state that was asked before the last
 * choice was accepted does not undo it.
 * @param known what the server reported last
 * @param askedAtMs when that was asked, in milliseconds of this browser
 */
export function useChosen<Value>(known: Value, askedAtMs: number): Chosen<Value> {
  const [choice, setChoice] = useState<{ value: Value; acceptedAtMs: number } | undefined>(
    undefined,
  );
  const latest = useRef(0);
  const sending = useRef(Promise.resolve());
  return {
    value: choice !== undefined && askedAtMs <= choice.acceptedAtMs ? choice.value : known,
    choose(value, send) {
      latest.current += 1;
      const own = latest.current;
      setChoice({ value, acceptedAtMs: Number.POSITIVE_INFINITY });
      sending.current = sending.current.then(async () => {
        const isAccepted = await send();
        if (own === latest.current)
          setChoice(isAccepted ? { value, acceptedAtMs: Date.now() } : undefined);
      });
    },
  };
}
