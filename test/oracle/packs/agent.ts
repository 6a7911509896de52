import * as coda from "@codahq/packs-sdk";

export const pack = coda.newAgent();
pack.setVersion("1");
pack.setInstructions("Help with the week.");
pack.setTools({
  docs: true,
  mail: true,
  webSearch: { allowedDomains: ["docs.example"] },
  connectors: [{ packId: 7, formulas: [{ formulaName: "Greet" }] }],
});
pack.setDefaultScheduleTrigger({ rruleString: "FREQ=WEEKLY;BYDAY=MO" });
