import { getJson, useApi } from "@repo/api";
import { newPack, ValueType } from "packsmith";

export const pack = newPack();
useApi(pack);

pack.addFormula({
  name: "MyName",
  description: "The name of the connected user.",
  parameters: [],
  resultType: ValueType.String,
  execute: async (_args, context) => (await getJson<{ name: string }>(context, "/me"))?.name ?? "",
});
