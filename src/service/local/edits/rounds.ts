/** Work of each document, one after the other. Documents do not wait for each other. */
export interface Rounds {
  /** Runs work when all earlier work of the document is done. */
  inTurn(docId: string, work: () => Promise<void>): Promise<void>;
  /** The same for those who ask before a round has begun: they share it. */
  share(docId: string, work: () => Promise<void>): Promise<void>;
  /** The documents that are worked on. */
  listBusy(): string[];
  /** Waits for all work that has been given. */
  idle(): Promise<void>;
}

export function createRounds(): Rounds {
  const last = new Map<string, Promise<void>>();
  const upcoming = new Map<string, Promise<void>>();
  const inTurn: Rounds["inTurn"] = (docId, work) => {
    const turn = (last.get(docId) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (last.get(docId) === ended) last.delete(docId);
      });
    last.set(docId, ended);
    return turn;
  };
  return {
    inTurn,
    share(docId, work) {
      const known = upcoming.get(docId);
      if (known !== undefined) return known;
      const round = inTurn(docId, () => {
        upcoming.delete(docId);
        return work();
      });
      upcoming.set(docId, round);
      return round;
    },
    listBusy: () => [...last.keys()],
    async idle() {
      await Promise.all(last.values());
    },
  };
}
