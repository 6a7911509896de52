import { AuthenticationType, newPack, PostSetupType, ValueType } from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("boards.example");

/** The regions. Each region has separate accounts. */
const REGIONS = [
  { display: "Europe", value: "https://eu.boards.example/apis/v1" },
  { display: "North America", value: "https://us.boards.example/apis/v1" },
];

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
  // After the user has entered the token, the user chooses a region. The URL of the region becomes
  // the endpoint of the account.
  postSetup: [
    {
      type: PostSetupType.SetEndpoint,
      name: "region",
      description: "Where is your account?",
      getOptions: async (context) => {
        const answers = await Promise.all(
          REGIONS.map(async (region) => {
            // The account has no endpoint yet, so this URL is absolute.
            const response = await context.fetcher
              .fetch({ method: "GET", url: `${region.value}/whoami` })
              .catch(() => undefined);
            return response?.status === 200 ? [region] : [];
          }),
        );
        return answers.flat();
      },
    },
  ],
  // The account now has an endpoint, so relative URLs are joined with it.
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch<{ name: string }>({
      method: "GET",
      url: "/whoami",
    });
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
    const { body } = await context.fetcher.fetch<{ items: { name: string }[] }>({
      method: "GET",
      url: "/docs",
    });
    return body?.items.map(({ name }) => name) ?? [];
  },
});
