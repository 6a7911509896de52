import type { SearchOptions } from "minisearch";

/**
 * How the site searches. VitePress sends these functions to the browser as text, so each must be
 * complete by itself.
 */
export const SEARCH_OPTIONS: SearchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  /** Leaves out words that each page has, so that a question finds what it asks about. */
  processTerm(term) {
    const isCommon =
      /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|have|how|i|if|in|into|is|it|me|my|of|on|or|packs?|packsmith|should|so|that|the|their|there|this|to|use|using|want|what|when|where|which|why|will|with|you|your)$/;
    const word = term.toLowerCase();
    return isCommon.test(word) ? null : word;
  },
  /** Pages that a newcomer reads come before lists of all rules and names. */
  boostDocument(id) {
    const page = String(id);
    if (/\/(?:rules|decisions|performance|CONTRIBUTING|CHANGELOG)(?:\.html)?(?:#|$)/.test(page))
      return 0.2;
    return /\/(?:authoring|troubleshooting|providers-quirks)/.test(page) ? 0.5 : 1;
  },
};
