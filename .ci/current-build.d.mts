export function currentBuild(root: string): string | undefined;
export function recordBuild(root: string): void;
export function hashFiles(root: string, paths: readonly string[]): string;
