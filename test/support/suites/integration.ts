import { useBuiltFolder } from "../../../src/shared/own-package.ts";
import { shareReader } from "../shared-reader.ts";
import { shareSandboxes } from "../shared-sandboxes.ts";
import { PARTS_FOLDER } from "./build-parts.ts";

// Integration tests run from the sources. Only what a Pack needs at run time is built from them.
useBuiltFolder(PARTS_FOLDER);
shareSandboxes();
shareReader();
