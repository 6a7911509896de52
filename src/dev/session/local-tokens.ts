import type { TokenIntrospection } from "../../service/local/api/introspection.ts";

/**
 * Where to look up the tokens of local providers, so that the local document service can accept
 * them.
 */
export interface LocalTokens {
  /** @returns a function that withdraws the offer when the provider stops */
  offer(source: TokenIntrospection): () => void;
  /** The one of the running provider that was started last. */
  readonly latest: TokenIntrospection | undefined;
  /** Called when `latest` may have changed. */
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
