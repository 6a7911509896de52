/** A Pack that asks the document service with a token of its user. */
export const SERVICE_PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("docs.service.example");
pack.setUserAuthentication({ type: sdk.AuthenticationType.HeaderBearerToken });
const ROWS = "https://docs.service.example/apis/v1/docs/demoDoc001/tables/Tasks/rows";
pack.addFormula({
  name: "CountTasks", description: "Counts the tasks.", parameters: [], resultType: "number", cacheTtlSecs: 0,
  execute: async (_args, context) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: ROWS + "?limit=100", cacheTtlSecs: 0 });
    return body.items.length;
  },
});
pack.addFormula({
  name: "Rename", description: "Renames a task.", isAction: true, resultType: "string",
  parameters: [sdk.makeParameter({ type: "string", name: "title", description: "The new title." })],
  execute: async ([title]) => title,
});
`;
