import type { TokenIntrospection } from "../../service/local/api/introspection.ts";

/** Where the tokens of local providers can be looked up: a local document service takes them, too. */
export interface LocalTokens {
  /** @returns what takes the offer back, when the provider ends */
  offer(source: TokenIntrospection): () => void;
  /** Of the provider that was started last among those that run. */
  readonly latest: TokenIntrospection | undefined;
  /** Called whenever there is another latest one, or none. */
  onChange(listener: () => void): void;
}

export function createLocalTokens(): LocalTokens {
  const sources: TokenIntrospection[] = [];
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    offer(source) {
      sources.push(source);
      notify();
      return () => {
        sources.splice(sources.indexOf(source), 1);
        notify();
      };
    },
    get latest() {
      return sources.at(-1);
    },
    onChange: (listener) => void listeners.add(listener),
  };
}
