import { shareSandboxes } from "../shared-sandboxes.ts";

// Commands start sandboxes of their own. What the tests run in process can share them.
shareSandboxes();
