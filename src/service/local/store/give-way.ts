/**
 * Lets others run between two pieces of long work. In the first turn of the event loop, statements
 * that came after a piece still wait, because the turn was long; the second one is theirs. With one
 * turn, each statement of a short request would wait for a piece of its own.
 */
export async function giveWay(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
