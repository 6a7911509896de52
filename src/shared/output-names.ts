/** Which Pack writes to which folder, while Packs come, go and change their names. */
export interface OutputNames {
  /**
   * Gives a Pack the name, and takes from it the one that it had. @returns who has the name
   * already; then nothing has changed
   */
  take(name: string, file: string): string | undefined;
  release(file: string): void;
  isFree(name: string): boolean;
}

export function createOutputNames(): OutputNames {
  const owners = new Map<string, string>();
  const release = (file: string): void => {
    for (const [name, owner] of owners) if (owner === file) owners.delete(name);
  };
  return {
    take(name, file) {
      const owner = owners.get(name);
      if (owner !== undefined && owner !== file) return owner;
      release(file);
      owners.set(name, file);
      return undefined;
    },
    release,
    isFree: (name) => !owners.has(name),
  };
}
