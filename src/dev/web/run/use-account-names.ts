import { useEffect, useState } from "preact/hooks";
import { get, subscribe } from "../api.ts";

/** The names of the accounts that a run may use; undefined where it uses none, and until they are known. */
export function useAccountNames(connection: "none" | "optional" | "required"): readonly string[] | undefined {
  const [names, setNames] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    if (connection === "none") return;
    const load = () => void get<string[]>("/api/account-names").then(setNames, () => setNames(undefined));
    load();
    return subscribe((event) => event.type === "account" && load());
  }, [connection]);
  return names;
}
