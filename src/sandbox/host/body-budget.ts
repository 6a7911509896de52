/** Room for the bodies of one run that the sandbox has not taken yet. */
export interface BodyBudget {
  /** The room of one request; the first that was opened may always grow. */
  open(): BodyRoom;
}

export interface BodyRoom {
  /** Resolves when that many more bytes may be read. */
  grow(bytes: number): Promise<void>;
  /** Gives the room back, when the sandbox has the body or the request has failed. */
  leave(): void;
}

interface Held {
  bytes: number;
  waiting: { bytes: number; resolve(): void } | undefined;
}

/**
 * Bodies are read while there is room for them all; then only the oldest request goes on, and the
 * servers of the others wait. The oldest always reaches its end, so no two wait for each other.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  /** In the order of their requests. */
  const rooms = new Set<Held>();
  let usedBytes = 0;

  const admit = (): void => {
    for (const room of rooms) {
      const { waiting } = room;
      if (waiting === undefined || !hasRoom(room, waiting.bytes)) continue;
      room.waiting = undefined;
      take(room, waiting.bytes);
      waiting.resolve();
    }
  };
  const hasRoom = (room: Held, bytes: number): boolean => {
    const [oldest] = rooms;
    return room === oldest || usedBytes + bytes <= maxBytes;
  };
  const take = (room: Held, bytes: number): void => {
    room.bytes += bytes;
    usedBytes += bytes;
  };

  return {
    open() {
      const room: Held = { bytes: 0, waiting: undefined };
      rooms.add(room);
      return {
        grow(bytes) {
          if (hasRoom(room, bytes)) return Promise.resolve(take(room, bytes));
          return new Promise((resolve) => {
            room.waiting = { bytes, resolve };
          });
        },
        leave() {
          if (!rooms.delete(room)) return;
          usedBytes -= room.bytes;
          admit();
        },
      };
    },
  };
}
