import { AuthenticationType, newPack, PostSetupType, ValueType } from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("boards.example");

/** Where accounts live. Each region knows its own accounts only. */
const REGIONS = [
  { display: "Europe", value: "https://eu.boards.example/apis/v1" },
  { display: "North America", value: "https://us.boards.example/apis/v1" },
];

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
  // After the token was entered, a person chooses; what they choose is the account's endpoint.
  postSetup: [
    {
      type: PostSetupType.SetEndpoint,
      name: "region",
      description: "Where is your account?",
      getOptions: async (context) => {
        const answers = await Promise.all(
          REGIONS.map(async (region) => {
            // The account has no endpoint yet, so the whole URL is given.
            const response = await context.fetcher.fetch({ method: "GET", url: `${region.value}/whoami` }).catch(() => undefined);
            return response?.status === 200 ? [region] : [];
          }),
        );
        return answers.flat();
      },
    },
  ],
  // From here on a relative URL is enough: it is joined to the endpoint of the account that is used.
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch<{ name: string }>({ method: "GET", url: "/whoami" });
    return `${body?.name}, ${REGIONS.find(({ value }) => value === context.endpoint)?.display}`;
  },
});

pack.addFormula({
  name: "Documents",
  description: "The titles of the documents of the account.",
  parameters: [],
  resultType: ValueType.Array,
  items: { type: ValueType.String },
  execute: async (_, context) => {
    const { body } = await context.fetcher.fetch<{ items: { name: string }[] }>({ method: "GET", url: "/docs" });
    return body?.items.map(({ name }) => name) ?? [];
  },
});
