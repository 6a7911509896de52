// An agent: instructions and tools instead of formulas.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newAgent();

pack.setInstructions("You help a team run its weekly review. Keep replies short.");
pack.setTools({ docs: true, webSearch: { allowedDomains: ["docs.example.com"] } });
pack.setDefaultWhileWritingTrigger({
  condition: "Offer a source when the user states a number",
  surfaces: [coda.ContextualTriggerSurface.Docs],
});
