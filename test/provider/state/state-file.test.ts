import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type KeptState,
  openStateFile,
  readState,
} from "../../../src/provider/state/state-file.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

it("a state that is too large to be read is not written over the one before", () => {
  using folder = makeTemporaryFolder();
  const path = join(folder.path, "state.json");
  const state = { kind: "packsmith-provider-state", version: 1, clockAheadMs: 0 } as KeptState;
  const file = openStateFile(path, () => state);
  state.signingKey = "k".repeat(64 * 1024 * 1024);
  expect(() => file.save()).toThrow("The state is larger than 64 MiB.");
  expect(readState(path)).toEqual({ ...state, signingKey: undefined });
});
