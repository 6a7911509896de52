import * as coda from "@codahq/packs-sdk";

export const pack = coda.newAgent();
pack.setVersion("1");
pack.setInstructions("Check what is written.");
pack.setDefaultWhileWritingTrigger({
  condition: "A name of a project",
  surfaces: [coda.ContextualTriggerSurface.Docs],
});
