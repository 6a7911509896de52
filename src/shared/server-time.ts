/** The user's own time zone, once it is put aside. */
let own: { zone: string | undefined } | undefined;

/**
 * Makes the local time of this process that of a server, UTC, before a sandbox starts: what a Pack
 * finds as local time does not
 * depend on where its author sits.
 */
export function useServerTime(): void {
  own ??= { zone: process.env["TZ"] };
  setZone("UTC");
}

/**
 * Starts a program that goes on as the user's own, such as a browser, which would show the time of
 * a server in every page.
 */
export async function startInOwnTime<Result>(start: () => Promise<Result>): Promise<Result> {
  if (own === undefined) return await start();
  setZone(own.zone);
  try {
    return await start();
  } finally {
    setZone("UTC");
  }
}

function setZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
}
