import { useEffect, useState } from "preact/hooks";
import { get, subscribe } from "../api.ts";

/** The names of the accounts that a run may use; none where it uses none. */
export function useAccountNames(connection: "none" | "optional" | "required"): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (connection === "none") return;
    const load = () => void get<string[]>("/api/account-names").then(setNames, () => setNames([]));
    load();
    return subscribe((event) => event.type === "account" && load());
  }, [connection]);
  return names;
}
