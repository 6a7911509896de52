// Timer strategy "error": the Pack runtime has no timers, so using one throws.
function refuse(name: string): () => never {
  return () => {
    throw new Error(
      `${name} does not exist in the Pack runtime. The runtime only waits for promises.`,
    );
  };
}

export const setTimeout = refuse("setTimeout");
export const setInterval = refuse("setInterval");
export const setImmediate = refuse("setImmediate");
export const clearTimeout = (): void => {};
export const clearInterval = (): void => {};
export const clearImmediate = (): void => {};
