/** [rule, file in src, text, replacement] */
export const RULES: [rule: number, file: string, text: string, replacement: string][];
/** Starts of the paths of tests in test/, by file in src. */
export const TESTS: Record<string, string[]>;
export function findRulePlace(
  file: string,
  source: string,
  text: string,
): { start: number; end: number };
